//! Tables.

use std::collections::BTreeMap;

use keywright_key::{AttributeType, KeyFormat, StreamView};

use super::billing::Billing;
use super::decision::Decision;
use super::index::Index;
use super::name::{AttributeName, IndexName, TableName};

/// A table: `[table.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: TableName,
    /// The attribute that is its partition key.
    pub partition_key: KeyAttribute,
    /// The attribute that is its sort key.
    pub sort_key: Option<KeyAttribute>,
    /// How its keys are written.
    pub format: KeyFormat,
    /// The attribute that says which entity an item is; `entity` by default.
    pub discriminator: AttributeName,
    /// The attribute that its time to live looks at.
    pub time_to_live: Decision<AttributeName>,
    /// What its stream carries.
    pub stream: Decision<StreamView>,
    /// How its items come back after a mistake.
    pub backup: Decision<Backup>,
    /// How its capacity is paid for.
    pub billing: Decision<Billing>,
    /// Whether it can be deleted only after its protection is taken away.
    pub deletion_protection: Decision<()>,
    /// What wakes somebody.
    pub alarms: Decision<Vec<Alarm>>,
    /// Where its storage stands between price and price of access.
    pub class: TableClass,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// The other regions that hold it.
    pub replication: Option<Replication>,
    /// Its indexes, in the order of the file.
    pub indexes: Vec<Index>,
}

/// An attribute that is a key, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAttribute {
    /// Its name.
    pub name: AttributeName,
    /// Its type.
    pub attribute_type: AttributeType,
}

/// How items come back after a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backup {
    /// Point-in-time recovery: to any second of the last 1 to 35 days.
    PointInTime {
        /// The days it reaches back.
        days: u8,
    },
    /// Exports or backups on a schedule, described in words.
    Scheduled {
        /// When, and where to.
        schedule: String,
    },
}

/// What wakes somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alarm {
    /// Consumed read capacity near what is provisioned or expected.
    ConsumedReadCapacity,
    /// Consumed write capacity near what is provisioned or expected.
    ConsumedWriteCapacity,
    /// Requests refused for want of capacity (`ThrottledRequests` and its kin).
    ThrottledRequests,
    /// Errors of the service (`SystemErrors`).
    SystemErrors,
    /// Refused requests (`UserErrors`).
    UserErrors,
    /// How far a replica lags (`ReplicationLatency`).
    ReplicationLatency,
    /// How old the last record is that a stream's consumer has read (`IteratorAge`).
    IteratorAge,
}

/// The class of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableClass {
    /// Storage at the normal price.
    #[default]
    Standard,
    /// Cheaper storage, dearer requests.
    InfrequentAccess,
}

/// A global table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replication {
    /// The regions beside the design's own, such as `eu-west-1`.
    pub regions: Vec<String>,
    /// What a reader elsewhere sees.
    pub consistency: ReplicationConsistency,
}

/// What a reader in another region sees.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicationConsistency {
    /// The write a moment later; of two writes to one item the later one stays, and conditions see their own region only.
    Eventual,
    /// Every write that was acknowledged anywhere.
    Strong,
}

impl Table {
    /// The index of that name.
    pub fn index(&self, name: &IndexName) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == *name)
    }
}
