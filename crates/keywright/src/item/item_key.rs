//! A whole key, by which items of one table are told apart.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use keywright_key::TableShape;

use super::Attributes;
use crate::store::KeysInErrors;

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

    /// The key for a message.
    pub(crate) fn text(&self, keys_in_errors: KeysInErrors) -> Option<String> {
        match (keys_in_errors, &self.sort_key) {
            (KeysInErrors::Redacted, _) => None,
            (KeysInErrors::Shown, Some(sort_key)) => Some(format!("{} / {sort_key}", self.partition_key)),
            (KeysInErrors::Shown, None) => Some(self.partition_key.clone()),
        }
    }
}

/// The places of keys: of each where it stands first, and the pairs of a first place with a later one of the same key.
pub(crate) fn places<Key: Eq + Hash>(
    keys: impl Iterator<Item = Key>,
) -> (HashMap<Key, usize>, Vec<(usize, usize)>) {
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
    (first, twice)
}
