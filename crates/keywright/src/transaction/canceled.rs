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
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Canceled;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let mut join = acme.transaction();
/// join.add(acme.check(TeamById { team_id: 1 }).if_present());
/// join.add(acme.put(&member(1, "ada")));
/// let canceled: Canceled = join.send().await?.canceled().ok_or("there is no team")?;
/// let message = "the transaction was canceled, and nothing was written: the check of `Team` at position 0";
/// assert!(canceled.to_string().starts_with(message), "{canceled}"); // for a log; it is an error, too
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Cause;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let mut join = acme.transaction();
/// join.add(acme.check(TeamById { team_id: 1 }).if_present());
/// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
/// // The status of the answer to a client.
/// let status = |cause: Cause| if matches!(cause, Cause::Conflict | Cause::Throttled) { 503 } else { 409 };
/// assert_eq!(canceled.to_blame().map(|(_, cause)| status(cause)).max(), Some(409));
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::Reason;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let mut found = acme.transaction();
/// let insert = found.add(acme.put(&team(1, "Testers")).if_absent());
/// let canceled = found.send().await?.canceled().ok_or("the number is taken")?;
/// match canceled.reason(&insert)? {
///     Reason::ConditionFailed { current: Some(team) } => assert_eq!(team.name, "Analysts"),
///     Reason::ConditionFailed { current: None } => println!("taken, by what may not be shown"),
///     Reason::Conflict | Reason::Throttled => println!("a little later, perhaps"),
///     other => println!("{other:?}"),
/// }
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ReasonError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let insert = acme.transaction().add(acme.put(&team(1, "Analysts")).if_absent());
///
/// let mut join = acme.transaction();
/// join.add(acme.check(TeamById { team_id: 1 }).if_present());
/// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
/// // Both are the first action, and of a team; but not of one transaction.
/// assert_eq!(canceled.reason(&insert), Err(ReasonError::AnotherTransaction));
/// # Ok(())
/// # }
/// ```
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
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Reason;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 8, ..member(1, "ada") }).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///
    /// let mut found = acme.transaction();
    /// let spend = found.add(acme.update(ada, Spend { points: 10 }).when(&HasPoints { least: 10 }));
    /// let insert = found.add(acme.put(&team(2, "Testers")).if_absent());
    /// let canceled = found.send().await?.canceled().ok_or("she has 8 points")?;
    /// assert!(matches!(canceled.reason(&spend)?, Reason::ConditionFailed { current: Some(ada) } if ada.points == 8));
    /// assert_eq!(canceled.reason(&insert)?, Reason::None); // it would have had effect
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::Cause;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut leave = acme.transaction();
    /// for user_id in ["ada", "bob"] {
    ///     leave.add(acme.delete(MemberById { team_id: 1, user_id: user_id.to_owned() }).if_present());
    ///     leave.add(acme.put(&member(2, user_id)));
    /// }
    /// let canceled = leave.send().await?.canceled().ok_or("they are no members")?;
    /// let to_blame: Vec<(usize, Cause)> = canceled.to_blame().map(|(action, cause)| (action.position(), cause)).collect();
    /// assert_eq!(to_blame, [(0, Cause::ConditionFailed), (2, Cause::ConditionFailed)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_blame(&self) -> impl Iterator<Item = (&ActionName, Cause)> {
        self.actions.iter().filter_map(|action| Some((&action.name, action.cause?)))
    }

    /// The reservations that another item has, by the names of their entities:
    /// [`Transaction::add_unique`](crate::Transaction::add_unique).
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let ada = User { handle: Some("countess".to_owned()), ..user("ada", "ada@example.org") };
    /// assert!(acme.insert_unique(&ada).send().await?.is_done());
    ///
    /// let mut invite = acme.transaction();
    /// invite.add_unique(acme.insert_unique(&User { user_id: "eve".to_owned(), ..ada }));
    /// invite.add_unique(acme.insert_unique(&user("bob", "bob@example.org")));
    /// let canceled = invite.send().await?.canceled().ok_or("ada has both")?;
    /// assert_eq!(canceled.taken(), ["UserEmail", "UserHandle"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn taken(&self) -> Vec<&'static str> {
        self.to_blame()
            .filter(|(action, cause)| *cause == Cause::ConditionFailed && action.takes_reservation())
            .map(|(action, _)| action.entity())
            .collect()
    }

    /// The item in the way of the action at a position.
    pub(crate) fn item(&self, position: usize) -> Option<&Attributes> {
        self.actions.get(position).and_then(|action| action.item.as_ref())
    }

    /// Whether the same transaction may have effect later though nothing changes: conflicts and throttles are all that was in its way.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{Capabilities, CursorKey, CursorKeys, Store};
    /// # use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
    /// # use keywright_embedded::engine::{Engine, Options};
    /// # let rule = Rule::new(Fault::TransactionConflict).when(When::First(3));
    /// # let rule = rule.operation(keywright_api::Operation::TransactWriteItems);
    /// # let engine = Engine::open(Options::memory().faults(Faults::new(7).rule(rule)?))?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let builder = Store::<App>::builder(keywright_embedded::client(&engine), keys).capabilities(Capabilities::EMBEDDED);
    /// # builder.create_table().await?;
    /// # let store = builder.open().await?;
    /// # let acme = acme(&store)?;
    /// let award = || {
    ///     let mut award = acme.transaction();
    ///     award.add(acme.update(MemberById { team_id: 1, user_id: "ada".to_owned() }, Award { points: 5 }));
    ///     award.send()
    /// };
    /// // Her item is being written by others, at all three tries.
    /// assert!(award().await?.canceled().ok_or("of three tries, none had effect")?.is_passing());
    /// // She is no member, and will not be one a moment later.
    /// assert!(!award().await?.canceled().ok_or("there is no ada")?.is_passing());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.to_blame().all(|(_, cause)| matches!(cause, Cause::Conflict | Cause::Throttled))
    }

    /// Its token.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// join.add(acme.put(&member(1, "ada")));
    /// let token = join.token();
    /// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
    /// assert_eq!(canceled.token(), token); // so that a log can say which message it was
    /// # Ok(())
    /// # }
    /// ```
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
