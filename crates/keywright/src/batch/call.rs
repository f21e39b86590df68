//! One call's worth of changes.
//!
//! It is one BatchWriteItem, unless a design lists earlier numbers of shards. Then an item may lie under several keys, and a put goes
//! where it lies: BatchGetItem looks under the earlier keys first. A delete goes to all of them. Either is done when all of its requests
//! are, and is made again as a whole, which is as harmless as the first time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemFluentBuilder;
use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity, WriteRequest};
use keywright_key::Consistency;
use keywright_key::declare::Table;

use super::change::{Change, count, delete_request};
use super::queue::{CameBack, ChunkLimits, WhyBack};
use super::wire::{REQUEST_BYTES, is_full, member_bytes};
use crate::error::ServiceError;
use crate::item::{ItemKey, KeyAttributes, WRITE_ID_ATTRIBUTE};
use crate::store::Shared;

/// The members of one BatchWriteItem.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>
pub(super) const LIMITS: ChunkLimits = ChunkLimits { members: 25, bytes: REQUEST_BYTES };
/// The keys of one BatchGetItem.
const KEYS_OF_A_READ: usize = 100;

/// What the calls of a batch took beyond one for each chunk, and in units.
#[derive(Debug, Default)]
pub(super) struct Taken(Mutex<(u64, f64)>);

impl Taken {
    pub(super) fn add(&self, more_calls: u64, units: f64) {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.0 += more_calls;
        taken.1 += units;
    }

    /// The calls and the units.
    pub(super) fn so_far(&self) -> (u64, f64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request, and the place of the change that it is of.
struct Request {
    position: usize,
    key: ItemKey,
    wire_bytes: usize,
    request: WriteRequest,
}

/// How many of these, from the first on, are one call: they may be more than the changes that they come of.
fn of_one_call(requests: &[Request]) -> usize {
    let mut bytes = 0_usize;
    let fitting = requests.iter().take(LIMITS.members).take_while(|request| {
        bytes = bytes.saturating_add(request.wire_bytes);
        bytes <= LIMITS.bytes
    });
    fitting.count().max(1)
}

/// Writes these changes, each with its place; gives those that came back.
pub(super) async fn write<TableType: Table>(
    shared: &Shared,
    changes: &[(usize, &Change)],
    taken: &Taken,
) -> Result<CameBack, ServiceError> {
    let mut left = CameBack::nothing();
    let requests = requests::<TableType>(shared, changes, taken, &mut left).await?;
    let mut rest = requests.as_slice();
    let mut calls = 0_u64;
    while let Some((chunk, after)) = rest.split_at_checked(of_one_call(rest)) {
        rest = after;
        let sent = chunk.iter().map(|request| request.request.clone()).collect();
        let answer = request(shared, sent).send().await.map_err(ServiceError::new)?;
        let consumed = answer.consumed_capacity.iter().flatten();
        let units = consumed.filter_map(|consumed| consumed.capacity_units).sum::<f64>();
        taken.add(u64::from(calls > 0), units);
        calls += 1;
        for request in chunk {
            // The service says units of the call as a whole.
            let key = shared.counters.hash(&[request.key.partition_key()]);
            shared.counters.key(None, key, units / chunk.len() as f64);
        }
        let unprocessed: Vec<WriteRequest> =
            answer.unprocessed_items.unwrap_or_default().into_values().flatten().collect();
        let places: HashMap<&ItemKey, usize> =
            chunk.iter().map(|request| (&request.key, request.position)).collect();
        let came_back = came_back::<TableType>(&unprocessed, &places)
            // Something came back that was not sent: nobody knows what was processed.
            .unwrap_or_else(|| chunk.iter().map(|request| request.position).collect());
        let processed: BTreeSet<usize> = chunk
            .iter()
            .map(|request| request.position)
            .filter(|position| !came_back.contains(position))
            .collect();
        let of_call = changes.iter().filter(|(position, _)| processed.contains(position));
        count(shared, of_call.map(|(_, change)| *change), units);
        left.add(came_back, WhyBack::NoThroughput);
    }
    Ok(left)
}

/// A call with these requests.
pub(super) fn request(shared: &Shared, requests: Vec<WriteRequest>) -> BatchWriteItemFluentBuilder {
    shared
        .calls
        .batch_write_item()
        .request_items(&shared.table_name, requests)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
}

/// The places of what came back; none if something came back that was not sent.
fn came_back<TableType: Table>(
    unprocessed: &[WriteRequest],
    places: &HashMap<&ItemKey, usize>,
) -> Option<Vec<usize>> {
    let key = |request: &WriteRequest| {
        let put = request.put_request().and_then(|put| ItemKey::of(&TableType::SHAPE, put.item()));
        put.or_else(|| {
            request.delete_request().and_then(|delete| ItemKey::of(&TableType::SHAPE, delete.key()))
        })
    };
    unprocessed.iter().map(|request| places.get(&key(request)?).copied()).collect()
}

/// What the changes are as requests; those that cannot be known yet are `left`.
async fn requests<TableType: Table>(
    shared: &Shared,
    changes: &[(usize, &Change)],
    taken: &Taken,
    left: &mut CameBack,
) -> Result<Vec<Request>, ServiceError> {
    let may_lie_elsewhere =
        || changes.iter().filter(|(_, change)| change.is_put() && !change.earlier.is_empty());
    let keys: Vec<(&Change, &KeyAttributes)> = may_lie_elsewhere()
        .flat_map(|(_, change)| change.earlier.iter().map(move |key| (*change, key)))
        .collect();
    let earlier = stored::<TableType>(shared, &keys, taken).await?;
    let has = |found: &Stored, key: &KeyAttributes| found.keys.contains(&ItemKey::rendered::<TableType>(key));
    let nows: Vec<(&Change, KeyAttributes)> = may_lie_elsewhere()
        .filter(|(_, change)| change.earlier.iter().any(|key| has(&earlier, key)))
        .map(|(_, change)| (*change, change.key().attributes::<TableType>()))
        .collect();
    let keys: Vec<(&Change, &KeyAttributes)> = nows.iter().map(|(change, key)| (*change, key)).collect();
    let now = stored::<TableType>(shared, &keys, taken).await?;

    let mut requests = Vec::with_capacity(changes.len());
    for (position, change) in changes {
        let mut add = |key: ItemKey, wire_bytes, request| {
            requests.push(Request { position: *position, key, wire_bytes, request });
        };
        if !change.is_put() {
            for key in &change.earlier {
                add(ItemKey::rendered::<TableType>(key), member_bytes(key), change.request_under(key));
            }
            add(change.key().clone(), change.wire_bytes(), change.request());
            continue;
        }
        let is_unknown = |key: &KeyAttributes| earlier.unknown.contains(&ItemKey::rendered::<TableType>(key));
        if change.earlier.iter().any(is_unknown) || now.unknown.contains(change.key()) {
            let why =
                if earlier.is_full && now.is_full { WhyBack::AnswerIsFull } else { WhyBack::NoThroughput };
            left.add(vec![*position], why);
            continue;
        }
        let mut copies = change.earlier.iter().filter(|key| has(&earlier, key));
        if now.keys.contains(change.key()) {
            add(change.key().clone(), change.wire_bytes(), change.request());
        } else {
            match copies.next() {
                Some(place) => {
                    add(
                        ItemKey::rendered::<TableType>(place),
                        change.wire_bytes(),
                        change.request_under(place),
                    );
                }
                None => add(change.key().clone(), change.wire_bytes(), change.request()),
            }
        }
        for copy in copies {
            add(ItemKey::rendered::<TableType>(copy), member_bytes(copy), delete_request(copy.clone()));
        }
    }
    Ok(requests)
}

/// Which of some keys have an item.
struct Stored {
    keys: HashSet<ItemKey>,
    /// The keys that came back, so that nobody knows.
    unknown: HashSet<ItemKey>,
    /// Whether each answer in which some came back was as large as answers are.
    is_full: bool,
}

/// Which of these keys have an item.
async fn stored<TableType: Table>(
    shared: &Shared,
    keys: &[(&Change, &KeyAttributes)],
    taken: &Taken,
) -> Result<Stored, ServiceError> {
    let mut found = Stored { keys: HashSet::new(), unknown: HashSet::new(), is_full: true };
    for chunk in keys.chunks(KEYS_OF_A_READ) {
        let table = TableType::SHAPE;
        // Of the item only its key is wanted, and of a key it is told by its presence.
        let names = std::iter::once(table.partition_key.name).chain(table.sort_key.map(|key| key.name));
        let placeholders: Vec<(String, String)> = names
            .chain([WRITE_ID_ATTRIBUTE])
            .enumerate()
            .map(|(place, name)| (format!("#p{place}"), name.to_owned()))
            .collect();
        let projection: Vec<&str> =
            placeholders.iter().map(|(placeholder, _)| placeholder.as_str()).collect();
        let asked = KeysAndAttributes::builder()
            .set_keys(Some(chunk.iter().map(|(_, key)| (*key).clone()).collect()))
            .projection_expression(projection.join(", "))
            .set_expression_attribute_names(Some(placeholders.iter().cloned().collect()))
            .consistent_read(true);
        let Ok(asked) = asked.build() else { unreachable!("it has keys") };
        let read = shared.calls.batch_get_item().request_items(&shared.table_name, asked);
        let read = read.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let answer = read.send().await.map_err(ServiceError::new)?;
        taken.add(1, 0.0);
        let consumed = answer.consumed_capacity.iter().flatten();
        let units = consumed.filter_map(|consumed| consumed.capacity_units).sum::<f64>();
        count_lookups(shared, chunk, units);
        for (_, key) in chunk {
            shared.count_key(key, units / chunk.len() as f64);
        }
        let items = answer.responses.unwrap_or_default().into_values().flatten();
        found.keys.extend(items.filter_map(|item| ItemKey::of(&table, &item)));
        let unprocessed = answer.unprocessed_keys.unwrap_or_default();
        found.is_full &= unprocessed.is_empty() || is_full(units, Consistency::Strong);
        let unprocessed = unprocessed.values().flat_map(KeysAndAttributes::keys);
        found.unknown.extend(unprocessed.filter_map(|key| ItemKey::of(&table, key)));
    }
    Ok(found)
}

/// Counts what a look took, shared out by the keys of each entity.
fn count_lookups(shared: &Shared, keys: &[(&Change, &KeyAttributes)], units: f64) {
    let mut by_entity: HashMap<&'static str, u32> = HashMap::new();
    for (change, _) in keys {
        *by_entity.entry(change.entity).or_default() += 1;
    }
    let all: u32 = by_entity.values().sum();
    for (entity, of_entity) in by_entity {
        shared.counters.write(entity, |usage| {
            usage.lookups += 1;
            usage.lookup_units += units * f64::from(of_entity) / f64::from(all);
        });
    }
}
