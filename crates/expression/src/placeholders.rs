//! What the placeholders of a request stand for, and which of them its expressions used.
//!
//! Invariants: one request has one set of placeholders for all its expressions, so that "unused" is known only
//! after the last of them is bound; what could not be used by expressions of 4 KB is not kept.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use keywright_item::AttributeValue;
use keywright_item::json::{Checked, ValueRefusal};

use crate::refusal::OperandFault;

/// More placeholders than the expressions of one request can use.
const MOST_KEPT: usize = 4096;

/// The service's limit for all values of one request together, in bytes as they count in an item.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const MAX_VALUES_BYTES: usize = 2 * 1024 * 1024;

/// No attribute has a longer name, so that a longer one is cut off: it matches nothing.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>
const LONGEST_NAME_BYTES: usize = 65_535;

/// `ExpressionAttributeNames` and `ExpressionAttributeValues` as a request gives them, unchecked.
#[derive(Debug, Default)]
pub struct DeclaredPlaceholders {
    names: Option<BTreeMap<String, String>>,
    values: Option<BTreeMap<String, Checked<AttributeValue>>>,
    values_bytes: usize,
}

/// Placeholders whose form is right.
#[derive(Debug, Default)]
pub struct Placeholders {
    names: BTreeMap<String, Entry<String>>,
    values: BTreeMap<String, Entry<Arc<AttributeValue>>>,
}

#[derive(Debug)]
struct Entry<Content> {
    content: Content,
    used: Cell<bool>,
}

/// Why the placeholders of a request are refused. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceholderRefusal {
    /// `ExpressionAttributeNames` is there, but empty.
    NoNames,
    /// `ExpressionAttributeValues` is there, but empty.
    NoValues,
    /// A name placeholder is not `#` and letters, digits or `_`.
    MalformedName {
        /// The placeholder.
        placeholder: String,
    },
    /// A value placeholder is not `:` and letters, digits or `_`.
    MalformedValue {
        /// The placeholder.
        placeholder: String,
    },
    /// A placeholder stands for something that is no value.
    RefusedValue {
        /// The placeholder.
        placeholder: String,
        /// What is wrong with the value.
        refusal: ValueRefusal,
    },
    /// All values together are larger than 2 MB.
    ValuesTooLarge,
    /// No expression uses these names.
    UnusedNames {
        /// The placeholders, sorted.
        placeholders: Vec<String>,
    },
    /// No expression uses these values.
    UnusedValues {
        /// The placeholders, sorted.
        placeholders: Vec<String>,
    },
}

impl DeclaredPlaceholders {
    /// Notes that the request has `ExpressionAttributeNames`, be it empty.
    pub fn declare_names(&mut self) {
        self.names.get_or_insert_default();
    }

    /// Adds a name; the last of several for one placeholder counts.
    pub fn declare_name(&mut self, placeholder: &str, mut name: String) {
        name.truncate(name.floor_char_boundary(LONGEST_NAME_BYTES + 1));
        let names = self.names.get_or_insert_default();
        if names.len() < MOST_KEPT {
            names.insert(placeholder.to_owned(), name);
        }
    }

    /// Notes that the request has `ExpressionAttributeValues`, be it empty.
    pub fn declare_values(&mut self) {
        self.values.get_or_insert_default();
    }

    /// Adds a value; the last of several for one placeholder counts.
    pub fn declare_value(&mut self, placeholder: &str, value: Checked<AttributeValue>) {
        let values = self.values.get_or_insert_default();
        self.values_bytes += value.as_ref().map_or(0, AttributeValue::size_bytes);
        if values.len() < MOST_KEPT && self.values_bytes <= MAX_VALUES_BYTES {
            values.insert(placeholder.to_owned(), value);
        }
    }

    /// Whether the request has `ExpressionAttributeNames`.
    pub const fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Whether the request has `ExpressionAttributeValues`.
    pub const fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// Checks everything that needs no expression, names before values.
    pub fn check(self) -> Result<Placeholders, PlaceholderRefusal> {
        let mut checked = Placeholders::default();
        if let Some(names) = self.names {
            if names.is_empty() {
                return Err(PlaceholderRefusal::NoNames);
            }
            if let Some(placeholder) = names.keys().find(|name| !is_placeholder(name, '#')) {
                return Err(PlaceholderRefusal::MalformedName { placeholder: placeholder.clone() });
            }
            checked.names = names.into_iter().map(|(name, content)| (name, Entry::new(content))).collect();
        }
        if let Some(values) = self.values {
            if values.is_empty() {
                return Err(PlaceholderRefusal::NoValues);
            }
            if let Some(placeholder) = values.keys().find(|name| !is_placeholder(name, ':')) {
                return Err(PlaceholderRefusal::MalformedValue { placeholder: placeholder.clone() });
            }
            for (placeholder, value) in values {
                let value = match value {
                    Ok(value) => value,
                    Err(refusal) => return Err(PlaceholderRefusal::RefusedValue { placeholder, refusal }),
                };
                checked.values.insert(placeholder, Entry::new(Arc::new(value)));
            }
            if self.values_bytes > MAX_VALUES_BYTES {
                return Err(PlaceholderRefusal::ValuesTooLarge);
            }
        }
        Ok(checked)
    }
}

impl Placeholders {
    /// Refuses placeholders that no expression used; for after the last expression of the request is bound.
    pub fn check_all_used(&self) -> Result<(), PlaceholderRefusal> {
        let placeholders = unused(&self.names);
        if !placeholders.is_empty() {
            return Err(PlaceholderRefusal::UnusedNames { placeholders });
        }
        let placeholders = unused(&self.values);
        if !placeholders.is_empty() {
            return Err(PlaceholderRefusal::UnusedValues { placeholders });
        }
        Ok(())
    }

    /// The names, by their placeholders in order.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().map(|(placeholder, entry)| (placeholder.as_str(), entry.content.as_str()))
    }

    /// The values, by their placeholders in order.
    pub fn values(&self) -> impl Iterator<Item = (&str, &AttributeValue)> {
        self.values.iter().map(|(placeholder, entry)| (placeholder.as_str(), entry.content.as_ref()))
    }

    pub(crate) fn name(&self, placeholder: &str) -> Result<&str, OperandFault> {
        self.names
            .get(placeholder)
            .map(|entry| entry.take().as_str())
            .ok_or_else(|| OperandFault::UndefinedName { placeholder: placeholder.to_owned() })
    }

    pub(crate) fn value(&self, placeholder: &str) -> Result<&Arc<AttributeValue>, OperandFault> {
        self.values
            .get(placeholder)
            .map(Entry::take)
            .ok_or_else(|| OperandFault::UndefinedValue { placeholder: placeholder.to_owned() })
    }
}

impl<Content> Entry<Content> {
    const fn new(content: Content) -> Self {
        Self { content, used: Cell::new(false) }
    }

    fn take(&self) -> &Content {
        self.used.set(true);
        &self.content
    }
}

fn unused<Content>(entries: &BTreeMap<String, Entry<Content>>) -> Vec<String> {
    entries.iter().filter(|(_, entry)| !entry.used.get()).map(|(name, _)| name.clone()).collect()
}

fn is_placeholder(text: &str, sign: char) -> bool {
    text.strip_prefix(sign).is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

impl fmt::Display for PlaceholderRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: &str = "ExpressionAttributeNames";
        const VALUES: &str = "ExpressionAttributeValues";
        match self {
            Self::NoNames => write!(formatter, "{NAMES} must not be empty"),
            Self::NoValues => write!(formatter, "{VALUES} must not be empty"),
            Self::MalformedName { placeholder } => {
                write!(formatter, "{NAMES} contains invalid key: Syntax error; key: \"{placeholder}\"")
            }
            Self::MalformedValue { placeholder } => {
                write!(formatter, "{VALUES} contains invalid key: Syntax error; key: \"{placeholder}\"")
            }
            Self::RefusedValue { placeholder, refusal } => {
                write!(formatter, "{VALUES} contains invalid value: {refusal} for key {placeholder}")
            }
            Self::ValuesTooLarge => write!(formatter, "{VALUES} exceeds max size"),
            Self::UnusedNames { placeholders } => write_unused(formatter, NAMES, placeholders),
            Self::UnusedValues { placeholders } => write_unused(formatter, VALUES, placeholders),
        }
    }
}

fn write_unused(formatter: &mut fmt::Formatter<'_>, member: &str, placeholders: &[String]) -> fmt::Result {
    let keys = placeholders.join(", ");
    write!(formatter, "Value provided in {member} unused in expressions: keys: {{{keys}}}")
}

impl std::error::Error for PlaceholderRefusal {}
