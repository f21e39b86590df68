//! The keys of a CreateTable request, of the table or of an index: constraints on their elements, and their definitions.

use super::wire::{AttributeDefinition, DEFINITION_TYPES, KEY_ROLES, KeySchemaElement};
use crate::constraint::Constraints;
use crate::wire::Few;
use crate::{KeyAttribute, KeyRole, KeySchema, ScalarType, Validation};

/// The most bytes of an attribute's name.
pub(super) const LONGEST_ATTRIBUTE_NAME: usize = 255;

/// The attribute definitions, of which the first few are kept.
#[derive(Default)]
pub(super) struct Definitions {
    pub(super) count: usize,
    kept: Vec<KeyAttribute>,
}

/// A key schema that has passed its constraints; its first elements are kept.
#[derive(Default)]
pub(super) struct SentKey {
    pub(super) count: usize,
    pub(super) elements: Vec<SentElement>,
}

/// An element of a key schema that has passed its constraints.
pub(super) struct SentElement {
    pub(super) name: String,
    pub(super) role: KeyRole,
}

impl Definitions {
    pub(super) fn check(
        constraints: &mut Constraints,
        definitions: Option<Few<AttributeDefinition>>,
    ) -> Self {
        let Some(definitions) = constraints.required("attributeDefinitions", definitions) else {
            return Self::default();
        };
        let mut checked = Self { count: definitions.count, kept: Vec::new() };
        for (index, definition) in definitions.kept.into_iter().enumerate() {
            let path = |member| format!("attributeDefinitions.{}.member.{member}", index + 1);
            let name = constraints.required(&path("attributeName"), definition.name);
            if let Some(name) = &name {
                constraints.text_length(&path("attributeName"), name, 1, LONGEST_ATTRIBUTE_NAME);
            }
            let kind = constraints.required(&path("attributeType"), definition.kind);
            let kind: Option<ScalarType> =
                constraints.one_of(&path("attributeType"), kind.as_deref(), &DEFINITION_TYPES);
            if let (Some(name), Some(kind)) = (name, kind) {
                checked.kept.push(KeyAttribute { name, kind });
            }
        }
        checked
    }

    pub(super) fn check_unique(&self) -> Result<(), Validation> {
        let mut names: Vec<&str> = self.kept.iter().map(|definition| definition.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[&str]>::first) {
            Some(name) => Err(Validation::DefinitionRepeated { name: (*name).to_owned() }),
            None => Ok(()),
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.kept.iter().map(|definition| definition.name.clone()).collect()
    }

    fn get(&self, name: &str) -> Option<&KeyAttribute> {
        self.kept.iter().find(|definition| definition.name == name)
    }
}

impl SentKey {
    pub(super) fn check(
        path: &str,
        constraints: &mut Constraints,
        key: Option<Few<KeySchemaElement>>,
    ) -> Self {
        let Some(key) = constraints.required(path, key) else { return Self::default() };
        constraints.length(path, key.count, 1, usize::MAX, || "[]".to_owned());
        let mut checked = Self { count: key.count, elements: Vec::new() };
        for (index, element) in key.kept.into_iter().enumerate() {
            let path = |member| format!("{path}.{}.member.{member}", index + 1);
            let name = constraints.required(&path("attributeName"), element.name);
            if let Some(name) = &name {
                constraints.text_length(&path("attributeName"), name, 1, LONGEST_ATTRIBUTE_NAME);
            }
            let role = constraints.required(&path("keyType"), element.role);
            let role = constraints.one_of(&path("keyType"), role.as_deref(), &KEY_ROLES);
            if let (Some(name), Some(role)) = (name, role) {
                checked.elements.push(SentElement { name, role });
            }
        }
        checked
    }

    /// The attributes of the elements, which all must be defined.
    pub(super) fn attributes(&self, definitions: &Definitions) -> Result<Vec<KeyAttribute>, Validation> {
        self.elements
            .iter()
            .map(|element| {
                definitions.get(&element.name).cloned().ok_or_else(|| Validation::KeyNotDefined {
                    keys: self.elements.iter().map(|element| element.name.clone()).collect(),
                    definitions: definitions.names(),
                })
            })
            .collect()
    }

    /// The key of a table: a partition key, and perhaps a sort key.
    pub(super) fn resolve(&self, definitions: &Definitions) -> Result<KeySchema, Validation> {
        if self.elements.len() > definitions.count {
            return Err(Validation::KeyWithoutDefinition);
        }
        let mut attributes = self.attributes(definitions)?.into_iter();
        self.check_pair()?;
        let Some(partition_key) = attributes.next() else {
            unreachable!("the constraints require a key attribute")
        };
        Ok(KeySchema { partition_key, sort_key: attributes.next() })
    }

    /// Refuses one or two elements that are not a partition key and then a sort key.
    fn check_pair(&self) -> Result<(), Validation> {
        let [first, rest @ ..] = self.elements.as_slice() else {
            unreachable!("the constraints require a key attribute")
        };
        let second = rest.first();
        if second.is_some_and(|second| second.name == first.name) {
            return Err(Validation::KeyNamesEqual);
        }
        if first.role != KeyRole::Partition {
            return Err(Validation::FirstKeyNotPartition);
        }
        if second.is_some_and(|second| second.role != KeyRole::Sort) {
            return Err(Validation::SecondKeyNotSort);
        }
        Ok(())
    }

    /// The elements as the service prints them.
    pub(super) fn shown(&self) -> String {
        let elements: Vec<String> = self
            .elements
            .iter()
            .map(|SentElement { name, role }| {
                format!("KeySchemaElement(attributeName={name}, keyType={})", role.wire_name())
            })
            .collect();
        format!("[{}]", elements.join(", "))
    }
}
