//! BatchGetItem: any number of items by their whole keys.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use keywright_key::Components;
use keywright_key::declare::{NamesItem, ReadItems, Table};

use super::asked::{Asked, LIMITS, read, request};
use super::budget::{BatchBudget, BatchProgress, Settings};
use super::call::Taken;
use super::error::{BatchError, BatchItemError, Fate, LeftMember, Unfinished};
use super::member::{BatchMember, check_keys};
use super::queue::Queue;
use super::run::run;
use crate::retry::CountedAs;
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::trace;

/// Items that are about to be read by their whole keys: any number.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(7, "Analysts")).send().await?;
///
/// let read = acme.batch_get((0..150).map(|team_id| TeamById { team_id })).send().await?;
/// let teams = read.into_items()?; // one for each key, in their order; none for a team that is not there
/// assert_eq!(teams.len(), 150);
/// assert_eq!(teams[7].as_ref().map(|team| team.name.as_str()), Some("Analysts"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before it is sent"]
pub struct BatchGet<'p, Pattern: ReadItems> {
    tenant: Tenant<Pattern::Table>,
    asked: Vec<Asked>,
    /// The first key that cannot be written.
    problem: Option<BatchError>,
    settings: Settings<'p>,
    pattern: PhantomData<fn() -> Pattern>,
}

/// What a batch read.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(2, "Analysts")).send().await?;
/// let read = acme.batch_get((1..=3).map(|team_id| TeamById { team_id })).send().await?;
/// assert!(read.unfinished().is_none());
/// assert_eq!((read.items.len(), read.calls), (3, 1));
/// let teams = read.into_items()?;
/// assert_eq!(teams.iter().flatten().count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct BatchRead<Item> {
    /// For each key, in the order in which they were given: the item, none if it is not there or its time is over, or why that is not
    /// known.
    pub items: Vec<Result<Option<Stored<Item>>, BatchItemError>>,
    /// How many calls it took.
    pub calls: u64,
    /// The read units that it took, as far as answers said so.
    pub read_units: f64,
    unfinished: Option<Unfinished>,
}

impl<Item> BatchRead<Item> {
    /// What is left after the last try, if something is.
    #[must_use]
    pub const fn unfinished(&self) -> Option<&Unfinished> {
        self.unfinished.as_ref()
    }

    /// For each key the item, or none if it is not there.
    ///
    /// # Errors
    /// [`BatchError::Unfinished`] if something was not read, else [`BatchError::Item`] for the first item that is not what it should be.
    pub fn into_items(self) -> Result<Vec<Option<Stored<Item>>>, BatchError> {
        if let Some(unfinished) = self.unfinished {
            return Err(BatchError::Unfinished(unfinished));
        }
        self.items
            .into_iter()
            .map(|item| {
                item.map_err(|error| match error {
                    BatchItemError::Item(error) => BatchError::Item(error),
                    BatchItemError::Left(_) => unreachable!("nothing is left"),
                    BatchItemError::Key(..) => unreachable!("keys are looked at before anything is sent"),
                })
            })
            .collect()
    }
}

impl<'p, TableType, Pattern> BatchGet<'p, Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    /// How long it is tried. By default as [`BatchBudget::default`] says.
    pub const fn budget(mut self, budget: BatchBudget) -> BatchGet<'p, Pattern> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchGet<'p, Pattern> {
        self.settings.in_flight = calls;
        self
    }

    /// Tells how far it is, after every call.
    pub fn on_progress(mut self, tell: impl FnMut(BatchProgress) + Send + 'p) -> BatchGet<'p, Pattern> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// The requests that would be sent first, for a look at them: what comes back is sent again, in others.
    ///
    /// # Errors
    /// [`BatchError`] when nothing would be sent.
    pub fn requests(&self) -> Result<Vec<BatchGetItemInput>, BatchError> {
        self.check()?;
        let mut queue = Queue::new(self.wire_bytes(), self.settings.budget);
        let chunks = std::iter::from_fn(|| queue.take(LIMITS));
        Ok(chunks
            .map(|chunk| {
                let asked = chunk.members.iter().filter_map(|member| self.asked.get(member.position));
                let keys = asked.map(|asked| asked.now().clone()).collect();
                match request::<TableType, Pattern>(self.tenant.shared(), keys).as_input().clone().build() {
                    Ok(input) => input,
                    Err(_) => unreachable!("`request` gives what BatchGetItem needs"),
                }
            })
            .collect())
    }

    /// Reads everything, as far as it can be had: what is left after the last try is an error in its place.
    ///
    /// # Errors
    /// [`BatchError`] when nothing was sent.
    pub async fn send(mut self) -> Result<BatchRead<Pattern::Item>, BatchError> {
        self.check()?;
        let settings = std::mem::take(&mut self.settings);
        let mut found = Vec::new();
        found.resize_with(self.asked.len(), || None);
        let (found, taken) = (Mutex::new(found), Taken::default());
        let send = async |positions: Vec<usize>| {
            let asked = positions.iter();
            let asked = asked.filter_map(|position| Some((*position, self.asked.get(*position)?))).collect();
            let answer = read::<TableType, Pattern>(&self.tenant, asked, &taken).await?;
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            for (position, item) in answer.found {
                if let Some(slot) = found.get_mut(position) {
                    *slot = Some(item);
                }
            }
            Ok(answer.left)
        };
        let shared = self.tenant.shared();
        let span = trace::batch(shared, "get", self.asked.len());
        let counted_as = |_: usize| CountedAs::Read(Pattern::SHAPE.name);
        let queue = run(shared, settings, LIMITS, span, self.wire_bytes(), counted_as, send).await;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let items = found.into_iter().enumerate();
        let items = items
            .map(|(position, item)| item.unwrap_or_else(|| Err(BatchItemError::Left(self.name(position)))))
            .collect();
        let (more_calls, read_units) = taken.so_far();
        let calls = queue.calls + more_calls;
        let unfinished = (!queue.left.is_empty()).then(|| self.unfinished(queue, calls));
        Ok(BatchRead { items, calls, read_units, unfinished })
    }

    fn wire_bytes(&self) -> impl Iterator<Item = usize> {
        self.asked.iter().map(Asked::wire_bytes)
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<(), BatchError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        check_keys(self.asked.iter().map(Asked::key), |position| self.name(position))
    }

    fn name(&self, position: usize) -> BatchMember {
        match self.asked.get(position) {
            Some(asked) => asked.name(position, self.tenant.shared().keys_in_errors),
            None => unreachable!("places are those of keys"),
        }
    }

    fn unfinished(&self, queue: Queue, calls: u64) -> Unfinished {
        let left = queue.left.iter().map(|left| LeftMember {
            member: self.name(left.position),
            // Reading changes nothing.
            fate: Fate::NoEffect,
        });
        Unfinished {
            done: queue.done,
            calls,
            reason: queue.reason(),
            left: left.collect(),
            source: queue.last_error,
        }
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// The items that these patterns name, any number.
    ///
    /// Patterns whose key does not hold the tenant can be among what is read; what they find of other tenants is an error in its place.
    pub fn batch_get<'p, Pattern>(&self, patterns: impl IntoIterator<Item = Pattern>) -> BatchGet<'p, Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let (mut asked, mut problem) = (Vec::new(), None);
        for (position, pattern) in patterns.into_iter().enumerate() {
            match Asked::of(self, &pattern) {
                Ok(item) => asked.push(item),
                Err(error) => {
                    let member = BatchMember::new(position, Pattern::SHAPE.name, None);
                    problem.get_or_insert(BatchError::Member { member, source: Box::new(error.into()) });
                }
            }
        }
        BatchGet { tenant: self.clone(), asked, problem, settings: Settings::default(), pattern: PhantomData }
    }
}

impl<Pattern: ReadItems> fmt::Debug for BatchGet<'_, Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchGet")
            .field("pattern", &Pattern::SHAPE.name)
            .field("keys", &self.asked.len())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
