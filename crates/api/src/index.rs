//! Secondary indexes: the other keys of a table's items, and what each index holds of them.

use std::fmt;

use crate::{BillingMode, KeyAttribute, KeyRole, TableName};

/// The name of an index, unique within its table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexName(String);

/// A secondary index, as CreateTable defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondaryIndex {
    /// The name.
    pub name: IndexName,
    /// Local or global.
    pub kind: IndexKind,
    /// The key; items without all of its attributes are not in the index.
    pub key_schema: IndexKeySchema,
    /// What the index holds of an item beside the keys of table and index.
    pub projection: IndexProjection,
}

/// Which partition key an index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// The table's: the index orders the items of each collection by another sort key.
    Local,
    /// Its own, and so a capacity of its own.
    Global(BillingMode),
}

/// The key attributes of an index: one partition and one sort attribute at most, or up to four each on a global index.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexKeySchema {
    /// The partition attributes, at least one.
    pub partition_key: Vec<KeyAttribute>,
    /// The sort attributes, the most significant first.
    pub sort_key: Vec<KeyAttribute>,
}

/// What an index holds of an item beside the keys of table and index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexProjection {
    /// All of it.
    All,
    /// Nothing.
    KeysOnly,
    /// These attributes, sorted by name.
    Include(Vec<String>),
}

impl IndexName {
    /// The fewest bytes of a name.
    pub(crate) const SHORTEST: usize = 3;

    /// Takes a text for a name: 3 to 255 letters, digits, `_`, `-` and `.`.
    ///
    /// ```
    /// use keywright_api::IndexName;
    /// assert!(IndexName::new("by_user").is_some());
    /// assert!(IndexName::new("by user").is_none());
    /// ```
    pub fn new(name: &str) -> Option<Self> {
        let fits = (Self::SHORTEST..=TableName::LONGEST).contains(&name.len());
        (fits && TableName::has_only_allowed(name)).then(|| Self(name.to_owned()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IndexName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl IndexKeySchema {
    /// The key attributes with their roles, the partition attributes first.
    pub fn attributes(&self) -> impl Iterator<Item = (KeyRole, &KeyAttribute)> {
        let partition = self.partition_key.iter().map(|attribute| (KeyRole::Partition, attribute));
        partition.chain(self.sort_key.iter().map(|attribute| (KeyRole::Sort, attribute)))
    }
}

impl IndexProjection {
    /// The most attributes that one index can name.
    pub(crate) const MOST_NAMED: usize = 20;
    /// The most attributes that all indexes of a table can name together.
    pub(crate) const MOST_NAMED_BY_TABLE: usize = 100;

    /// The name on the wire: `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub const fn wire_name(&self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::KeysOnly => "KEYS_ONLY",
            Self::Include(_) => "INCLUDE",
        }
    }

    /// The attributes that it names.
    pub fn named(&self) -> &[String] {
        match self {
            Self::All | Self::KeysOnly => &[],
            Self::Include(names) => names,
        }
    }
}
