//! An item as serde reads it: its attributes one by one, in one pass, without a copy of the whole.
//!
//! What is not the entity's is laid aside on the way: the parts of its key and the id of its last write. So none is looked for by its name.

use std::collections::hash_map::IntoIter;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::EntityShape;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::undecodable::{Step, Stored, Undecodable};
use super::value::Value;
use super::{Attributes, WRITE_ID_ATTRIBUTE};

/// What an item is read from.
pub(crate) struct Source<'p> {
    entity: &'static EntityShape<'static>,
    attributes: Attributes,
    aside: &'p mut Aside,
}

/// What is laid aside of an item while it is read.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// The parts of its key: what they are called, whether the entity has an attribute of that name, and what they hold.
    key: [Part; 2],
    /// The value that holds the id of the last write.
    pub(super) write_id: Option<AttributeValue>,
}

#[derive(Debug, Default)]
struct Part {
    name: Option<&'static str>,
    is_an_attribute: bool,
    value: Option<AttributeValue>,
}

impl Aside {
    /// For a key of these parts, of which the entity may have some as attributes.
    pub(super) fn of_key(names: [Option<&'static str>; 2], is_an_attribute: impl Fn(&str) -> bool) -> Aside {
        let part = |name: Option<&'static str>| Part {
            name,
            is_an_attribute: name.is_some_and(&is_an_attribute),
            value: None,
        };
        Aside { key: names.map(part), ..Aside::default() }
    }

    /// The parts of the key that the item has.
    pub(super) fn key(&self) -> impl Iterator<Item = &AttributeValue> {
        self.key.iter().filter_map(|part| part.value.as_ref())
    }

    /// Lays an attribute aside; gives its value back if it is the entity's.
    fn take(&mut self, name: &str, value: AttributeValue) -> Option<AttributeValue> {
        if let Some(part) = self.key.iter_mut().find(|part| part.name == Some(name)) {
            let is_the_entitys = part.is_an_attribute.then(|| value.clone());
            part.value = Some(value);
            return is_the_entitys;
        }
        if name == WRITE_ID_ATTRIBUTE {
            self.write_id = Some(value);
            return None;
        }
        Some(value)
    }
}

impl<'p> Source<'p> {
    pub(super) const fn new(
        entity: &'static EntityShape<'static>,
        attributes: Attributes,
        aside: &'p mut Aside,
    ) -> Source<'p> {
        Source { entity, attributes, aside }
    }
}

impl<'de> Deserializer<'de> for Source<'_> {
    type Error = Undecodable;

    fn deserialize_any<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_struct("", &[], visitor)
    }

    fn deserialize_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        let Source { entity, attributes, aside } = self;
        let mut reader = Reader { entity, fields, attributes: attributes.into_iter(), current: None, aside };
        let read = visitor.visit_map(&mut reader);
        reader.lay_rest_aside();
        read
    }

    fn deserialize_newtype_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

/// Reads the attributes of an item.
struct Reader<'p> {
    entity: &'static EntityShape<'static>,
    /// What the type that is read declares, which may be less than the entity has.
    fields: &'static [&'static str],
    attributes: IntoIter<String, AttributeValue>,
    current: Option<(String, AttributeValue)>,
    aside: &'p mut Aside,
}

impl Reader<'_> {
    /// What a visitor left that had enough, or found something wrong.
    fn lay_rest_aside(&mut self) {
        for (name, value) in self.attributes.by_ref() {
            self.aside.take(&name, value);
        }
    }
}

impl<'de> MapAccess<'de> for &mut Reader<'_> {
    type Error = Undecodable;

    fn next_key_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Option<Seed::Value>, Undecodable> {
        let Reader { attributes, aside, current, .. } = &mut **self;
        for (name, value) in attributes.by_ref() {
            let Some(value) = aside.take(&name, value) else { continue };
            let (name, _) = current.insert((name, value));
            let name: StrDeserializer<'_, Undecodable> = StrDeserializer::new(name);
            let read = seed.deserialize(name).map(Some);
            return read.map_err(|error| error.inside(Step::Member, Stored::Name));
        }
        Ok(None)
    }

    fn next_value_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Seed::Value, Undecodable> {
        let Some((name, value)) = self.current.take() else {
            unreachable!("serde asks for a key before each value")
        };
        let stored = Stored::of(&value);
        seed.deserialize(Value(value)).map_err(|error| {
            let step = match self.entity.attribute(&name) {
                Some(attribute) => Step::Field(attribute.name),
                None => Step::into_field(self.fields, &name),
            };
            error.inside(step, stored)
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.attributes.len())
    }
}
