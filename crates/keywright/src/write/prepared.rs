//! One write with everything that its request needs, whether it is sent alone or with others.

use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::{Attributes, ItemKeys, KeyAttributes};
use crate::write::WriteMark;

/// A write of one item, or a check of it.
#[derive(Clone, Debug)]
pub(crate) struct PreparedWrite {
    /// The entity.
    pub(crate) entity: &'static str,
    /// The whole key, with the present number of shards.
    pub(crate) key: KeyAttributes,
    /// The keys of earlier numbers, under which the item may lie.
    pub(crate) earlier: Vec<KeyAttributes>,
    /// Of a count that is spread over shards, its key without one: whichever shard is written, it is one item to its callers.
    pub(crate) of_one: Option<KeyAttributes>,
    pub(crate) change: Change,
    pub(crate) condition: Option<String>,
    /// Names and values of all its expressions.
    pub(crate) placeholders: Placeholders,
    pub(crate) mark: WriteMark,
}

/// What a write does to its item.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Stores this in its place.
    Put { item: Attributes, size_bytes: usize },
    /// Changes it.
    Update { expression: String },
    /// Takes it away.
    Delete,
    /// Nothing: its condition must hold.
    Check,
}

impl PreparedWrite {
    /// The same for a transaction, which cannot look where an item lies.
    ///
    /// # Errors
    /// When the item may lie under several keys.
    pub(crate) fn under_one_key(self) -> Result<PreparedWrite, WriteError> {
        if self.earlier.is_empty() {
            return Ok(self);
        }
        Err(lies_anywhere(self.entity))
    }

    /// The item is asked for where there is a condition that may not hold.
    pub(crate) fn on_failure(&self) -> Option<ReturnValuesOnConditionCheckFailure> {
        self.condition.is_some().then_some(ReturnValuesOnConditionCheckFailure::AllOld)
    }
}

/// The one key of an item that is written in a transaction, which cannot look where it lies.
///
/// # Errors
/// When the item may lie under several keys.
pub(crate) fn only_key(keys: ItemKeys, entity: &'static str) -> Result<KeyAttributes, WriteError> {
    if keys.earlier.is_empty() { Ok(keys.now) } else { Err(lies_anywhere(entity)) }
}

fn lies_anywhere(entity: &'static str) -> WriteError {
    let reason = "its design lists earlier numbers of shards, and a transaction cannot look where an item lies: write it alone, \
                  or first put what lies under earlier numbers anew, and take them from the list";
    WriteError::value(entity, reason)
}
