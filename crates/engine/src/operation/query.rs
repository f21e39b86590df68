//! Query: the items of one collection, in the order of their sort keys, a page at a time.
//!
//! Order of refusal: request shape and expressions (in `api`), table, index, form of the exclusive start key, key condition
//! against the schema, start key within the condition's range, key attributes in the projection, key attributes in the
//! filter, what the index does not project, paths of the filter into key attributes of indexes.

use std::time::Duration;

use keywright_api::{
    Error, Filter, KeyAttribute, KeyRole, KeySchema, QueryInput, QueryOutput, Select, Validation,
};
use keywright_expression::{KeyCondition, KeyElement, ResolvedKeyCondition};
use keywright_item::{AttributeValue, Item};

use crate::index::{self, EntryPartition, Index, IndexStartKey, ReadSource};
use crate::key::{KeyRange, PartitionPrefix};
use crate::key_schema::{PrimaryKey, check_value};
use crate::page::PageRequest;
use crate::state::State;
use crate::storage::Direction;
use crate::table::Table;

pub(crate) fn answer(input: QueryInput, state: &State, index_lag: Duration) -> Result<QueryOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let index = index::find(table, input.index_name.as_ref(), input.consistency)?;
    let direction = match input.direction {
        keywright_api::Direction::Forward => Direction::Forward,
        keywright_api::Direction::Backward => Direction::Backward,
    };
    let start_key = input.exclusive_start_key.as_ref();
    let (mut range, start) = match index {
        None => table_range(table, input.key_condition, start_key)?,
        Some(index) => index_range(table, index, input.key_condition, start_key)?,
    };
    if let Some(start) = start {
        start.check(&range)?;
        range.continue_after(start.key, direction);
    }
    if let Select::Attributes(projection) = &input.select {
        index::check_scalar(table, &projection.nested_attributes().collect::<Vec<_>>())?;
    }
    let filter = input.filter.as_ref();
    if let Some(filter) = filter {
        check_filter(table, index, filter)?;
    }
    let source = ReadSource::select(table, index, &input.select)?;
    if let Some(filter) = filter {
        source.check_filter(table, filter)?;
        index::check_scalar(table, &filter.condition.nested_attributes().collect::<Vec<_>>())?;
    }

    let request = PageRequest {
        table,
        source,
        index_lag,
        range,
        direction,
        limit: input.limit.map_or(usize::MAX, |limit| limit.get() as usize),
        filter,
        select: &input.select,
    };
    let page = request.read(state)?;
    let consumed = page.consumed(source, input.consistency);
    Ok(QueryOutput {
        items: (input.select != Select::Count).then_some(page.items),
        count: page.count,
        scanned_count: page.scanned_count,
        last_evaluated_key: page.last_evaluated_key,
        consumed_capacity: input.return_consumed_capacity.report(&table.name, consumed),
    })
}

/// The items that meet the condition, and where the page starts.
fn table_range(
    table: &Table,
    condition: KeyCondition,
    start_key: Option<&Item>,
) -> Result<(KeyRange, Option<Start>), Validation> {
    let schema = &table.key_schema;
    let storage_key = |key: &Item| read_start_key(schema, key).map(|key| key.storage_key(table.number));
    let key = start_key.map(storage_key).transpose()?;
    let attributes = std::slice::from_ref(&schema.partition_key);
    let condition = resolve(attributes, schema.sort_key.as_slice(), condition)?;
    let Some(partition_key) = condition.partition.first() else {
        unreachable!("a resolved condition has the value of every partition attribute")
    };
    let range = PartitionPrefix::new(table.number, partition_key).range(condition.sort.first());
    let start = start_key.zip(key).map(|(start_key, key)| -> Result<Start, Validation> {
        let in_partition = storage_key(&moved(start_key, attributes, &condition.partition))?;
        Ok(Start { key, in_partition, has_sort_condition: !condition.sort.is_empty() })
    });
    Ok((range, start.transpose()?))
}

/// The entries that meet the condition, and where the page starts.
fn index_range(
    table: &Table,
    index: &Index,
    condition: KeyCondition,
    start_key: Option<&Item>,
) -> Result<(KeyRange, Option<Start>), Validation> {
    let schema = &index.definition.key_schema;
    let checked = start_key.map(|key| IndexStartKey::check(table, index, key)).transpose()?;
    let condition = resolve(&schema.partition_key, &schema.sort_key, condition)?;
    let start = start_key.zip(checked).map(|(start_key, checked)| -> Result<Start, Validation> {
        let key = checked.entry_key(table, index)?;
        let moved = moved(start_key, &schema.partition_key, &condition.partition);
        let in_partition = IndexStartKey::check(table, index, &moved)?.entry_key(table, index)?;
        Ok(Start { key, in_partition, has_sort_condition: !condition.sort.is_empty() })
    });
    let start = start.transpose()?;
    let partition = EntryPartition::new(table.number, index.number, &condition.partition);
    Ok((partition.range(&condition.sort), start))
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

/// Where a page starts: behind this key.
struct Start {
    key: Vec<u8>,
    /// The same key, moved into the partition that is queried.
    in_partition: Vec<u8>,
    has_sort_condition: bool,
}

impl Start {
    /// Refuses a start key that the query could not have answered. The service has a text of its own for each way.
    fn check(&self, range: &KeyRange) -> Result<(), Validation> {
        let is_foreign = self.key != self.in_partition;
        if self.has_sort_condition && !range.contains(&self.in_partition) {
            Err(Validation::StartKeyOutsideRange)
        } else if self.has_sort_condition && is_foreign {
            Err(Validation::StartKeyCannotRestart)
        } else if is_foreign {
            Err(Validation::StartKeyOutsideBoundaries)
        } else {
            Ok(())
        }
    }
}

/// The key with other values of its partition attributes.
fn moved(key: &Item, partition_key: &[KeyAttribute], values: &[AttributeValue]) -> Item {
    let mut moved = key.clone();
    for (attribute, value) in partition_key.iter().zip(values) {
        moved.insert(attribute.name.clone(), value.clone());
    }
    moved
}

/// The condition on the key of the table or index, with values that are fit for it.
fn resolve(
    partition_key: &[KeyAttribute],
    sort_key: &[KeyAttribute],
    condition: KeyCondition,
) -> Result<ResolvedKeyCondition, Validation> {
    let condition = condition.resolve(&elements(partition_key), &elements(sort_key))?;
    for (attribute, value) in partition_key.iter().zip(&condition.partition) {
        check_value(KeyRole::Partition, attribute, value)?;
    }
    for (attribute, comparison) in sort_key.iter().zip(&condition.sort) {
        for value in comparison.values() {
            check_value(KeyRole::Sort, attribute, value)?;
        }
    }
    Ok(condition)
}

fn elements(attributes: &[KeyAttribute]) -> Vec<KeyElement<'_>> {
    attributes
        .iter()
        .map(|KeyAttribute { name, kind }| KeyElement { name, type_name: kind.wire_name() })
        .collect()
}

/// Refuses a filter that looks at the key that is queried, which is what the key condition is for.
fn check_filter(table: &Table, index: Option<&Index>, filter: &Filter) -> Result<(), Validation> {
    let names: Vec<&str> = match index {
        None => table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str()).collect(),
        Some(index) => {
            let attributes = index.definition.key_schema.attributes();
            attributes.map(|(_, attribute)| attribute.name.as_str()).collect()
        }
    };
    match names.into_iter().find(|name| filter.condition.attributes().any(|attribute| attribute == *name)) {
        Some(name) => Err(Validation::KeyInFilter { name: name.to_owned(), source: filter.source }),
        None => Ok(()),
    }
}
