//! Item collections of tables with local indexes: how large the one is that a write touches.
//!
//! The service says it as a range of whole gigabytes, and only roughly. Here it is exact to the last commit; it is counted
//! only where the table with its local indexes holds a gigabyte at all.

use std::ops::ControlFlow;

use keywright_api::{
    Error, ItemCollectionMetrics, ItemCollectionTables, ReturnItemCollectionMetrics, TableName,
};
use keywright_item::{Item, StoredItemRef};

use crate::group::{Group, ItemChange};
use crate::index::{EntryPartition, Index};
use crate::key::{self, KeyRange};
use crate::refusal;
use crate::storage::{Direction, Space};
use crate::table::Table;

const GIGABYTE: u64 = 1 << 30;

/// What is told of the collection of a changed item, if it is asked for and the table has local indexes.
pub(crate) fn metrics(
    group: &Group<'_>,
    change: &ItemChange,
    wanted: ReturnItemCollectionMetrics,
) -> Result<Option<ItemCollectionMetrics>, Error> {
    if wanted == ReturnItemCollectionMetrics::None || !change.table.indexes.iter().any(Index::is_local) {
        return Ok(None);
    }
    let attribute = &change.table.key_schema.partition_key;
    let value = key::partition_value(&change.key, attribute.kind);
    let key: Item = value.map(|value| (attribute.name.clone(), value)).into_iter().collect();
    let least_gigabytes = size_bytes(group, change, &key)? / GIGABYTE;
    Ok(Some(ItemCollectionMetrics { key, least_gigabytes }))
}

/// What is told of the collections of the items that a batch or transaction changes, each collection once.
pub(crate) fn metrics_by_table(
    group: &Group<'_>,
    changes: &[ItemChange],
    wanted: ReturnItemCollectionMetrics,
) -> Result<Option<ItemCollectionTables>, Error> {
    let mut tables: Vec<(TableName, Vec<ItemCollectionMetrics>)> = Vec::new();
    for change in changes {
        let Some(found) = metrics(group, change, wanted)? else { continue };
        match tables.iter_mut().find(|(name, _)| *name == change.table.name) {
            None => tables.push((change.table.name.clone(), vec![found])),
            Some((_, held)) if held.iter().all(|metrics| metrics.key != found.key) => held.push(found),
            Some(_) => {}
        }
    }
    Ok((!tables.is_empty()).then_some(tables))
}

/// The size of a collection, or of the whole table where that is less than a gigabyte.
fn size_bytes(group: &Group<'_>, change: &ItemChange, key: &Item) -> Result<u64, Error> {
    let table: &Table = &change.table;
    let local = || table.indexes.iter().filter(|index| index.is_local());
    let figures = local().map(|index| index.statistics().size_bytes());
    let whole = table.statistics().size_bytes() + figures.sum::<u64>();
    if whole < GIGABYTE {
        return Ok(whole);
    }
    let values = || key.iter().map(|(_, value)| value);
    let mut ranges = vec![(Space::Items, KeyRange::prefix(key::partition_prefix(&change.key)))];
    ranges.extend(
        local().map(|index| {
            (Space::Index, EntryPartition::new(table.number, index.number, values()).range(&[]))
        }),
    );
    let mut size_bytes = 0;
    for (space, range) in ranges {
        let mut visit = |_: &[u8], bytes: &[u8]| {
            // What is damaged is refused where it is read.
            size_bytes += StoredItemRef::open(bytes).map_or(0, |item| item.size_bytes() as u64);
            ControlFlow::Continue(())
        };
        group
            .snapshot()
            .scan(space, range.bounds(), Direction::Forward, &mut visit)
            .map_err(|error| refusal::storage(&error))?;
    }
    Ok(size_bytes)
}
