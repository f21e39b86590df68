//! A whole key, by which items of one table are told apart.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::TableShape;
use keywright_key::declare::Table;

use super::{Attributes, KeyAttributes};
use crate::store::{KeysInErrors, Shared};

/// A whole key in its table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ItemKey {
    partition_key: String,
    sort_key: Option<String>,
}

impl ItemKey {
    /// The key in these attributes; none if they hold none of this layer's, whose keys are texts.
    pub(crate) fn of(table: &TableShape<'static>, attributes: &Attributes) -> Option<ItemKey> {
        let text = |name: &str| attributes.get(name).and_then(|value| value.as_s().ok()).cloned();
        Some(ItemKey {
            partition_key: text(table.partition_key.name)?,
            sort_key: match table.sort_key {
                Some(attribute) => Some(text(attribute.name)?),
                None => None,
            },
        })
    }

    /// The key in the attributes of one that was rendered.
    pub(crate) fn rendered<TableType: Table>(key: &KeyAttributes) -> ItemKey {
        match ItemKey::of(&TableType::SHAPE, key) {
            Some(key) => key,
            None => unreachable!("a rendered key is whole, and of texts"),
        }
    }

    pub(crate) fn partition_key(&self) -> &str {
        &self.partition_key
    }

    /// The key as the client takes it.
    pub(crate) fn attributes<TableType: Table>(&self) -> KeyAttributes {
        let table = TableType::SHAPE;
        let sort_key = table.sort_key.zip(self.sort_key.as_deref());
        let parts = [(table.partition_key, self.partition_key.as_str())].into_iter().chain(sort_key);
        parts.map(|(name, part)| (name.name.to_owned(), AttributeValue::S(part.to_owned()))).collect()
    }

    /// The key for a message.
    pub(crate) fn text(&self, keys_in_errors: KeysInErrors) -> Option<String> {
        match (keys_in_errors, &self.sort_key) {
            (KeysInErrors::Redacted, _) => None,
            (KeysInErrors::Shown, Some(sort_key)) => Some(format!("{} / {sort_key}", self.partition_key)),
            (KeysInErrors::Shown, None) => Some(self.partition_key.clone()),
        }
    }
}

impl Shared {
    /// A rendered key for a message: none if keys are kept out of messages.
    pub(crate) fn key_in_errors(&self, key: &KeyAttributes) -> Option<String> {
        let text = |name: &str| key.get(name).and_then(|value| value.as_s().ok()).cloned();
        let key = ItemKey {
            partition_key: text(self.partition_key)?,
            sort_key: key.keys().find(|name| *name != self.partition_key).and_then(|name| text(name)),
        };
        key.text(self.keys_in_errors)
    }
}

/// Keys that stand twice: each later place with the first one of the same key, as (first, later).
pub(crate) fn keys_given_twice<Key: Eq + Hash>(keys: impl Iterator<Item = Key>) -> Vec<(usize, usize)> {
    let mut first = HashMap::new();
    let mut twice = Vec::new();
    for (place, key) in keys.enumerate() {
        match first.entry(key) {
            Entry::Occupied(earlier) => twice.push((*earlier.get(), place)),
            Entry::Vacant(vacant) => {
                vacant.insert(place);
            }
        }
    }
    twice
}
