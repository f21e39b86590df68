//! A stream of items that are asked for by their whole keys, and a stream of what is found.

use std::fmt;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::StreamExt;
use futures_util::stream::Fuse;
use keywright_key::Components;
use keywright_key::declare::{NamesItem, ReadItems, Table};

use super::asked::{Asked, Found, LIMITS, read};
use super::budget::{BatchBudget, BatchProgress, Settings};
use super::call::Taken;
use super::error::BatchItemError;
use super::member::BatchMember;
use super::pipeline::{Course, Pipeline, Sender, Sent, State};
use super::stream::WINDOW;
use crate::tenant::Tenant;

/// A stream of items that are about to be read by their whole keys: it is a [`Stream`] of what is found, in the same order.
///
/// For each pattern it gives the item, none if it is not there or its time is over, or why that is not known. It reads ahead, a window of
/// them and no more, so that whoever is slow to take results makes it slow to take patterns. One that is asked for twice is read twice.
/// After a call that is refused as wrong or not allowed, and when its budget is used up, it gives an error for everything that it has
/// taken, and ends.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use futures_util::{StreamExt, stream};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(7, "Analysts")).send().await?;
///
/// let mut teams = acme.batch_get_stream(stream::iter((0..1000).map(|team_id| TeamById { team_id })));
/// let mut names = Vec::new();
/// while let Some(team) = teams.next().await {
///     names.extend(team?.map(|team| team.name.clone()));
/// }
/// assert_eq!(names, ["Analysts"]);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before the stream is polled"]
pub struct BatchStreamGet<Pattern: ReadItems, Patterns> {
    tenant: Tenant<Pattern::Table>,
    patterns: Pin<Box<Fuse<Patterns>>>,
    window: NonZeroUsize,
    settings: Settings<'static>,
    /// From the first poll on.
    pipeline: Option<Pipeline<Pattern::Table, Asked, Found<Pattern::Item>>>,
    /// Asked for while the same was under way: it is taken when that is finished.
    held: Option<Asked>,
    has_ended: bool,
}

/// Nothing in it is pinned: the patterns are in a box.
impl<Pattern: ReadItems, Patterns> Unpin for BatchStreamGet<Pattern, Patterns> {}

impl<TableType, Pattern, Patterns> BatchStreamGet<Pattern, Patterns>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components + 'static,
    Pattern::Item: Send,
    Patterns: Stream<Item = Pattern>,
{
    /// How long each item is tried. By default as [`BatchBudget::default`] says.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchGetItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    ///
    /// use futures_util::{StreamExt, stream};
    /// use keywright::{BatchBudget, BatchItemError};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchGetItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// let mut teams = acme.batch_get_stream(stream::iter([TeamById { team_id: 1 }])).budget(once);
    /// // Whether there is such a team is not known.
    /// assert!(matches!(teams.next().await, Some(Err(BatchItemError::Left(_)))));
    /// assert!(teams.next().await.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub const fn budget(mut self, budget: BatchBudget) -> BatchStreamGet<Pattern, Patterns> {
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
    /// use futures_util::{StreamExt, stream};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(250, "Analysts")).send().await?;
    /// let teams = stream::iter((1..=250).map(|team_id| TeamById { team_id }));
    /// // One call after the other, for a table that others need now.
    /// let found: Vec<_> = acme.batch_get_stream(teams).calls_in_flight(NonZeroUsize::MIN).collect().await;
    /// assert_eq!(found.len(), 250);
    /// assert!(matches!(found.last(), Some(Ok(Some(team))) if team.name == "Analysts"));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchStreamGet<Pattern, Patterns> {
        self.settings.in_flight = calls;
        self
    }

    /// How many items it reads ahead at most; a thousand by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::cell::Cell;
    /// use std::num::NonZeroUsize;
    ///
    /// use futures_util::{StreamExt, stream};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let taken = Cell::new(0);
    /// let ids = stream::iter(1..=1000).inspect(|_| taken.set(taken.get() + 1));
    /// let ten = NonZeroUsize::MIN.saturating_add(9);
    /// let mut teams = acme.batch_get_stream(ids.map(|team_id| TeamById { team_id })).window(ten);
    /// teams.next().await.ok_or("there are a thousand")??;
    /// assert!(taken.get() <= 10, "it reads ten ahead, and took {}", taken.get());
    /// # Ok(())
    /// # }
    /// ```
    pub const fn window(mut self, items: NonZeroUsize) -> BatchStreamGet<Pattern, Patterns> {
        self.window = items;
        self
    }

    /// Tells how far it is, after every call: of the patterns that were taken from the stream so far.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use futures_util::{StreamExt, stream};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let calls = Arc::new(AtomicU64::new(0));
    /// let told = Arc::clone(&calls);
    /// let teams = acme.batch_get_stream(stream::iter((1..=250).map(|team_id| TeamById { team_id })));
    /// let teams = teams.on_progress(move |progress| told.store(progress.calls, Ordering::Relaxed));
    /// assert_eq!(teams.count().await, 250);
    /// assert_eq!(calls.load(Ordering::Relaxed), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(
        mut self,
        tell: impl FnMut(BatchProgress) + Send + 'static,
    ) -> BatchStreamGet<Pattern, Patterns> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    fn new_pipeline(&self) -> Pipeline<TableType, Asked, Found<Pattern::Item>> {
        let course = Course {
            budget: self.settings.budget,
            in_flight: self.settings.in_flight.get(),
            window: self.window.get(),
            limits: LIMITS,
        };
        Pipeline::new(self.tenant.clone(), course, sender::<TableType, Pattern>(&self.tenant))
    }
}

impl<TableType, Pattern, Patterns> Stream for BatchStreamGet<Pattern, Patterns>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components + 'static,
    Pattern::Item: Send,
    Patterns: Stream<Item = Pattern>,
{
    type Item = Found<Pattern::Item>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let mut pipeline = this.pipeline.take().unwrap_or_else(|| this.new_pipeline());
        let given = loop {
            if let Some((position, asked, state)) = pipeline.pop() {
                let keys_in_errors = this.tenant.shared().keys_in_errors;
                break match (state, asked) {
                    (State::Finished(found), _) => Poll::Ready(Some(found)),
                    (State::Left(_) | State::UnderWay, Some(asked)) => {
                        let member = asked.name(position, keys_in_errors);
                        Poll::Ready(Some(Err(BatchItemError::Left(member))))
                    }
                    (State::Left(_) | State::UnderWay, None) => {
                        unreachable!("what was not sent is finished when it is taken")
                    }
                };
            }
            if let Some(held) = this.held.take_if(|held| !pipeline.is_under_way(held.key())) {
                if pipeline.is_ended() {
                    let member = held.name(pipeline.next_position(), this.tenant.shared().keys_in_errors);
                    pipeline.push_finished(Err(BatchItemError::Left(member)));
                    continue;
                }
                pipeline.push(held);
            }
            if !this.has_ended && this.held.is_none() && pipeline.has_room() {
                match this.patterns.as_mut().poll_next(context) {
                    Poll::Ready(Some(pattern)) => {
                        this.held = take(&mut pipeline, &this.tenant, &pattern);
                        continue;
                    }
                    Poll::Ready(None) => this.has_ended = true,
                    Poll::Pending => {}
                }
            }
            if pipeline.is_empty() {
                // Room there is, unless the service refused or the time is over.
                let is_over = this.has_ended || !pipeline.has_room();
                break if is_over { Poll::Ready(None) } else { Poll::Pending };
            }
            if pipeline.poll_call(context).is_pending() {
                break Poll::Pending;
            }
            if let Some(tell) = &this.settings.on_progress {
                tell.lock().unwrap_or_else(PoisonError::into_inner)(pipeline.progress());
            }
        };
        this.pipeline = Some(pipeline);
        given
    }
}

/// Takes one more pattern; gives it back if the same item is under way, since one call does not ask twice for one key.
fn take<TableType, Pattern>(
    pipeline: &mut Pipeline<TableType, Asked, Found<Pattern::Item>>,
    tenant: &Tenant<TableType>,
    pattern: &Pattern,
) -> Option<Asked>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components + 'static,
    Pattern::Item: Send,
{
    match Asked::of(tenant, pattern) {
        Ok(asked) if pipeline.is_under_way(asked.key()) => Some(asked),
        Ok(asked) => {
            pipeline.push(asked);
            None
        }
        Err(error) => {
            let member = BatchMember::new(pipeline.next_position(), Pattern::SHAPE.name, None);
            pipeline.push_finished(Err(BatchItemError::Key(member, Box::new(error))));
            None
        }
    }
}

fn sender<TableType, Pattern>(tenant: &Tenant<TableType>) -> Sender<Asked, Found<Pattern::Item>>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components + 'static,
    Pattern::Item: Send,
{
    let tenant = tenant.clone();
    Box::new(move |asked: Vec<(usize, Arc<Asked>)>| {
        let tenant = tenant.clone();
        Box::pin(async move {
            let items = asked.iter().map(|(position, asked)| (*position, &**asked)).collect();
            let answer = read::<TableType, Pattern>(&tenant, items, &Taken::default()).await?;
            Ok(Sent { finished: answer.found, left: answer.left })
        })
    })
}

impl<TableType: Table> Tenant<TableType> {
    /// The items that a stream of patterns names, as a stream, of any length.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_util::{StreamExt, stream};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.batch_put(&[team(1, "Analysts"), team(2, "Testers")]).send().await?;
    /// // In the order in which they are asked for, and as often.
    /// let asked = stream::iter([2, 1, 2, 9]).map(|team_id| TeamById { team_id });
    /// let mut teams = acme.batch_get_stream(asked);
    /// let mut names = Vec::new();
    /// while let Some(team) = teams.next().await {
    ///     names.push(team?.map_or("none".to_owned(), |team| team.name.clone()));
    /// }
    /// assert_eq!(names, ["Testers", "Analysts", "Testers", "none"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_get_stream<Pattern, Patterns>(&self, patterns: Patterns) -> BatchStreamGet<Pattern, Patterns>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Patterns: Stream<Item = Pattern>,
    {
        BatchStreamGet {
            tenant: self.clone(),
            patterns: Box::pin(patterns.fuse()),
            window: WINDOW,
            settings: Settings::default(),
            pipeline: None,
            held: None,
            has_ended: false,
        }
    }
}

impl<Pattern: ReadItems, Patterns> fmt::Debug for BatchStreamGet<Pattern, Patterns> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchStreamGet")
            .field("pattern", &Pattern::SHAPE.name)
            .field("window", &self.window)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
