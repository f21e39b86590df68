//! BatchGetItem: any number of items by their whole keys.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemFluentBuilder;
use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};
use keywright_key::declare::{NamesItem, ReadItems, Table};
use keywright_key::{Components, Consistency};

use super::budget::{BatchBudget, BatchProgress, Settings};
use super::error::{BatchError, BatchItemError, Fate, LeftMember, Unfinished};
use super::member::{BatchMember, places};
use super::queue::{ChunkLimits, Queue};
use super::run::run;
use super::wire::{REQUEST_BYTES, member_bytes};
use crate::error::ServiceError;
use crate::expression::Placeholders;
use crate::item::{Attributes, Decoded, Decoder, ItemKey};
use crate::query::projection;
use crate::retry::CountedAs;
use crate::store::Shared;
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::trace;

/// The members of one BatchGetItem. What is beyond 16 MB of its answer comes back, and is asked for again.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
const LIMITS: ChunkLimits = ChunkLimits { members: 100, bytes: REQUEST_BYTES };

/// Items that are about to be read by their whole keys: any number.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
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
    keys: Vec<(Attributes, ItemKey)>,
    /// The first key that cannot be written.
    problem: Option<BatchError>,
    settings: Settings<'p>,
    pattern: PhantomData<fn() -> Pattern>,
}

/// What a batch read.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
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

/// What was found at a key.
type Found<Item> = Result<Option<Stored<Item>>, BatchItemError>;

/// What answers said so far.
struct Answers<Item> {
    /// For each key; nothing where none said anything yet.
    found: Vec<Option<Found<Item>>>,
    units: f64,
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
        let shared = self.tenant.shared();
        let mut queue = Queue::new(self.wire_bytes(), self.settings.budget);
        let chunks = std::iter::from_fn(|| queue.take(LIMITS));
        Ok(chunks
            .map(|chunk| {
                let positions: Vec<usize> = chunk.members.iter().map(|member| member.position).collect();
                match self.request(shared, &positions).as_input().clone().build() {
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
        let settings = std::mem::take(&mut self.settings);
        let (shared, places) = (self.tenant.shared(), self.check()?);
        let answers = Mutex::new(Answers { found: self.keys.iter().map(|_| None).collect(), units: 0.0 });
        let send = async |positions: Vec<usize>| {
            let answer = self.request(shared, &positions).send().await.map_err(ServiceError::new)?;
            let units = answer
                .consumed_capacity
                .iter()
                .flatten()
                .filter_map(|consumed| consumed.capacity_units)
                .sum::<f64>();
            let place = |key: &Attributes| Some(*places.get(&ItemKey::of(&TableType::SHAPE, key)?)?);
            let unprocessed = answer.unprocessed_keys.unwrap_or_default();
            let keys = unprocessed.values().flat_map(KeysAndAttributes::keys);
            // Where a key came back that was not sent, nobody knows what was read.
            let Some(left) = keys.map(place).collect::<Option<Vec<usize>>>() else { return Ok(positions) };
            let items: Vec<Attributes> =
                answer.responses.unwrap_or_default().into_values().flatten().collect();
            let found = self.decode(shared, items, place, units);
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.units += units;
            for position in positions.iter().filter(|position| !left.contains(position)) {
                // Neither in the answer nor left: it is not there.
                if let Some(slot) = answers.found.get_mut(*position) {
                    *slot = Some(Ok(None));
                }
            }
            for (position, item) in found {
                if let Some(slot) = answers.found.get_mut(position) {
                    *slot = Some(item);
                }
            }
            Ok(left)
        };
        let span = trace::batch(shared, "get", self.keys.len());
        let counted_as = |_: usize| CountedAs::Read(Pattern::SHAPE.name);
        let queue = run(shared, settings, LIMITS, span, self.wire_bytes(), counted_as, send).await;
        let answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        let items = answers.found.into_iter().enumerate();
        let items = items
            .map(|(position, item)| item.unwrap_or_else(|| Err(BatchItemError::Left(self.name(position)))))
            .collect();
        let calls = queue.calls;
        let unfinished = (!queue.left.is_empty()).then(|| self.unfinished(queue));
        Ok(BatchRead { items, calls, read_units: answers.units, unfinished })
    }

    /// The items of one answer, each at its place.
    fn decode(
        &self,
        shared: &Shared,
        items: Vec<Attributes>,
        place: impl Fn(&Attributes) -> Option<usize>,
        units: f64,
    ) -> Vec<(usize, Found<Pattern::Item>)> {
        let decoder = Decoder::<TableType>::new(shared, self.tenant.identity()).of_pattern(&Pattern::SHAPE);
        let items_read = items.len() as u64;
        let found: Vec<_> = items
            .into_iter()
            .filter_map(|item| {
                let position = place(&item)?;
                let decoded = decoder.decode(item, |name, source| Pattern::read(name, source));
                Some((position, decoded.map(Decoded::live).map_err(BatchItemError::Item)))
            })
            .collect();
        let items_given = found.iter().filter(|(_, item)| matches!(item, Ok(Some(_)))).count() as u64;
        shared.counters.read(Pattern::SHAPE.name, |usage| {
            usage.requests += 1;
            usage.units += units;
            usage.items_read += items_read;
            usage.items_given += items_given;
        });
        found
    }

    fn request(&self, shared: &Shared, positions: &[usize]) -> BatchGetItemFluentBuilder {
        let shape = Pattern::SHAPE;
        let mut placeholders = Placeholders::default();
        let projection = projection(&TableType::SHAPE, &shape, &mut placeholders);
        let consistent = (shape.consistency == Consistency::Strong).then_some(true);
        let keys = positions.iter().filter_map(|position| self.keys.get(*position));
        let keys = KeysAndAttributes::builder()
            .set_keys(Some(keys.map(|(key, _)| key.clone()).collect()))
            .set_projection_expression(projection)
            .set_expression_attribute_names(placeholders.take_names())
            .set_consistent_read(consistent);
        match keys.build() {
            Ok(keys) => shared
                .calls
                .batch_get_item()
                .request_items(&shared.table_name, keys)
                .return_consumed_capacity(ReturnConsumedCapacity::Total),
            Err(_) => unreachable!("it has keys"),
        }
    }

    fn wire_bytes(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().map(|(key, _)| member_bytes(key))
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<HashMap<&ItemKey, usize>, BatchError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let keys = self.keys.iter().map(|(_, key)| key);
        places(keys, |position| self.name(position))
    }

    fn name(&self, position: usize) -> BatchMember {
        let keys_in_errors = self.tenant.shared().keys_in_errors;
        match self.keys.get(position) {
            Some((_, key)) => BatchMember::new(position, Pattern::SHAPE.name, key.text(keys_in_errors)),
            None => unreachable!("places are those of keys"),
        }
    }

    fn unfinished(&self, queue: Queue) -> Unfinished {
        let left = queue.left.iter().map(|left| LeftMember {
            member: self.name(left.position),
            // Reading changes nothing.
            fate: Fate::NoEffect,
        });
        Unfinished {
            done: queue.done,
            calls: queue.calls,
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
        let mut keys = Vec::new();
        let mut problem = None;
        for (position, pattern) in patterns.into_iter().enumerate() {
            let key = match self.named_key(&pattern) {
                Ok(key) => key,
                Err(error) => {
                    let member = BatchMember::new(position, Pattern::SHAPE.name, None);
                    problem.get_or_insert(BatchError::Member { member, source: Box::new(error.into()) });
                    continue;
                }
            };
            match ItemKey::of(&TableType::SHAPE, &key) {
                Some(item_key) => keys.push((key, item_key)),
                None => unreachable!("a rendered key is whole, and of texts"),
            }
        }
        BatchGet { tenant: self.clone(), keys, problem, settings: Settings::default(), pattern: PhantomData }
    }
}

impl<Pattern: ReadItems> fmt::Debug for BatchGet<'_, Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchGet")
            .field("pattern", &Pattern::SHAPE.name)
            .field("keys", &self.keys.len())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
