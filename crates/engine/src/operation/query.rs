//! Query: the items of one collection, in the order of their sort keys, a page at a time.
//!
//! Order of refusal: request shape and key condition (in `api`), table, form of the exclusive start key, key condition
//! against the schema, start key within the condition's range.

use std::ops::{Bound, ControlFlow};

use keywright_api::{
    Direction, Error, KeyAttribute, KeyRole, KeySchema, QueryInput, QueryOutput, Select, Validation,
};
use keywright_expression::{Comparison, KeyCondition, KeyElement};
use keywright_item::{AttributeValue, Item, StoredItem, StoredItemRef};

use crate::capacity;
use crate::key::{KeyRange, PartitionPrefix};
use crate::key_schema::{PrimaryKey, check_value};
use crate::refusal;
use crate::state::State;
use crate::storage::{self, Space};
use crate::table::Table;

/// A page ends with the item that brings it to this size.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html>
const PAGE_BYTES: usize = 1 << 20;

pub(crate) fn answer(input: QueryInput, state: &State) -> Result<QueryOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let start_key =
        input.exclusive_start_key.as_ref().map(|key| read_start_key(&table.key_schema, key)).transpose()?;
    let (partition_key, sort_condition) = resolve(&table.key_schema, input.key_condition)?;
    let mut range = PartitionPrefix::new(table.number, &partition_key).range(sort_condition.as_ref());
    if let Some(start_key) = start_key {
        continue_after(&mut range, &start_key.storage_key(table.number), input.direction)?;
    }

    let limit = input.limit.map_or(usize::MAX, |limit| limit.get() as usize);
    let page = read_page(table, &range, input.direction, input.select, limit, state)?;
    let units = capacity::read_units(page.size_bytes, input.consistency);
    Ok(QueryOutput {
        items: (input.select == Select::AllAttributes).then_some(page.items),
        count: page.count,
        scanned_count: page.count,
        last_evaluated_key: page.last_evaluated_key,
        consumed_capacity: input.return_consumed_capacity.report(&table.name, units),
    })
}

/// The start key, if it is a key of the table. Its attributes' names, types and values are refused each in its own words.
fn read_start_key<'request>(
    schema: &KeySchema,
    key: &'request Item,
) -> Result<PrimaryKey<'request>, Validation> {
    let names_match = schema.attributes().all(|(_, attribute)| key.get(&attribute.name).is_some());
    if !names_match || key.len() != schema.attributes().count() {
        return Err(Validation::StartKeyMalformed);
    }
    PrimaryKey::exact(schema, key).map_err(|refusal| match refusal {
        Validation::KeyDoesNotMatchSchema => refusal,
        refusal => Validation::StartKeyRefused(Box::new(refusal)),
    })
}

/// The partition key's value and the condition on the sort key, both fit for the table.
fn resolve(
    schema: &KeySchema,
    condition: KeyCondition,
) -> Result<(AttributeValue, Option<Comparison>), Validation> {
    let (partition_key, sort_condition) =
        condition.resolve(element(&schema.partition_key), schema.sort_key.as_ref().map(element))?;
    check_value(KeyRole::Partition, &schema.partition_key, &partition_key)?;
    if let (Some(attribute), Some(condition)) = (&schema.sort_key, &sort_condition) {
        for value in condition.values() {
            check_value(KeyRole::Sort, attribute, value)?;
        }
    }
    Ok((partition_key, sort_condition))
}

fn element(attribute: &KeyAttribute) -> KeyElement<'_> {
    KeyElement { name: &attribute.name, type_name: attribute.kind.wire_name() }
}

/// Narrows the range to what lies behind the start key, which need not be the key of an item any more.
fn continue_after(range: &mut KeyRange, start_key: &[u8], direction: Direction) -> Result<(), Validation> {
    if !range.contains(start_key) {
        return Err(Validation::StartKeyOutsideBoundaries);
    }
    let bound = Bound::Excluded(start_key.to_vec());
    match direction {
        Direction::Forward => range.start = bound,
        Direction::Backward => range.end = bound,
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Page {
    items: Vec<StoredItem>,
    count: usize,
    size_bytes: usize,
    last_evaluated_key: Option<Item>,
}

/// Reads items until the range, the limit or the page's size ends. A page that was cut short by limit or size names its
/// last item's key, whether or not another item follows.
fn read_page(
    table: &Table,
    range: &KeyRange,
    direction: Direction,
    select: Select,
    limit: usize,
    state: &State,
) -> Result<Page, Error> {
    let key_names: Vec<&str> =
        table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str()).collect();
    let mut page = Page::default();
    let mut damaged = None;
    let mut visit = |key: &[u8], bytes: &[u8]| {
        let item = match StoredItemRef::open(bytes) {
            Ok(item) => item,
            Err(damage) => {
                damaged = Some(refusal::damaged_item(table, key, &damage));
                return ControlFlow::Break(());
            }
        };
        page.count += 1;
        page.size_bytes += item.size_bytes();
        if select == Select::AllAttributes {
            page.items.push(item.to_owned());
        }
        if page.count == limit || page.size_bytes >= PAGE_BYTES {
            page.last_evaluated_key = Some(item.project(key_names.iter().copied()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let direction = match direction {
        Direction::Forward => storage::Direction::Forward,
        Direction::Backward => storage::Direction::Backward,
    };
    state
        .storage
        .snapshot()
        .and_then(|snapshot| snapshot.scan(Space::Items, range.bounds(), direction, &mut visit))
        .map_err(|error| refusal::storage(&error))?;
    match damaged {
        Some(error) => Err(error),
        None => Ok(page),
    }
}
