//! Why a transaction had no effect, by action.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use keywright_key::declare::{Entity, Table};
use serde::de::DeserializeOwned;

use super::action::ActionOf;
use super::error::TransactionError;
use super::name::ActionName;
use super::token::TransactionToken;
use crate::error::{ItemError, WriteError};
use crate::item::{Attributes, Decoder};
use crate::store::Shared;
use crate::stored::Stored;
use crate::tenant::Identity;

/// How many actions a message names; [`Canceled::to_blame`] has all.
const NAMED_IN_MESSAGE: usize = 3;

/// A transaction that had no effect, and why, by action.
#[derive(Clone)]
pub struct Canceled {
    pub(super) token: TransactionToken,
    /// Of every action, in their order.
    pub(super) actions: Vec<CanceledAction>,
}

/// What the service said of one action.
#[derive(Clone)]
pub(super) struct CanceledAction {
    pub(super) name: ActionName,
    pub(super) shared: Arc<Shared>,
    pub(super) identity: Arc<Identity>,
    pub(super) cause: Option<Cause>,
    /// The service's word for it.
    pub(super) code: String,
    /// The item that is there, where a condition did not hold.
    pub(super) item: Option<Attributes>,
}

/// Why an action could not have effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Its condition did not hold.
    ConditionFailed,
    /// Another transaction or write was under way on its item, at the last of several tries.
    Conflict,
    /// Capacity, a quota or a hot key, at the last of several tries.
    Throttled,
    /// It does not fit its item: an update adds to what is no number, or the item or its collection would be too large.
    Refused,
}

/// Why an action could not have effect, with the item that is there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason<Item> {
    /// Nothing was wrong with this one.
    None,
    /// Its condition did not hold.
    ConditionFailed {
        /// The item that is there instead; none if there is none, if its time is over, or if it is somebody else's.
        current: Option<Stored<Item>>,
    },
    /// Another transaction or write was under way on its item, at the last of several tries.
    Conflict,
    /// Capacity, a quota or a hot key, at the last of several tries.
    Throttled,
    /// It does not fit its item.
    Refused {
        /// The service's word for it: `ItemCollectionSizeLimitExceeded`.
        code: String,
    },
}

/// Why the reason of an action cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasonError {
    /// It is an action of another transaction.
    AnotherTransaction,
    /// Its condition did not hold, and the item that is there is not what it should be.
    Current(ItemError),
}

impl Canceled {
    /// Whether the condition of the action at this place did not hold; then the item that is there, if there is one.
    pub(crate) fn failed(&self, position: usize) -> Option<Option<&Attributes>> {
        let canceled = self.actions.get(position)?;
        (canceled.cause == Some(Cause::ConditionFailed)).then_some(canceled.item.as_ref())
    }

    /// Why the action at this place could not have effect.
    pub(crate) fn cause(&self, position: usize) -> Option<Cause> {
        self.actions.get(position)?.cause
    }

    /// The error that an action at this place met.
    pub(crate) fn error(&self, position: usize, source: WriteError) -> Option<TransactionError> {
        let action = self.actions.get(position)?.name.clone();
        Some(TransactionError::Action { action, source: Box::new(source) })
    }

    /// Why this action could not have effect; [`Reason::None`] if another one is to blame alone.
    ///
    /// # Errors
    /// [`ReasonError`] if the item that is there does not decode, and for an action of another transaction.
    pub fn reason<TableType, EntityType>(
        &self,
        action: &ActionOf<TableType, EntityType>,
    ) -> Result<Reason<EntityType>, ReasonError>
    where
        TableType: Table,
        EntityType: Entity<TableType> + DeserializeOwned,
    {
        let position = action.position_in(self.token).ok_or(ReasonError::AnotherTransaction)?;
        let canceled = self.actions.get(position).ok_or(ReasonError::AnotherTransaction)?;
        Ok(match canceled.cause {
            None => Reason::None,
            Some(Cause::Conflict) => Reason::Conflict,
            Some(Cause::Throttled) => Reason::Throttled,
            Some(Cause::Refused) => Reason::Refused { code: canceled.code.clone() },
            Some(Cause::ConditionFailed) => {
                let decoder = Decoder::<TableType>::new(&canceled.shared, &canceled.identity);
                let current = decoder.current(&EntityType::SHAPE, canceled.item.clone());
                Reason::ConditionFailed {
                    current: current.map_err(|error| match error {
                        WriteError::Current(error) => ReasonError::Current(error),
                        _ => unreachable!("`current` gives no other error"),
                    })?,
                }
            }
        })
    }

    /// The actions that could not have effect, and why, in their order. All others could have had.
    pub fn to_blame(&self) -> impl Iterator<Item = (&ActionName, Cause)> {
        self.actions.iter().filter_map(|action| Some((&action.name, action.cause?)))
    }

    /// Whether the same transaction may have effect later though nothing changes: conflicts and throttles are all that was in its way.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.to_blame().all(|(_, cause)| matches!(cause, Cause::Conflict | Cause::Throttled))
    }

    /// Its token.
    #[must_use]
    pub const fn token(&self) -> TransactionToken {
        self.token
    }
}

impl Cause {
    /// What a code of the service means; none for an action that is not to blame.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors>
    pub(super) fn of(code: &str) -> Option<Cause> {
        match code {
            "None" | "" => None,
            "ConditionalCheckFailed" => Some(Cause::ConditionFailed),
            "TransactionConflict" => Some(Cause::Conflict),
            "ProvisionedThroughputExceeded" | "ThrottlingError" => Some(Cause::Throttled),
            _ => Some(Cause::Refused),
        }
    }
}

impl fmt::Display for Canceled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the transaction was canceled, and nothing was written: ")?;
        for (place, (action, cause)) in self.to_blame().take(NAMED_IN_MESSAGE).enumerate() {
            let separator = if place == 0 { "" } else { "; " };
            write!(formatter, "{separator}{action}: {cause}")?;
        }
        match self.to_blame().count().checked_sub(NAMED_IN_MESSAGE) {
            None | Some(0) => Ok(()),
            Some(more) => write!(formatter, "; and {more} more"),
        }
    }
}

impl fmt::Debug for Canceled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The items in it may be somebody else's.
        let causes: Vec<_> = self.actions.iter().map(|action| (&action.name, action.cause)).collect();
        formatter.debug_struct("Canceled").field("actions", &causes).finish_non_exhaustive()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Cause::ConditionFailed => "its condition did not hold",
            Cause::Conflict => "another write was under way on its item",
            Cause::Throttled => "it was throttled",
            Cause::Refused => "it does not fit its item",
        })
    }
}

impl fmt::Display for ReasonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReasonError::AnotherTransaction => {
                formatter.write_str("this action is of another transaction than the one that was canceled")
            }
            ReasonError::Current(error) => write!(formatter, "nothing was written: {error}"),
        }
    }
}

impl Error for Canceled {}

impl Error for ReasonError {}
