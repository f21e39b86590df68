//! Why a batch was not carried out, or not to its end.

use std::error::Error;
use std::fmt;

use super::member::BatchMember;
use crate::error::{ItemError, KeyError, ServiceError, WriteError};

/// How many members a message names; the error itself holds all.
const NAMED_IN_MESSAGE: usize = 3;

/// Why a batch was not carried out, or not to its end.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::BatchError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let twice = acme.batch_write().put(&team(1, "Analysts")).put(&team(1, "Testers"));
/// match twice.send().await {
///     Err(BatchError::Duplicates(pairs)) => assert_eq!((pairs[0].0.position(), pairs[0].1.position()), (0, 1)),
///     Err(BatchError::Unfinished(left)) => println!("{} are left, and can be sent again", left.left().len()),
///     other => return Err(format!("{other:?}").into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// A member cannot be sent: its key cannot be written, it is another tenant's, or it is too large. Nothing was sent.
    Member {
        /// The first such member.
        member: BatchMember,
        /// Why.
        source: Box<WriteError>,
    },
    /// Members have one key. Nothing was sent: DynamoDB would refuse some of such batches and carry out others in any order.
    Duplicates(
        /// The first member with a key, and a later one with the same.
        Vec<(BatchMember, BatchMember)>,
    ),
    /// Something is left after the last try. The rest is done; of a stream, the rest of what was taken from it.
    Unfinished(Unfinished),
    /// A stream was left before its end because of one of its members. What was taken from it before is done, but for what is left.
    Stopped(Box<BatchStopped>),
    /// An item that was read is not what it should be.
    Item(ItemError),
}

/// What is left of a batch, and what is done of it.
///
/// ```
/// use keywright::{Fate, Unfinished};
///
/// fn report(unfinished: &Unfinished) {
///     println!("{} done in {} calls: {:?}", unfinished.done(), unfinished.calls(), unfinished.reason());
///     if let Some(error) = unfinished.service_error() {
///         println!("the service said last: {error}");
///     }
///     for left in unfinished.left() {
///         let may_be_written = left.fate == Fate::Unknown;
///         println!("{} is to be sent again; perhaps it is written: {may_be_written}", left.member);
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Unfinished {
    pub(super) done: usize,
    pub(super) left: Vec<LeftMember>,
    pub(super) calls: u64,
    pub(super) reason: UnfinishedReason,
    pub(super) source: Option<ServiceError>,
}

/// A stream that was left before its end because of one of its members.
///
/// ```
/// use keywright::BatchStopped;
///
/// fn log(stopped: &BatchStopped) {
///     println!("{}; {} are done", stopped.cause(), stopped.done());
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Debug)]
pub struct BatchStopped {
    /// [`BatchError::Member`] or [`BatchError::Duplicates`].
    pub(super) cause: Box<BatchError>,
    pub(super) rest: Unfinished,
}

/// A member that is left.
///
/// ```
/// /// Where in the batch that was sent the members are that are to be sent again.
/// fn again(left: &[keywright::LeftMember]) -> Vec<usize> {
///     left.iter().map(|left| left.member.position()).collect()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftMember {
    /// Which one.
    pub member: BatchMember,
    /// What is known of it.
    pub fate: Fate,
}

/// What is known of a member that is left.
///
/// ```
/// use keywright::Fate;
///
/// fn say(fate: Fate) -> &'static str {
///     match fate {
///         Fate::NoEffect => "nothing happened",
///         Fate::Unknown => "perhaps it is written: send it again, which twice is the same as once",
///     }
/// }
/// # assert_eq!(say(Fate::NoEffect), "nothing happened");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It had no effect.
    NoEffect,
    /// An answer was lost, so that it may have had its effect.
    Unknown,
}

/// Why a batch ended before it was finished.
///
/// ```
/// use keywright::UnfinishedReason;
///
/// /// Whether the rest can be sent later as it is.
/// fn is_worth_another_run(reason: UnfinishedReason) -> bool {
///     !matches!(reason, UnfinishedReason::Refused)
/// }
/// # assert!(is_worth_another_run(UnfinishedReason::Time));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnfinishedReason {
    /// Members were tried as often as the budget says.
    Tries,
    /// The budget's time is over.
    Time,
    /// The service refused a call as wrong or not allowed: nothing was sent after that.
    Refused,
}

/// Why a member of a read gave nothing.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::BatchItemError;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let read = acme.batch_get((1..=3).map(|team_id| TeamById { team_id })).send().await?;
/// for item in &read.items {
///     match item {
///         Ok(Some(team)) => println!("{}", team.name),
///         Ok(None) => println!("there is none"),
///         Err(BatchItemError::Left(member)) => println!("{member} was not read"),
///         Err(BatchItemError::Item(error)) => println!("{error}"),
///         Err(other) => println!("{other}"),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BatchItemError {
    /// The stored item is not what it should be, or not the tenant's.
    Item(ItemError),
    /// It was not read: it is left after the last try. Whether there is such an item is not known.
    Left(BatchMember),
    /// Its key cannot be written; only in a stream, since a batch is looked at before anything is sent.
    Key(BatchMember, Box<KeyError>),
}

impl BatchStopped {
    /// Why: [`BatchError::Member`] for a member that cannot be sent, [`BatchError::Duplicates`] for one whose key another member has that
    /// is less than a window before it. Neither it nor what comes after it in the stream was sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::{BatchChange, BatchError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(3, "Analysts") };
    /// let rows = [team(1, "Analysts"), team(2, "Testers"), theirs, team(4, "Writers")].map(BatchChange::put);
    /// let stopped = match acme.batch_write_stream(stream::iter(rows)).send().await {
    ///     Err(BatchError::Stopped(stopped)) => stopped,
    ///     other => return Err(format!("{other:?}").into()),
    /// };
    /// assert!(matches!(stopped.cause(), BatchError::Member { member, .. } if member.position() == 2));
    /// assert!(acme.get(TeamById { team_id: 4 }).await?.is_none()); // it came behind
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cause(&self) -> &BatchError {
        &self.cause
    }

    /// How many members are done.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::{BatchChange, BatchError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(3, "Analysts") };
    /// let rows = [team(1, "Analysts"), team(2, "Testers"), theirs]; // the third is another tenant's
    /// let sent = acme.batch_write_stream(stream::iter(rows.map(BatchChange::put))).send().await;
    /// let Err(BatchError::Stopped(stopped)) = sent else { return Err("the third cannot be sent".into()) };
    /// assert_eq!(stopped.done(), 2);
    /// assert!(acme.get(TeamById { team_id: 2 }).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn done(&self) -> usize {
        self.rest.done
    }

    /// What is left of those before it; mostly nothing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    ///
    /// use futures_util::stream;
    /// use keywright::{BatchBudget, BatchChange, BatchError};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// # let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(9, "Analysts") };
    /// # let rows = (1..=5).map(|number| team(number, "Imported")).chain([theirs]).map(BatchChange::put);
    /// // The service gives a row back, there are no more tries, and the sixth row is another tenant's.
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// match acme.batch_write_stream(stream::iter(rows)).budget(once).send().await {
    ///     Err(BatchError::Stopped(stopped)) => assert_eq!((stopped.done(), stopped.left().len()), (4, 1)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn left(&self) -> &[LeftMember] {
        &self.rest.left
    }

    /// How many calls were made.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # use futures_util::stream;
    /// # use keywright::{BatchChange, BatchError};
    /// # let theirs = Team { organization_id: OrganizationId("globex".to_owned()), ..team(61, "Analysts") };
    /// // Sixty rows, and one of another tenant.
    /// let rows = (1..=60).map(|number| team(number, "Imported")).chain([theirs]).map(BatchChange::put);
    /// match acme.batch_write_stream(stream::iter(rows)).send().await {
    ///     Err(BatchError::Stopped(stopped)) => assert_eq!((stopped.done(), stopped.calls()), (60, 3)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.rest.calls
    }
}

impl Unfinished {
    /// How many members are done.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{BatchBudget, BatchError};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=60).map(|number| team(number, "Imported")).collect();
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// match acme.batch_put(&teams).budget(once).send().await {
    ///     // Of each of three calls one team came back.
    ///     Err(BatchError::Unfinished(unfinished)) => assert_eq!(unfinished.done(), 57),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn done(&self) -> usize {
        self.done
    }

    /// What is left, in the order of the batch.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule, When};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{BatchBudget, BatchError};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchWriteItem).when(When::First(3));
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=60).map(|number| team(number, "Imported")).collect();
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// if let Err(BatchError::Unfinished(unfinished)) = acme.batch_put(&teams).budget(once).send().await {
    ///     let rest: Vec<&Team> = unfinished.left().iter().filter_map(|left| teams.get(left.member.position())).collect();
    ///     assert_eq!(rest.len(), 3);
    ///     acme.batch_put(rest).send().await?;
    /// }
    /// # assert_eq!(acme.batch_get((1..=60).map(|team_id| TeamById { team_id })).send().await?.into_items()?.iter().flatten().count(), 60);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn left(&self) -> &[LeftMember] {
        &self.left
    }

    /// How many calls were made.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{BatchBudget, BatchError};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams: Vec<Team> = (1..=50).map(|number| team(number, "Imported")).collect();
    /// let twice = BatchBudget { tries: NonZeroU32::MIN.saturating_add(1), ..BatchBudget::default() };
    /// match acme.batch_put(&teams).budget(twice).send().await {
    ///     // Everything is throttled: two calls, and each of them again.
    ///     Err(BatchError::Unfinished(unfinished)) => assert_eq!((unfinished.done(), unfinished.calls()), (0, 4)),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// Why it ended.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchWriteItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::time::Duration;
    ///
    /// use keywright::{BatchBudget, BatchError, UnfinishedReason};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// // Ten tries, but no time for a second one.
    /// let no_time = BatchBudget { overall: Duration::ZERO, ..BatchBudget::default() };
    /// match acme.batch_put(&[team(1, "Analysts")]).budget(no_time).send().await {
    ///     Err(BatchError::Unfinished(unfinished)) => assert_eq!(unfinished.reason(), UnfinishedReason::Time),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn reason(&self) -> UnfinishedReason {
        self.reason
    }

    /// What the service said last instead of a result; none if it only gave members back.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{BatchError, CursorKey, CursorKeys, Store, UnfinishedReason};
    /// # let store = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// // The name of a table that is not there.
    /// let store = Store::<App>::builder(store.client().clone(), keys).table_name("Apps").open_unchecked();
    /// # let acme = acme(&store)?;
    /// match acme.batch_put(&[team(1, "Analysts")]).send().await {
    ///     Err(BatchError::Unfinished(unfinished)) => {
    ///         let said = unfinished.service_error().and_then(|error| error.code());
    ///         assert_eq!((unfinished.reason(), said), (UnfinishedReason::Refused, Some("ResourceNotFoundException")));
    ///     }
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn service_error(&self) -> Option<&ServiceError> {
        self.source.as_ref()
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Member { member, source } => {
                write!(formatter, "nothing was sent: {member} cannot be sent: {source}")
            }
            BatchError::Duplicates(pairs) => {
                formatter.write_str("nothing was sent: members of the batch have one key: ")?;
                name_pairs(formatter, pairs)
            }
            BatchError::Unfinished(unfinished) => unfinished.fmt(formatter),
            BatchError::Stopped(stopped) => stopped.fmt(formatter),
            BatchError::Item(error) => error.fmt(formatter),
        }
    }
}

impl fmt::Display for BatchStopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the stream was left after {} members that are done", self.done())?;
        if !self.left().is_empty() {
            write!(formatter, " and {} that are left", self.left().len())?;
        }
        match &*self.cause {
            BatchError::Member { member, source } => write!(formatter, ": {member} cannot be sent: {source}"),
            BatchError::Duplicates(pairs) => {
                formatter.write_str(": members that are close to each other have one key: ")?;
                name_pairs(formatter, pairs)
            }
            cause => write!(formatter, ": {cause}"),
        }
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            UnfinishedReason::Tries => "all tries were made",
            UnfinishedReason::Time => "the time for it is over",
            UnfinishedReason::Refused => "the service refused a call",
        };
        write!(
            formatter,
            "{} of the batch are done and {} are left, because {why}",
            self.done,
            self.left.len()
        )?;
        if let Some(source) = &self.source {
            write!(formatter, " ({source})")?;
        }
        formatter.write_str("; left: ")?;
        for (place, left) in self.left.iter().take(NAMED_IN_MESSAGE).enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            write!(formatter, "{separator}{}", left.member)?;
        }
        more(formatter, self.left.len())
    }
}

fn name_pairs(formatter: &mut fmt::Formatter<'_>, pairs: &[(BatchMember, BatchMember)]) -> fmt::Result {
    for (place, (first, second)) in pairs.iter().take(NAMED_IN_MESSAGE).enumerate() {
        let separator = if place == 0 { "" } else { ", " };
        write!(formatter, "{separator}{first} and {second}")?;
    }
    more(formatter, pairs.len())
}

fn more(formatter: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    match count.checked_sub(NAMED_IN_MESSAGE) {
        None | Some(0) => Ok(()),
        Some(rest) => write!(formatter, " and {rest} more"),
    }
}

impl fmt::Display for BatchItemError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchItemError::Item(error) => error.fmt(formatter),
            BatchItemError::Left(member) => write!(formatter, "{member} was not read"),
            BatchItemError::Key(member, error) => write!(formatter, "{member} was not read: {error}"),
        }
    }
}

impl Error for BatchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BatchError::Member { source, .. } => source.source(),
            BatchError::Duplicates(_) => None,
            BatchError::Unfinished(unfinished) => unfinished.source(),
            BatchError::Stopped(stopped) => stopped.cause.source(),
            BatchError::Item(error) => error.source(),
        }
    }
}

impl Error for Unfinished {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().and_then(Error::source)
    }
}

impl Error for BatchItemError {}
