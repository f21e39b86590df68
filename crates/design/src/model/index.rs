//! Secondary indexes.

use keywright_key::IndexReach;

use super::billing::ProvisionedCapacity;
use super::name::{AttributeName, IndexName};
use super::table::KeyAttribute;

/// A secondary index: `[table.NAME.index.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// Its name.
    pub name: IndexName,
    /// Global, or in the partitions of the table.
    pub reach: IndexReach,
    /// What its keys are.
    pub keys: IndexKeys,
    /// What it holds beside keys.
    pub projection: Projection,
    /// What is provisioned for it; the table's own capacity serves a local index.
    pub capacity: Option<ProvisionedCapacity>,
}

/// What the keys of an index are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexKeys {
    /// Attributes that exist for the index, each rendered from an entity's template.
    Rendered {
        /// The attribute that is its partition key.
        partition_key: KeyAttribute,
        /// The attribute that is its sort key.
        sort_key: Option<KeyAttribute>,
    },
    /// Attributes that items have anyway: up to four, all by equality, then up to four from left to right.
    Attributes {
        /// The attributes of its partition key.
        partition_key: Vec<KeyAttribute>,
        /// The attributes of its sort key.
        sort_key: Vec<KeyAttribute>,
    },
}

/// What an index holds beside the keys of the table and its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// Nothing.
    KeysOnly,
    /// These attributes.
    Include(Vec<AttributeName>),
    /// Everything: the table a second time.
    All {
        /// Why; empty if the file does not say.
        reason: String,
    },
}

impl Index {
    /// The attributes of its key: those of the partition key, then those of the sort key.
    pub fn key_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        let (partition, sort): (&[KeyAttribute], &[KeyAttribute]) = match &self.keys {
            IndexKeys::Rendered { partition_key, sort_key } => {
                (std::slice::from_ref(partition_key), sort_key.as_slice())
            }
            IndexKeys::Attributes { partition_key, sort_key } => (partition_key, sort_key),
        };
        partition.iter().chain(sort)
    }
}
