//! Writes that are more than storing an item now and then.

use super::load::WriteLoad;
use super::name::{AttributeName, EntityName, WriteName};

/// A write: `[write.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Its name.
    pub name: WriteName,
    /// The operation that it is.
    pub operation: WriteOperation,
    /// The entities that it writes.
    pub entities: Vec<EntityName>,
    /// Items in one call; 1 but for batches and transactions, where it is the number of entities if the file does not say.
    pub items: u64,
    /// What must hold for it to be applied.
    pub condition: WriteCondition,
    /// What makes it have effect once when it is tried again.
    pub once: Option<Once>,
    /// The attributes that an update changes, where the file says so.
    pub changes: Vec<AttributeName>,
    /// The expected load.
    pub expected: WriteLoad,
}

/// The operation that a write is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOperation {
    /// PutItem: `put`.
    Put,
    /// UpdateItem: `update`.
    Update,
    /// UpdateItem with `ADD`: `add`.
    Add,
    /// DeleteItem: `delete`.
    Delete,
    /// BatchWriteItem: `batch`.
    Batch,
    /// TransactWriteItems: `transaction`.
    Transaction,
}

/// What must hold for a write to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteCondition {
    /// Nothing.
    None,
    /// The item does not exist: `if-absent`.
    IfAbsent,
    /// The item exists: `if-present`.
    IfPresent,
    /// The version is the one that was read: `version`.
    Version,
    /// Something else, in words or as an expression: `balance >= :cost`.
    Expression(String),
}

/// What makes a write have effect once when it is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Once {
    /// Its condition is false after it was applied: `condition`.
    Condition,
    /// The token of a transaction, for ten minutes: `token`.
    Token,
    /// A claim in another item, by the entity that holds it: `{ claim = "NAME" }`.
    Claim(EntityName),
    /// It writes the same again: `same-result`.
    SameResult,
    /// It may have effect twice, and that is accepted: `{ not = "reason" }`.
    NotNeeded {
        /// Why that is accepted.
        reason: String,
    },
}
