//! One write with everything that its request needs, whether it is sent alone or with others.

use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use crate::expression::Placeholders;
use crate::item::{Attributes, KeyAttributes};
use crate::write::WriteMark;

/// A write of one item, or a check of it.
#[derive(Clone, Debug)]
pub(crate) struct PreparedWrite {
    /// The entity.
    pub(crate) entity: &'static str,
    /// The whole key.
    pub(crate) key: KeyAttributes,
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
    /// The item is asked for where there is a condition that may not hold.
    pub(crate) fn on_failure(&self) -> Option<ReturnValuesOnConditionCheckFailure> {
        self.condition.is_some().then_some(ReturnValuesOnConditionCheckFailure::AllOld)
    }
}
