//! The attributes that the key of an entity in an index is made of.

use keywright_key::IndexKey;

use crate::facts::Entry;
use crate::model::{Index, IndexKeys, KeyAttribute};

/// The attributes that fill a key, from left to right. Literal text is left out.
#[derive(Debug)]
pub(super) struct KeyParts<'d> {
    /// Those of the partition key.
    pub(super) partition: Vec<&'d str>,
    /// Those of the sort key.
    pub(super) sort: Vec<&'d str>,
}

impl<'d> KeyParts<'d> {
    /// What the key of `entry` in `index` is made of.
    pub(super) fn of(index: &'d Index, entry: &Entry<'d>) -> KeyParts<'d> {
        match (entry.key, &index.keys) {
            (IndexKey::Global(key), _) => KeyParts {
                partition: key.partition_key.fields().collect(),
                sort: key.sort_key.iter().flat_map(|sort_key| sort_key.fields()).collect(),
            },
            (IndexKey::Local { sort_key }, _) => KeyParts {
                partition: entry.shape.key.partition_key.fields().collect(),
                sort: sort_key.fields().collect(),
            },
            (IndexKey::Attributes, IndexKeys::Attributes { partition_key, sort_key }) => {
                KeyParts { partition: names(partition_key), sort: names(sort_key) }
            }
            // The key crate reports that the entity gives no templates.
            (IndexKey::Attributes, IndexKeys::Rendered { .. }) => {
                KeyParts { partition: Vec::new(), sort: Vec::new() }
            }
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &'d str> {
        self.partition.iter().chain(&self.sort).copied()
    }
}

fn names(attributes: &[KeyAttribute]) -> Vec<&str> {
    attributes.iter().map(|attribute| attribute.name.as_str()).collect()
}
