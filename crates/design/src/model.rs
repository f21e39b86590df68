//! The design: tables, entities, access patterns, writes, stream consumers and tenancy, as types that a reader filled.
//!
//! A model is plain owned data without places; [`Place`](crate::Place) names its parts, and the file knows where they stand.
//! What is in a model could be read: templates parse, names have the form that DynamoDB asks for, numbers are in their range.
//! Whether the parts fit together is what [`verify`](crate::verify) says: a name may still name nothing.

mod billing;
mod consumer;
mod decision;
mod design;
mod entity;
mod exception;
mod index;
mod load;
mod name;
mod pattern;
mod table;
mod template;
mod tenancy;
mod value_type;
mod write;

pub use billing::{Autoscaling, Billing, CapacityUnits, ProvisionedCapacity, UnitBounds};
pub use consumer::{Delivery, ImagesNeeded, StreamConsumer};
pub use decision::Decision;
pub use design::Design;
pub use entity::{Attribute, Entity, EntryKey, IndexEntry, ItemCount, ItemSize, OwnedShards, Purpose};
pub use exception::Exception;
pub use index::{Index, IndexKeys, Projection};
pub use keywright_key::StreamView;
pub use load::{PerSecond, ReadLoad, WriteLoad};
pub use name::{
    AttributeName, ConsumerName, EntityName, IndexName, NameProblem, PatternName, TableName, WriteName,
};
pub use pattern::{
    AttributeCondition, AttributeTest, Bound, Filter, Order, Pattern, PatternOperation, Question, Range,
    Returned, ReturnedAttributes, SortKeyCondition,
};
pub use table::{Alarm, Backup, KeyAttribute, Replication, ReplicationConsistency, Table, TableClass};
pub use template::Template;
pub use tenancy::{Deviation, DeviationKey, ReadTimeCheck, Tenants};
pub use value_type::{Presence, ValueType};
pub use write::{Once, Write, WriteCondition, WriteOperation};
