//! A stream of puts and deletes: any number, of which a window is in memory.

use std::fmt;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use futures_core::Stream;
use futures_util::StreamExt;
use keywright_key::Components;
use keywright_key::declare::{
    Data, Deletable, Entity, KeyOfTenant, NamesItem, ReadItems, Table, Unreserved, WithinTenant,
};
use serde::Serialize;

use super::budget::{BatchBudget, BatchProgress, Settings};
use super::call::{LIMITS, Taken, write};
use super::change::Change;
use super::error::{BatchError, BatchStopped, LeftMember, Unfinished};
use super::member::BatchMember;
use super::pipeline::{Course, Pipeline, Sender, Sent, State};
use crate::error::WriteError;
use crate::tenant::Tenant;
use crate::trace;

/// A put or a delete in a stream: [`Tenant::batch_write_stream`]. It is rendered by the tenant whose stream it is in.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use futures_util::stream;
/// use keywright::BatchChange;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&member(1, "bob")).send().await?;
/// let changes: Vec<BatchChange<App>> = vec![
///     BatchChange::put(team(1, "Analysts")),
///     BatchChange::put(member(1, "ada")),
///     BatchChange::delete(MemberById { team_id: 1, user_id: "bob".to_owned() }),
/// ];
/// assert_eq!(acme.batch_write_stream(stream::iter(changes)).send().await?.items, 3);
/// # Ok(())
/// # }
/// ```
pub struct BatchChange<TableType> {
    make: Box<Make<TableType>>,
}

type Make<TableType> = dyn FnOnce(&Tenant<TableType>) -> Result<Change, (&'static str, WriteError)> + Send;

/// A stream of puts and deletes that is about to be written.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use futures_util::stream;
/// use keywright::BatchChange;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
///
/// // Rows as they come, of a file or a queue; a thousand of them are in memory at once.
/// let rows = stream::iter((0..5000).map(|number| BatchChange::put(member(1, &format!("user-{number}")))));
/// let written = acme.batch_write_stream(rows).send().await?;
/// assert_eq!((written.items, written.calls), (5000, 200));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written before it is sent"]
pub struct BatchStreamWrite<'p, TableType, Changes> {
    tenant: Tenant<TableType>,
    changes: Changes,
    window: NonZeroUsize,
    settings: Settings<'p>,
}

/// A stream of which everything is written.
///
/// ```
/// use keywright::BatchStreamWritten;
///
/// fn log(written: &BatchStreamWritten) {
///     println!("{} items in {} calls for {} units", written.items, written.calls, written.write_units);
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BatchStreamWritten {
    /// How many items were put or deleted.
    pub items: usize,
    /// How many calls that took.
    pub calls: u64,
    /// The write units that it took, as far as answers said so.
    pub write_units: f64,
}

/// How many members of a stream are in memory unless it is said.
pub(super) const WINDOW: NonZeroUsize = NonZeroUsize::MIN.saturating_add(999);

impl<TableType: Table> BatchChange<TableType> {
    /// A put of an entity.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::BatchChange;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.batch_write_stream(stream::iter([BatchChange::put(team(1, "Testers"))])).send().await?;
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!(team.name, "Testers"); // what had the key is replaced
    /// # Ok(())
    /// # }
    /// ```
    pub fn put<EntityType>(entity: EntityType) -> BatchChange<TableType>
    where
        EntityType: Data<TableType>
            + Unreserved<TableType>
            + KeyOfTenant<TableType>
            + Components
            + Serialize
            + Send
            + 'static,
    {
        let make = move |tenant: &Tenant<TableType>| {
            Change::put(tenant, &entity).map_err(|error| (EntityType::SHAPE.name, error))
        };
        BatchChange { make: Box::new(make) }
    }

    /// A delete of the item that a pattern names. That there is none is no error.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::BatchChange;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let gone = stream::iter((1..=3).map(|team_id| BatchChange::delete(TeamById { team_id })));
    /// assert_eq!(acme.batch_write_stream(gone).send().await?.items, 3); // two of them were not there
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete<Pattern>(pattern: Pattern) -> BatchChange<TableType>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + WithinTenant + Components + Send + 'static,
        Pattern::Entity: Deletable<TableType> + Unreserved<TableType>,
    {
        let make = move |tenant: &Tenant<TableType>| {
            Change::delete(tenant, &pattern).map_err(|error| (Pattern::Entity::SHAPE.name, error))
        };
        BatchChange { make: Box::new(make) }
    }
}

impl<'p, TableType, Changes> BatchStreamWrite<'p, TableType, Changes>
where
    TableType: Table + 'static,
    Changes: Stream<Item = BatchChange<TableType>>,
{
    /// How long each member is tried. By default as [`BatchBudget::default`] says.
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
    /// use futures_util::stream;
    /// use keywright::{BatchBudget, BatchChange, BatchError, UnfinishedReason};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchWriteItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams = stream::iter((1..=5).map(|number| BatchChange::put(team(number, "Imported"))));
    /// let twice = BatchBudget { tries: NonZeroU32::MIN.saturating_add(1), ..BatchBudget::default() };
    /// match acme.batch_write_stream(teams).budget(twice).send().await {
    ///     Err(BatchError::Unfinished(unfinished)) => assert_eq!(unfinished.reason(), UnfinishedReason::Tries),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub const fn budget(mut self, budget: BatchBudget) -> BatchStreamWrite<'p, TableType, Changes> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZeroUsize;
    ///
    /// use futures_util::stream;
    /// use keywright::BatchChange;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut done = Vec::new();
    /// let teams = stream::iter((1..=60).map(|number| BatchChange::put(team(number, "Imported"))));
    /// let writing = acme.batch_write_stream(teams).calls_in_flight(NonZeroUsize::MIN); // one after the other
    /// writing.on_progress(|progress| done.push(progress.done)).send().await?;
    /// assert_eq!(done, [25, 50, 60]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchStreamWrite<'p, TableType, Changes> {
        self.settings.in_flight = calls;
        self
    }

    /// How many members are in memory at most; a thousand by default. A member is taken from the stream only while it is less than so many
    /// behind the oldest that is not written.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZeroUsize;
    ///
    /// use futures_util::stream;
    /// use keywright::{BatchChange, BatchError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let renamed = || stream::iter([team(1, "Analysts"), team(1, "Testers")].map(BatchChange::put));
    /// // Two states of one team in one window: which of them would stay is not known.
    /// let sent = acme.batch_write_stream(renamed()).send().await;
    /// assert!(matches!(sent, Err(BatchError::Stopped(_))));
    /// // One at a time, the later one stays.
    /// let written = acme.batch_write_stream(renamed()).window(NonZeroUsize::MIN).send().await?;
    /// assert_eq!((written.items, written.calls), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn window(mut self, members: NonZeroUsize) -> BatchStreamWrite<'p, TableType, Changes> {
        self.window = members;
        self
    }

    /// Tells how far it is, after every call.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::BatchChange;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut told = None;
    /// let teams = stream::iter((1..=60).map(|number| BatchChange::put(team(number, "Imported"))));
    /// acme.batch_write_stream(teams).on_progress(|progress| told = Some(progress)).send().await?;
    /// let last = told.ok_or("it is told after every call")?;
    /// assert_eq!((last.done, last.total, last.calls, last.sent_again), (60, 60, 3, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(
        mut self,
        tell: impl FnMut(BatchProgress) + Send + 'p,
    ) -> BatchStreamWrite<'p, TableType, Changes> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// Writes everything that the stream gives, until it ends.
    ///
    /// It is left before its end when a member cannot be sent, when one has the key of another that is less than a window before it, and
    /// when something is left after its last try. What was taken before is then still written, as far as it can be. Two members with one
    /// key that are a window or more apart are written in their order: the later one stays.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::{BatchChange, BatchError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let rows = ["ada", "bob", ""].map(|user_id| BatchChange::put(member(1, user_id))); // the last one lacks its user
    /// match acme.batch_write_stream(stream::iter(rows)).send().await {
    ///     Err(BatchError::Stopped(stopped)) => assert_eq!(stopped.done(), 2), // what came before is written
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Stopped`] because of a member, [`BatchError::Unfinished`] with what is left.
    pub async fn send(self) -> Result<BatchStreamWritten, BatchError> {
        let BatchStreamWrite { tenant, changes, window, settings } = self;
        let taken = Arc::new(Taken::default());
        let course = Course {
            budget: settings.budget,
            in_flight: settings.in_flight.get(),
            window: window.get(),
            limits: LIMITS,
        };
        let mut pipeline = Pipeline::new(tenant.clone(), course, sender(&tenant, &taken));
        let span = trace::batch_stream(tenant.shared(), "write");
        let mut changes = pin!(changes.fuse());
        let mut outcome = Outcome::default();
        loop {
            while let Some((position, change, state)) = pipeline.pop() {
                if let (State::Left(fate), Some(change)) = (state, change) {
                    let member = change.name(position, tenant.shared().keys_in_errors);
                    outcome.left.push(LeftMember { member, fate });
                }
            }
            let takes_more = outcome.takes_more() && pipeline.has_room();
            if pipeline.is_empty() && !takes_more {
                break;
            }
            let next = poll_fn(|context| {
                if takes_more && let Poll::Ready(next) = changes.as_mut().poll_next(context) {
                    return Poll::Ready(Some(next));
                }
                if pipeline.is_empty() { Poll::Pending } else { pipeline.poll_call(context).map(|()| None) }
            });
            match next.await {
                Some(Some(change)) => outcome.take(&mut pipeline, &tenant, change),
                Some(None) => outcome.has_ended = true,
                None => {
                    if let Some(tell) = &settings.on_progress {
                        tell.lock().unwrap_or_else(PoisonError::into_inner)(pipeline.progress());
                    }
                }
            }
        }
        let (done, calls, reason, source) = pipeline.end();
        let (more_calls, write_units) = taken.so_far();
        let calls = calls + more_calls;
        trace::record_batch(&span, calls, done, outcome.left.len());
        let rest = Unfinished { done, left: outcome.left, calls, reason, source };
        match outcome.cause {
            Some(cause) => Err(BatchError::Stopped(Box::new(BatchStopped { cause: Box::new(cause), rest }))),
            None if !rest.left.is_empty() => Err(BatchError::Unfinished(rest)),
            None => Ok(BatchStreamWritten { items: done, calls, write_units }),
        }
    }
}

/// What became of a stream so far.
#[derive(Default)]
struct Outcome {
    has_ended: bool,
    /// Why it was left.
    cause: Option<BatchError>,
    left: Vec<LeftMember>,
}

impl Outcome {
    fn takes_more(&self) -> bool {
        !self.has_ended && self.cause.is_none() && self.left.is_empty()
    }

    /// Takes one more change, or the reason why the stream is left.
    fn take<TableType: Table + 'static>(
        &mut self,
        pipeline: &mut Pipeline<TableType, Change, ()>,
        tenant: &Tenant<TableType>,
        change: BatchChange<TableType>,
    ) {
        let position = pipeline.next_position();
        let keys_in_errors = tenant.shared().keys_in_errors;
        match (change.make)(tenant) {
            Err((entity, source)) => {
                let member = BatchMember::new(position, entity, None);
                self.cause = Some(BatchError::Member { member, source: Box::new(source) });
            }
            Ok(change) => match pipeline.close_by(change.key()) {
                Some(first) => {
                    // Both have one key, and it is named as this one's entity has it.
                    let second = change.name(position, keys_in_errors);
                    let first = change.name(first, keys_in_errors);
                    self.cause = Some(BatchError::Duplicates(vec![(first, second)]));
                }
                None => pipeline.push(change),
            },
        }
    }
}

fn sender<TableType: Table + 'static>(tenant: &Tenant<TableType>, taken: &Arc<Taken>) -> Sender<Change, ()> {
    let (tenant, taken) = (tenant.clone(), Arc::clone(taken));
    Box::new(move |changes| {
        let (tenant, taken) = (tenant.clone(), Arc::clone(&taken));
        Box::pin(async move {
            let asked: Vec<(usize, &Change)> =
                changes.iter().map(|(position, change)| (*position, &**change)).collect();
            let left = write::<TableType>(tenant.shared(), &asked, &taken).await?;
            let finished = asked.iter().map(|(position, _)| *position);
            let finished =
                finished.filter(|position| !left.places.contains(position)).map(|position| (position, ()));
            Ok(Sent { finished: finished.collect(), left })
        })
    })
}

impl<TableType: Table> Tenant<TableType> {
    /// A stream of puts and deletes of this tenant's entities, of any length.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::stream;
    /// use keywright::BatchChange;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let file = "1,Analysts\n2,Testers\n3,Writers";
    /// let rows = file.lines().filter_map(|line| line.split_once(','));
    /// let teams = rows.filter_map(|(number, name)| Some(team(number.parse().ok()?, name)));
    /// let written = acme.batch_write_stream(stream::iter(teams.map(BatchChange::put))).send().await?;
    /// assert_eq!((written.items, written.calls), (3, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_write_stream<'p, Changes>(
        &self,
        changes: Changes,
    ) -> BatchStreamWrite<'p, TableType, Changes>
    where
        Changes: Stream<Item = BatchChange<TableType>>,
    {
        BatchStreamWrite { tenant: self.clone(), changes, window: WINDOW, settings: Settings::default() }
    }
}

impl<TableType> fmt::Debug for BatchChange<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BatchChange(..)")
    }
}

impl<TableType, Changes> fmt::Debug for BatchStreamWrite<'_, TableType, Changes> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchStreamWrite")
            .field("window", &self.window)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
