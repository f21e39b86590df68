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
    pub const fn budget(mut self, budget: BatchBudget) -> BatchStreamWrite<'p, TableType, Changes> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchStreamWrite<'p, TableType, Changes> {
        self.settings.in_flight = calls;
        self
    }

    /// How many members are in memory at most; a thousand by default. A member is taken from the stream only while it is less than so many
    /// behind the oldest that is not written.
    pub const fn window(mut self, members: NonZeroUsize) -> BatchStreamWrite<'p, TableType, Changes> {
        self.window = members;
        self
    }

    /// Tells how far it is, after every call.
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
