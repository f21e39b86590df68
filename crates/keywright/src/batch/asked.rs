//! One item that a batch asks for, and one call's worth of them.
//!
//! A call is one BatchGetItem, unless a design lists earlier numbers of shards. Then what is not found under its present key is asked for
//! under each earlier one.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemFluentBuilder;
use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};
use keywright_key::declare::{NamesItem, ReadItems, Table};
use keywright_key::{Components, Consistency};

use super::call::Taken;
use super::error::BatchItemError;
use super::member::BatchMember;
use super::queue::{CameBack, ChunkLimits, WhyBack};
use super::wire::{REQUEST_BYTES, is_full, member_bytes};
use crate::error::{KeyError, ServiceError};
use crate::expression::Placeholders;
use crate::item::{Attributes, Decoded, Decoder, ItemKey, ItemKeys, KeyAttributes};
use crate::query::projection;
use crate::store::{KeysInErrors, Shared};
use crate::stored::Stored;
use crate::tenant::Tenant;

/// The members of one BatchGetItem. What is beyond 16 MB of its answer comes back, and is asked for again.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
pub(super) const LIMITS: ChunkLimits = ChunkLimits { members: 100, bytes: REQUEST_BYTES };

/// An item that is asked for.
pub(super) struct Asked {
    keys: ItemKeys,
    /// The present key, by which members are told apart.
    key: ItemKey,
    /// The pattern that names it.
    pattern: &'static str,
}

/// What was found where an item was asked for.
pub(super) type Found<Item> = Result<Option<Stored<Item>>, BatchItemError>;

/// What a call gave.
pub(super) struct Answer<Item> {
    pub(super) found: Vec<(usize, Found<Item>)>,
    /// Those that came back.
    pub(super) left: CameBack,
}

impl Asked {
    /// The item that a pattern names.
    pub(super) fn of<TableType, Pattern>(
        tenant: &Tenant<TableType>,
        pattern: &Pattern,
    ) -> Result<Asked, KeyError>
    where
        TableType: Table,
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let keys = tenant.named_keys(pattern)?;
        let key = ItemKey::rendered::<TableType>(&keys.now);
        Ok(Asked { keys, key, pattern: Pattern::SHAPE.name })
    }

    pub(super) const fn pattern(&self) -> &'static str {
        self.pattern
    }

    pub(super) const fn now(&self) -> &KeyAttributes {
        &self.keys.now
    }

    pub(super) const fn key(&self) -> &ItemKey {
        &self.key
    }

    pub(super) fn wire_bytes(&self) -> usize {
        member_bytes(&self.keys.now)
    }

    /// How an error names it.
    pub(super) fn name(&self, position: usize, keys_in_errors: KeysInErrors) -> BatchMember {
        BatchMember::new(position, self.pattern, self.key.text(keys_in_errors))
    }
}

/// Reads these items, each with its place.
pub(super) async fn read<TableType, Pattern>(
    tenant: &Tenant<TableType>,
    mut asked: Vec<(usize, &Asked)>,
    taken: &Taken,
) -> Result<Answer<Pattern::Item>, ServiceError>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    let found = Vec::with_capacity(asked.len());
    let mut answer = Answer { found, left: CameBack::nothing() };
    for round in 0.. {
        let keys: Vec<(usize, &KeyAttributes)> = asked
            .iter()
            .filter_map(|(position, asked)| Some((*position, asked.keys.all().nth(round)?)))
            .collect();
        if keys.is_empty() {
            break;
        }
        let known_before = (answer.found.len(), answer.left.places.len());
        read_once::<TableType, Pattern>(tenant, &keys, taken, &mut answer, round > 0).await?;
        let (found, left) = (
            answer.found.get(known_before.0..).unwrap_or_default(),
            answer.left.places.get(known_before.1..).unwrap_or_default(),
        );
        asked.retain(|(position, _)| {
            !left.contains(position) && !found.iter().any(|(of_found, _)| of_found == position)
        });
    }
    // Neither in an answer nor left: it is not there.
    answer.found.extend(asked.into_iter().map(|(position, _)| (position, Ok(None))));
    Ok(answer)
}

async fn read_once<TableType, Pattern>(
    tenant: &Tenant<TableType>,
    keys: &[(usize, &KeyAttributes)],
    taken: &Taken,
    answer: &mut Answer<Pattern::Item>,
    is_more: bool,
) -> Result<(), ServiceError>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    let shared = tenant.shared();
    let request = request::<TableType, Pattern>(shared, keys.iter().map(|(_, key)| (*key).clone()).collect());
    let output = request.send().await.map_err(ServiceError::new)?;
    let consumed = output.consumed_capacity.iter().flatten();
    let units = consumed.filter_map(|consumed| consumed.capacity_units).sum::<f64>();
    taken.add(u64::from(is_more), units);
    for (_, key) in keys {
        // The service says units of the call as a whole.
        shared.count_key(key, units / keys.len() as f64);
    }
    let places: HashMap<ItemKey, usize> =
        keys.iter().map(|(position, key)| (ItemKey::rendered::<TableType>(key), *position)).collect();
    let place = |key: &Attributes| places.get(&ItemKey::of(&TableType::SHAPE, key)?).copied();
    let items: Vec<Attributes> = output.responses.unwrap_or_default().into_values().flatten().collect();
    let items_read = items.len() as u64;
    let unprocessed = output.unprocessed_keys.unwrap_or_default();
    let came_back = unprocessed.values().flat_map(KeysAndAttributes::keys).map(place);
    let Some(came_back) = came_back.collect::<Option<Vec<usize>>>() else {
        // A key came back that was not sent: nobody knows what was read.
        answer.left.add(keys.iter().map(|(position, _)| *position).collect(), WhyBack::NoThroughput);
        return Ok(());
    };
    let why = if is_full(units, Pattern::SHAPE.consistency) {
        WhyBack::AnswerIsFull
    } else {
        WhyBack::NoThroughput
    };
    answer.left.add(came_back, why);
    let decoder = Decoder::<TableType>::new(shared, tenant.identity()).of_pattern(&Pattern::SHAPE);
    let found_before = answer.found.len();
    answer.found.extend(items.into_iter().filter_map(|item| {
        let position = place(&item)?;
        let decoded = decoder.decode(item, |name, source| Pattern::read(name, source));
        Some((position, decoded.map(Decoded::live).map_err(BatchItemError::Item)))
    }));
    let found = answer.found.get(found_before..).unwrap_or_default();
    let items_given = found.iter().filter(|(_, item)| matches!(item, Ok(Some(_)))).count() as u64;
    shared.counters.read(Pattern::SHAPE.name, |usage| {
        usage.requests += 1;
        usage.units += units;
        usage.items_read += items_read;
        usage.items_given += items_given;
    });
    Ok(())
}

/// A call for these keys.
pub(super) fn request<TableType, Pattern>(
    shared: &Shared,
    keys: Vec<KeyAttributes>,
) -> BatchGetItemFluentBuilder
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType>,
{
    let shape = Pattern::SHAPE;
    let mut placeholders = Placeholders::default();
    let projection = projection(&TableType::SHAPE, &shape, &mut placeholders);
    let consistent = (shape.consistency == Consistency::Strong).then_some(true);
    let keys = KeysAndAttributes::builder()
        .set_keys(Some(keys))
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
