//! Query: the items of one collection, in the order of their sort keys, a page at a time.
//!
//! Order of refusal: request shape and expressions (in `api`), table, form of the exclusive start key, key condition against
//! the schema, start key within the condition's range, key attributes in the projection, key attributes in the filter.

use keywright_api::{
    Error, Filter, KeyAttribute, KeyRole, KeySchema, QueryInput, QueryOutput, Select, Validation,
};
use keywright_expression::{Comparison, KeyCondition, KeyElement};
use keywright_item::{AttributeValue, Item};

use crate::capacity;
use crate::key::PartitionPrefix;
use crate::key_schema::{self, PrimaryKey, check_value};
use crate::page::PageRequest;
use crate::state::State;
use crate::storage::Direction;

pub(crate) fn answer(input: QueryInput, state: &State) -> Result<QueryOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let start_key =
        input.exclusive_start_key.as_ref().map(|key| read_start_key(&table.key_schema, key)).transpose()?;
    let (partition_key, sort_condition) = resolve(&table.key_schema, input.key_condition)?;
    let partition = PartitionPrefix::new(table.number, &partition_key);
    let mut range = partition.range(sort_condition.as_ref());
    let direction = match input.direction {
        keywright_api::Direction::Forward => Direction::Forward,
        keywright_api::Direction::Backward => Direction::Backward,
    };
    if let Some(start_key) = start_key {
        let in_partition = start_key.partition() == &partition_key;
        let in_range = range.contains(&partition.item(start_key.sort()));
        check_start_key(in_partition, in_range, sort_condition.as_ref())?;
        range.continue_after(start_key.storage_key(table.number), direction);
    }
    if let Select::Attributes(projection) = &input.select {
        key_schema::check_scalar(&table.key_schema, &projection.nested_attributes().collect::<Vec<_>>())?;
    }
    if let Some(filter) = &input.filter {
        check_filter(&table.key_schema, filter)?;
    }

    let request = PageRequest {
        table,
        range,
        direction,
        limit: input.limit.map_or(usize::MAX, |limit| limit.get() as usize),
        filter: input.filter.as_ref(),
        select: &input.select,
    };
    let page = request.read(state)?;
    let units = capacity::read_units(page.size_bytes, input.consistency);
    Ok(QueryOutput {
        items: (input.select != Select::Count).then_some(page.items),
        count: page.count,
        scanned_count: page.scanned_count,
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

/// Refuses a start key that the query could not have answered. The service has a text of its own for each way.
fn check_start_key(
    in_partition: bool,
    in_range: bool,
    sort_condition: Option<&Comparison>,
) -> Result<(), Validation> {
    match sort_condition {
        Some(_) if !in_range => Err(Validation::StartKeyOutsideRange),
        Some(_) if !in_partition => Err(Validation::StartKeyCannotRestart),
        None if !in_partition => Err(Validation::StartKeyOutsideBoundaries),
        _ => Ok(()),
    }
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

/// Refuses a filter that looks at the key, which is what the key condition is for.
fn check_filter(schema: &KeySchema, filter: &Filter) -> Result<(), Validation> {
    let attributes: Vec<&str> = filter.condition.attributes().collect();
    match key_schema::first_key_attribute(schema, &attributes) {
        Some(name) => Err(Validation::KeyInFilter { name, source: filter.source }),
        None => Ok(()),
    }
}
