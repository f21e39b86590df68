//! BatchWriteItem: puts and deletes in one or more tables, each a write of its own.
//!
//! Order of refusal: request shape and items (in `api`); every table; every key; two writes of one item. A request that
//! is refused writes nothing. What is not refused is written with the request's group: no write is left unprocessed,
//! since a serial sequencer has no reason to leave one.

use std::collections::HashSet;
use std::sync::Arc;

use keywright_api::{
    BatchWriteItemInput, BatchWriteItemOutput, Error, Response, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, Validation, WriteRequest,
};
use keywright_item::StoredItem;

use crate::capacity::CapacityByTable;
use crate::group::{Change, Group, ItemChange};
use crate::item_collection;
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::table::Table;

/// A BatchWriteItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct BatchWriteItem {
    writes: Vec<PreparedWrite>,
    return_consumed_capacity: ReturnConsumedCapacity,
    return_item_collection_metrics: ReturnItemCollectionMetrics,
}

#[derive(Debug)]
struct PreparedWrite {
    table: Arc<Table>,
    key: Vec<u8>,
    after: Option<StoredItem>,
}

pub(crate) fn prepare(input: BatchWriteItemInput, state: &State) -> Result<BatchWriteItem, Error> {
    let catalog = state.catalog();
    let now = state.clock.now();
    let mut tables = Vec::with_capacity(input.tables.len());
    for (name, writes) in input.tables {
        tables.push((catalog.active_table(&name, now)?, writes));
    }
    let writes = tables
        .iter()
        .flat_map(|(table, writes)| writes.iter().map(|write| PreparedWrite::new(table, write)))
        .collect::<Result<Vec<PreparedWrite>, Validation>>()?;
    let mut keys = HashSet::with_capacity(writes.len());
    if !writes.iter().all(|write| keys.insert(write.key.as_slice())) {
        return Err(Validation::DuplicateKeys.into());
    }
    Ok(BatchWriteItem {
        writes,
        return_consumed_capacity: input.return_consumed_capacity,
        return_item_collection_metrics: input.return_item_collection_metrics,
    })
}

impl PreparedWrite {
    fn new(table: &Arc<Table>, write: &WriteRequest) -> Result<PreparedWrite, Validation> {
        let (key, after) = match write {
            WriteRequest::Put(item) => (PrimaryKey::of_item(table, item), Some(StoredItem::encode(item))),
            WriteRequest::Delete(key) => (PrimaryKey::exact(&table.key_schema, key), None),
        };
        // Unlike PutItem, a batch has one text for every item without the key of its table.
        let key = key.map_err(|refusal| match refusal {
            Validation::MissingKeyInItem { .. } | Validation::KeyTypeMismatchInItem { .. } => {
                Validation::KeyDoesNotMatchSchema
            }
            refusal => refusal,
        })?;
        Ok(PreparedWrite { table: Arc::clone(table), key: key.storage_key(table.number), after })
    }
}

impl BatchWriteItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let mut capacity = CapacityByTable::new(self.return_consumed_capacity);
        let mut items = Vec::with_capacity(self.writes.len());
        for PreparedWrite { table, key, after } in self.writes {
            group.catalog().check_active(&table, group.now())?;
            let before = group.item(&table, &key)?;
            let change = ItemChange { table, key, before, after };
            capacity.add(&change.table.name, || change.consumed());
            items.push(change);
        }
        let wanted = self.return_item_collection_metrics;
        let output = BatchWriteItemOutput {
            unprocessed_items: Vec::new(),
            consumed_capacity: capacity.report(),
            item_collection_metrics: item_collection::metrics_by_table(group, &items, wanted)?,
        };
        Ok((Change { items, ..Change::default() }, output.into()))
    }
}
