//! One write, tried until it is known what became of it.
//!
//! A try is one of three things. It had no effect (throttled, refused): it may be made again. It had effect. Or nobody knows: then the
//! stored item is asked, by the write's id, and if that does not tell, the caller is told so. A write is made again unasked only where a
//! second effect is impossible or the caller said that it is harmless: else it could take the place of what somebody else wrote since.

use std::error::Error;
use std::future::Future;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use super::write_id::WriteId;
use crate::error::{ServiceError, ServiceProblem, WriteError};
use crate::item::{Attributes, KeyAttributes};
use crate::retry::{self, CountedAs, Deadline, Tries};
use crate::store::{Capability, Shared};
use crate::trace;

/// What became of a write.
#[derive(Debug)]
pub(crate) enum Attempt<Output> {
    /// It had effect, and this is the answer.
    Done(Output),
    /// It had effect, and this is the answer; an earlier try, whose answer was lost, may have had it, too.
    DoneAgain(Output),
    /// It had effect by a try whose answer was lost: the item as that try left it, or none where none was to be left.
    Landed(Option<Attributes>),
    /// Its condition did not hold; the item that is there.
    Failed(Option<Attributes>),
}

/// What an answer holds that a write makes use of.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) write_units: Option<f64>,
    /// The item, before or after the write as was asked for.
    pub(crate) item: Option<Attributes>,
}

/// What a write is known to have done that gives back what was there before.
#[derive(Debug)]
pub(crate) struct Effect {
    pub(crate) write_units: Option<f64>,
    pub(crate) told: Told,
}

/// What an answer told of the item before the write.
#[derive(Debug)]
pub(crate) enum Told {
    /// This, or that there was none.
    Item(Option<Attributes>),
    /// Nothing that could be relied on: an answer was lost.
    Lost,
}

impl<Output> Attempt<Output> {
    /// The same of what `other` makes of an answer.
    pub(crate) fn map<Other>(self, other: impl FnOnce(Output) -> Other) -> Attempt<Other> {
        match self {
            Attempt::Done(output) => Attempt::Done(other(output)),
            Attempt::DoneAgain(output) => Attempt::DoneAgain(other(output)),
            Attempt::Landed(item) => Attempt::Landed(item),
            Attempt::Failed(item) => Attempt::Failed(item),
        }
    }
}

impl Attempt<Answer> {
    /// What it did, or the item that is there where its condition did not hold.
    pub(crate) fn effect(self) -> Result<Effect, Option<Attributes>> {
        match self {
            Attempt::Done(answer) => {
                Ok(Effect { write_units: answer.write_units, told: Told::Item(answer.item) })
            }
            Attempt::DoneAgain(answer) => Ok(Effect { write_units: answer.write_units, told: Told::Lost }),
            Attempt::Landed(_) => Ok(Effect { write_units: None, told: Told::Lost }),
            Attempt::Failed(current) => Err(current),
        }
    }
}

/// Whether a try whose answer was lost may be made again unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// A second effect is impossible, since the first ends the state that is asked for.
    Impossible,
    /// The caller said that a second effect does no harm.
    Harmless,
    /// A second effect would add to the first, or take the place of what somebody else wrote since.
    Harmful,
}

/// What a write leaves behind, by which it can be recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// An item with the write's id.
    Item,
    /// No item, whoever deleted it.
    Absence,
    /// No item, and whether this write deleted it is asked.
    Nothing,
}

/// What is written where, for the question what became of it.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) key: &'a KeyAttributes,
    pub(crate) write_id: &'a WriteId,
    pub(crate) entity: &'static str,
    pub(crate) leaves: Leaves,
    pub(crate) deadline: Deadline,
}

/// An error that may say that a condition did not hold.
pub(crate) trait ConditionFailure {
    /// The item that is there, if that is what happened.
    fn failed(&self) -> Option<Option<Attributes>>;
}

macro_rules! condition_failure {
    ($($error:ident),+) => {$(
        impl ConditionFailure for $error {
            fn failed(&self) -> Option<Option<Attributes>> {
                match self {
                    $error::ConditionalCheckFailedException(failure) => Some(failure.item().cloned()),
                    _ => None,
                }
            }
        }
    )+};
}

condition_failure!(PutItemError, UpdateItemError, DeleteItemError);

impl Target<'_> {
    /// Makes the write.
    ///
    /// # Errors
    /// When it had no effect, and when nobody can tell.
    pub(crate) async fn attempt<Output, Failure, Sent>(
        &self,
        repeat: Repeat,
        mut send: impl FnMut() -> Sent,
    ) -> Result<Attempt<Output>, WriteError>
    where
        Sent: Future<Output = Result<Output, SdkError<Failure, HttpResponse>>>,
        Failure: ConditionFailure + ProvideErrorMetadata + Error + Send + Sync + 'static,
    {
        let mut attempts = 0;
        let sent = || {
            attempts += 1;
            send()
        };
        let result = self.until_known(repeat, sent).await;
        let outcome = match &result {
            Ok(Attempt::Done(_) | Attempt::DoneAgain(_)) => "done",
            Ok(Attempt::Landed(_)) => "done, by a try whose answer was lost",
            Ok(Attempt::Failed(_)) => "the condition did not hold",
            Err(WriteError::Unknown { .. }) => "unknown",
            Err(_) => "not done",
        };
        trace::record_outcome(attempts, outcome);
        result
    }

    async fn until_known<Output, Failure, Sent>(
        &self,
        repeat: Repeat,
        mut send: impl FnMut() -> Sent,
    ) -> Result<Attempt<Output>, WriteError>
    where
        Sent: Future<Output = Result<Output, SdkError<Failure, HttpResponse>>>,
        Failure: ConditionFailure + ProvideErrorMetadata + Error + Send + Sync + 'static,
    {
        let mut tries = Tries::begin(self.shared, CountedAs::Write(self.entity), self.deadline);
        let mut lost: Option<ServiceError> = None;
        loop {
            let error = match send().await {
                Ok(output) => {
                    tries.answered();
                    return Ok(match (&lost, repeat) {
                        (Some(_), Repeat::Harmless) => Attempt::DoneAgain(output),
                        _ => Attempt::Done(output),
                    });
                }
                Err(error) => error,
            };
            if let Some(current) = error.as_service_error().and_then(ConditionFailure::failed) {
                tries.answered();
                // An answer, though it says nothing of units.
                self.count(None, None);
                let current = match self.shared.capabilities.items_of_failed_conditions {
                    Capability::Present => current,
                    Capability::Absent => match self.read().await {
                        Ok(current) => current,
                        // This try had no effect; what an earlier one had is as unknown as before.
                        Err(error) => {
                            return Err(lost.map_or_else(|| error.into(), |lost| self.unknown(lost)));
                        }
                    },
                };
                return self.judge(current, lost);
            }
            let error = ServiceError::new(error).about(self.entity).of_item(self.shared, self.key);
            tries.failed(&error);
            match error.problem() {
                ServiceProblem::Throttled | ServiceProblem::Conflict => {
                    if tries.wait().await {
                        continue;
                    }
                }
                ServiceProblem::Unanswered => {
                    lost = Some(error.clone());
                    if repeat != Repeat::Harmful && tries.wait().await {
                        continue;
                    }
                }
                ServiceProblem::Refused | ServiceProblem::Denied => {}
            }
            return match lost {
                None => Err(error.into()),
                Some(lost) => self.ask(lost).await,
            };
        }
    }

    /// What a condition that did not hold means: after a lost answer it may be the write's own effect that is in the way.
    fn judge<Output>(
        &self,
        current: Option<Attributes>,
        lost: Option<ServiceError>,
    ) -> Result<Attempt<Output>, WriteError> {
        match (current, lost) {
            (Some(current), _) if self.is_ours(&current) => Ok(Attempt::Landed(Some(current))),
            (current, None) => Ok(Attempt::Failed(current)),
            (_, Some(source)) => Err(self.unknown(source)),
        }
    }

    /// Counts what an answer says that the write took.
    pub(crate) fn count(&self, units: Option<f64>, put_bytes: Option<usize>) {
        trace::record_units(units);
        self.shared.count_key(self.key, units.unwrap_or(0.0));
        self.shared.counters.write(self.entity, |usage| {
            usage.requests += 1;
            usage.units += units.unwrap_or(0.0);
            if let Some(put_bytes) = put_bytes {
                usage.put(put_bytes as u64);
            }
        });
    }

    /// Asks the stored item.
    async fn ask<Output>(&self, source: ServiceError) -> Result<Attempt<Output>, WriteError> {
        if self.leaves == Leaves::Nothing {
            return Err(self.unknown(source));
        }
        match self.read_in_time().await {
            Some(Some(item)) if self.is_ours(&item) => Ok(Attempt::Landed(Some(item))),
            Some(None) if self.leaves == Leaves::Absence => Ok(Attempt::Landed(None)),
            Some(_) | None => Err(self.unknown(source)),
        }
    }

    /// The item as it is stored now.
    async fn read(&self) -> Result<Option<Attributes>, ServiceError> {
        stored_item(self.shared, self.entity, self.key, self.deadline).await
    }

    /// The same for whoever asks what became of a write: nothing if it is too late to ask, or nobody answers.
    pub(crate) async fn read_in_time(&self) -> Option<Option<Attributes>> {
        if self.deadline.is_over(self.shared) {
            return None;
        }
        self.read().await.ok()
    }

    pub(crate) fn is_ours(&self, item: &Attributes) -> bool {
        self.leaves == Leaves::Item && self.write_id.is_in(item)
    }

    fn unknown(&self, source: ServiceError) -> WriteError {
        let key = self.shared.key_in_errors(self.key);
        WriteError::Unknown { entity: self.entity, key, write_id: self.write_id.clone(), source }
    }
}

/// An item as it is stored now, for a write that needs to know.
pub(crate) async fn stored_item(
    shared: &Shared,
    entity: &'static str,
    key: &KeyAttributes,
    deadline: Deadline,
) -> Result<Option<Attributes>, ServiceError> {
    let request = shared
        .calls
        .get_item()
        .table_name(&shared.table_name)
        .set_key(Some(key.clone()))
        .consistent_read(true)
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let send = || request.clone().send();
    let read = retry::read(shared, CountedAs::Write(entity), deadline, send).await;
    let output = read.map_err(|error| error.of_item(shared, key))?;
    let units = output.consumed_capacity.and_then(|units| units.capacity_units).unwrap_or(0.0);
    shared.count_key(key, units);
    shared.counters.write(entity, |usage| {
        usage.lookups += 1;
        usage.lookup_units += units;
    });
    Ok(output.item)
}
