//! The condition of a write, decided on the item as the group's earlier requests left it.

use keywright_api::{Error, ReturnValuesOnConditionCheckFailure};
use keywright_expression::Condition;
use keywright_item::StoredItem;

/// What must hold of an item before it is written.
#[derive(Debug)]
pub(crate) struct WriteCondition {
    pub(crate) condition: Option<Condition>,
    pub(crate) on_failure: ReturnValuesOnConditionCheckFailure,
}

impl WriteCondition {
    /// Refuses the write when the condition does not hold of the item, or of its absence.
    pub(crate) fn check(&self, before: Option<&StoredItem>) -> Result<(), Error> {
        let holds = match &self.condition {
            Some(condition) => condition.holds(before.map(StoredItem::as_ref)),
            None => true,
        };
        if holds {
            return Ok(());
        }
        let item = match self.on_failure {
            ReturnValuesOnConditionCheckFailure::None => None,
            ReturnValuesOnConditionCheckFailure::AllOld => before.cloned(),
        };
        Err(Error::ConditionalCheckFailed { item })
    }
}
