//! Entities: kinds of items.

use keywright_key::Shards;

use super::load::WriteLoad;
use super::name::{AttributeName, EntityName, IndexName, TableName};
use super::template::Template;
use super::value_type::{Presence, ValueType};

/// A kind of item: `[entity.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// Its name.
    pub name: EntityName,
    /// The table that holds it.
    pub table: TableName,
    /// What the discriminator attribute of its items says; its name by default.
    pub discriminator: String,
    /// The template of its partition key.
    pub partition_key: Template,
    /// The template of its sort key, in a table that has one.
    pub sort_key: Option<Template>,
    /// Over how many partition keys its items are spread.
    pub shards: OwnedShards,
    /// Its keys in indexes.
    pub indexes: Vec<IndexEntry>,
    /// Its attributes, those in its templates included, in the order of the file.
    pub attributes: Vec<Attribute>,
    /// How large its items are.
    pub size: ItemSize,
    /// How many there are.
    pub count: ItemCount,
    /// How often its items are written, where no `[write]` of its own says so.
    pub writes: WriteLoad,
    /// What it is there for, where that has rules of its own.
    pub purpose: Purpose,
}

/// An attribute of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: AttributeName,
    /// What it holds.
    pub value_type: ValueType,
    /// Whether every item has it.
    pub presence: Presence,
    /// How large its value is on average, in bytes, if the file says so.
    pub average_bytes: Option<u64>,
}

/// Over how many partition keys items are spread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedShards {
    count: u16,
    earlier: Vec<u16>,
}

impl OwnedShards {
    /// These shards; the counts of earlier times are read too.
    pub fn new(shards: &Shards<'_>) -> OwnedShards {
        OwnedShards { count: shards.count(), earlier: shards.earlier().to_vec() }
    }

    /// The shards as the key crate's rules see them.
    pub fn shape(&self) -> Shards<'_> {
        match Shards::with_earlier(self.count, &self.earlier) {
            Ok(shards) => shards,
            Err(_) => unreachable!("`OwnedShards::new` took the counts from shards"),
        }
    }
}

/// The key of an entity in an index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexEntry {
    /// The index.
    pub index: IndexName,
    /// The key.
    pub key: EntryKey,
}

/// What an entity's key in an index is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKey {
    /// Templates, in a global index.
    Global {
        /// The template of the partition key.
        partition_key: Template,
        /// The template of the sort key, in an index that has one.
        sort_key: Option<Template>,
        /// Over how many partition keys the entries are spread.
        shards: OwnedShards,
    },
    /// A template for the sort key; a local index has the table's partition key.
    Local {
        /// The template of the sort key.
        sort_key: Template,
    },
    /// The entity's own attributes, as the index names them.
    Attributes,
}

/// How large the items of an entity are, in bytes as DynamoDB counts them.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemSize {
    /// On average.
    pub average_bytes: Option<u64>,
    /// The largest.
    pub largest_bytes: Option<u64>,
}

/// How many items of an entity there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemCount {
    /// In the whole table.
    pub total: Option<u64>,
    /// Of the tenant that has the most.
    pub largest_tenant: Option<u64>,
    /// With the partition key that has the most.
    pub largest_key: Option<u64>,
}

/// What an entity is there for, where that has rules of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Data.
    #[default]
    Data,
    /// The key of a request that must have effect once: claimed by `attribute_not_exists`.
    Claim,
    /// A lock with a lease.
    Lock,
    /// A counter, exact.
    ExactCounter,
    /// A counter that may be off by what a retry adds.
    ApproximateCounter,
    /// A record of what happened, which is only ever added to.
    Audit,
    /// The bucket of a rate limit: how much of an allowance is left.
    RateLimit,
    /// A token that is used once: whoever removes it first has used it.
    SingleUseToken,
    /// Data that expires: sessions, codes, connections.
    Ephemeral,
}

impl Purpose {
    /// What a message calls an item of it.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Purpose::Data => "data",
            Purpose::Claim => "a claim",
            Purpose::Lock => "a lock",
            Purpose::ExactCounter | Purpose::ApproximateCounter => "a counter",
            Purpose::Audit => "a record of what happened",
            Purpose::RateLimit => "the bucket of a rate limit",
            Purpose::SingleUseToken => "a token that is used once",
            Purpose::Ephemeral => "ephemeral",
        }
    }
}

impl Entity {
    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == *name)
    }

    /// The attribute at which its items expire, if it has one.
    pub fn time_to_live(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.value_type == ValueType::TimeToLive)
    }

    /// The attribute that holds its version, if it has one.
    pub fn version(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.value_type == ValueType::Version)
    }

    /// Its key in the index of that name.
    pub fn entry(&self, index: &IndexName) -> Option<&IndexEntry> {
        self.indexes.iter().find(|entry| entry.index == *index)
    }
}
