//! One transaction, tried until it is known what became of it.
//!
//! Every try has the same token, so a try after a lost answer never has a second effect: the service says that it is done, or does it
//! now. A cancellation by a condition after a lost answer therefore says that no try had effect. A conflict says nothing of an earlier
//! try, which may be what is in the way.

use std::sync::Arc;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::{TransactWriteItemsError, TransactWriteItemsOutput};
use aws_sdk_dynamodb::types::CancellationReason;

use super::Transaction;
use super::action::TransactedAction;
use super::canceled::{Canceled, CanceledAction, Cause};
use super::committed::{Committed, Transacted};
use super::error::TransactionError;
use crate::error::{ServiceError, ServiceProblem};
use crate::item::Attributes;
use crate::retry::{CountedAs, Deadline, Tries};
use crate::store::Capability;
use crate::trace;
use crate::write::{Change, WriteId, stored_item};

/// The codes of the service that are about the token.
const IN_PROGRESS: &str = "TransactionInProgressException";
const MISMATCH: &str = "IdempotentParameterMismatchException";

impl Transaction {
    pub(super) async fn until_known(&self, deadline: Deadline) -> Result<Transacted, TransactionError> {
        let mut sent = 0;
        let result = self.tried(&mut sent, deadline).await;
        let outcome = match &result {
            Ok(Transacted::Done(committed)) if committed.write_units.is_none() => {
                "done, by a try whose answer was lost"
            }
            Ok(Transacted::Done(_)) => "done",
            Ok(Transacted::Canceled(_)) => "canceled",
            Err(TransactionError::Unknown { .. }) => "unknown",
            Err(_) => "not done",
        };
        trace::record_outcome(sent, outcome);
        result
    }

    async fn tried(&self, sent: &mut u64, deadline: Deadline) -> Result<Transacted, TransactionError> {
        let mut tries = Tries::begin(&self.shared, self.counted_as(), deadline);
        let mut lost: Option<ServiceError> = None;
        loop {
            *sent += 1;
            let error = match self.builder().send().await {
                Ok(output) => {
                    tries.answered();
                    return Ok(Transacted::Done(self.committed(output)));
                }
                Err(error) => error,
            };
            let canceled = self.reasons(&error).map(|reasons| self.canceled(reasons));
            let error = ServiceError::new(error);
            tries.failed(&error);
            match (error.problem(), &canceled) {
                (ServiceProblem::Throttled | ServiceProblem::Conflict, _) => {
                    if error.code() == Some(IN_PROGRESS) {
                        // An earlier try is under way, of this send or of another with its token.
                        lost.get_or_insert_with(|| error.clone());
                    }
                    if self.may_go_on(&mut tries).await {
                        continue;
                    }
                }
                (ServiceProblem::Unanswered, _) => {
                    lost = Some(error.clone());
                    if self.may_go_on(&mut tries).await {
                        continue;
                    }
                }
                // An answer, though it says nothing of units.
                (_, Some(canceled)) => {
                    tries.answered();
                    self.count(0.0);
                    return Ok(Transacted::Canceled(self.with_items(canceled.clone(), deadline).await?));
                }
                (_, None) if error.code() == Some(MISMATCH) => {
                    return Err(TransactionError::TokenMismatch { token: self.token, source: error });
                }
                (ServiceProblem::Refused | ServiceProblem::Denied, None) => {}
            }
            return match (lost, canceled) {
                (Some(lost), _) => self.ask(lost, deadline).await,
                (None, Some(canceled)) => {
                    self.count(0.0);
                    Ok(Transacted::Canceled(canceled))
                }
                (None, None) => Err(error.into()),
            };
        }
    }

    /// Waits for the next try; whether there is one, while the service remembers the token.
    async fn may_go_on(&self, tries: &mut Tries<'_>) -> bool {
        tries.wait().await && !self.token.is_over(self.shared.clock.since_epoch())
    }

    /// Tries are counted for the first entity.
    fn counted_as(&self) -> CountedAs {
        CountedAs::Write(self.actions.first().map_or("", |action| action.write.entity))
    }

    /// What the service said of each action, if it canceled the transaction.
    fn reasons<'e, Raw>(
        &self,
        error: &'e SdkError<TransactWriteItemsError, Raw>,
    ) -> Option<&'e [CancellationReason]> {
        let TransactWriteItemsError::TransactionCanceledException(canceled) = error.as_service_error()?
        else {
            return None;
        };
        let reasons = canceled.cancellation_reasons();
        (reasons.len() == self.actions.len()).then_some(reasons)
    }

    fn canceled(&self, reasons: &[CancellationReason]) -> Canceled {
        let canceled = |(action, reason): (&TransactedAction, &CancellationReason)| {
            let code = reason.code().unwrap_or_default();
            CanceledAction {
                name: action.name.clone(),
                shared: Arc::clone(&action.shared),
                identity: Arc::clone(&action.identity),
                cause: Cause::of(code),
                code: code.to_owned(),
                item: reason.item().filter(|item| !item.is_empty()).cloned(),
            }
        };
        Canceled { token: self.token, actions: self.actions.iter().zip(reasons).map(canceled).collect() }
    }

    /// The items in the way, where the engine does not show them.
    async fn with_items(
        &self,
        mut canceled: Canceled,
        deadline: Deadline,
    ) -> Result<Canceled, TransactionError> {
        for (action, canceled) in self.actions.iter().zip(&mut canceled.actions) {
            let is_shown = action.shared.capabilities.items_of_failed_conditions == Capability::Present;
            if canceled.cause == Some(Cause::ConditionFailed) && !is_shown {
                canceled.item = stored(action, deadline).await?;
            }
        }
        Ok(canceled)
    }

    fn committed(&self, output: TransactWriteItemsOutput) -> Committed {
        // The answer to a transaction that had its effect before says what reading its items takes.
        let consumed = output.consumed_capacity.unwrap_or_default();
        let units: Vec<f64> = consumed.iter().filter_map(|table| table.write_capacity_units).collect();
        let write_units = (!units.is_empty()).then(|| units.iter().sum());
        trace::record_units(write_units);
        self.count(write_units.unwrap_or(0.0));
        self.with_units(write_units)
    }

    fn with_units(&self, write_units: Option<f64>) -> Committed {
        let write_ids = self.actions.iter().map(|action| left_by(action).cloned()).collect();
        Committed { token: self.token, write_units, write_ids }
    }

    /// Asks the items that the transaction leaves, one after the other, whether it wrote them: if it wrote one, all of it had effect. One that
    /// it did not write says nothing, since somebody may have written it since.
    async fn ask(&self, source: ServiceError, deadline: Deadline) -> Result<Transacted, TransactionError> {
        for (action, write_id) in self.actions.iter().filter_map(|action| Some((action, left_by(action)?))) {
            if deadline.is_over(&self.shared) {
                break;
            }
            match stored(action, deadline).await {
                Ok(Some(item)) if write_id.is_in(&item) => {
                    return Ok(Transacted::Done(self.with_units(None)));
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Err(TransactionError::Unknown { token: self.token, source })
    }

    /// Counts an answer, by entity and by key. Its units are shared out by size, since the service says them of a table as a whole.
    fn count(&self, units: f64) {
        let kilobytes = |action: &TransactedAction| match action.write.change {
            Change::Put { size_bytes, .. } => {
                f64::from(u32::try_from(size_bytes.div_ceil(1024)).unwrap_or(u32::MAX)).max(1.0)
            }
            Change::Update { .. } | Change::Delete | Change::Check => 1.0,
        };
        let all: f64 = self.actions.iter().map(kilobytes).sum();
        let mut counted: Vec<(*const u8, &str)> = Vec::new();
        for action in &self.actions {
            let entity = (Arc::as_ptr(&action.shared).cast(), action.write.entity);
            let is_first = !counted.contains(&entity);
            if is_first {
                counted.push(entity);
            }
            action.shared.count_key(&action.write.key, units * kilobytes(action) / all);
            action.shared.counters.write(action.write.entity, |usage| {
                usage.requests += u64::from(is_first);
                usage.units += units * kilobytes(action) / all;
                if let Change::Put { size_bytes, .. } = &action.write.change
                    && units > 0.0
                {
                    usage.put(*size_bytes as u64);
                }
            });
        }
    }
}

/// The id in the item that an action leaves.
fn left_by(action: &TransactedAction) -> Option<&WriteId> {
    match action.write.change {
        Change::Put { .. } | Change::Update { .. } => Some(&action.write.mark.write_id),
        Change::Delete | Change::Check => None,
    }
}

/// The item of an action as it is stored now.
async fn stored(action: &TransactedAction, deadline: Deadline) -> Result<Option<Attributes>, ServiceError> {
    stored_item(&action.shared, action.write.entity, &action.write.key, deadline).await
}
