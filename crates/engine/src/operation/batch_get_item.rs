//! BatchGetItem: items by their keys, from one or more tables, each read as GetItem reads it.
//!
//! Order of refusal: request shape, projections, keys that are there twice (in `api`); every table; every key, and the
//! paths into key attributes. The answer holds at most 16 MB of items; the keys behind the item that would be too much
//! come back unprocessed, and are not paid for.

use keywright_api::{
    BatchGetItemInput, BatchGetItemOutput, Error, ReturnedItem, TableName, TableReads, UnprocessedKeys,
};
use keywright_item::{Item, StoredItem};

use super::get_item;
use crate::capacity::{self, CapacityByTable};
use crate::index;
use crate::key_schema::PrimaryKey;
use crate::refusal;
use crate::state::State;
use crate::storage::Snapshot;
use crate::table::Table;

/// The most bytes of items in one answer.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
const ANSWER_BYTES: usize = 16 << 20;

pub(crate) fn answer(input: BatchGetItemInput, state: &State) -> Result<BatchGetItemOutput, Error> {
    let catalog = state.catalog();
    let now = state.clock.now();
    let mut tables = Vec::with_capacity(input.tables.len());
    for reads in input.tables {
        tables.push((catalog.active_table(&reads.table_name, now)?, reads));
    }
    let reads = tables
        .into_iter()
        .map(|(table, reads)| PreparedReads::new(table, reads))
        .collect::<Result<Vec<PreparedReads<'_>>, Error>>()?;

    let snapshot = state.storage.snapshot().map_err(|error| refusal::storage(&error))?;
    let mut answer = Answer {
        responses: Vec::with_capacity(reads.len()),
        unprocessed_keys: Vec::new(),
        capacity: CapacityByTable::new(input.return_consumed_capacity),
        size_bytes: 0,
    };
    for reads in reads {
        answer.read(reads, state, snapshot.as_ref())?;
    }
    let Answer { responses, unprocessed_keys, capacity, size_bytes: _ } = answer;
    Ok(BatchGetItemOutput { responses, unprocessed_keys, consumed_capacity: capacity.report() })
}

/// The reads of one table, each key with its storage key.
struct PreparedReads<'catalog> {
    table: &'catalog Table,
    keys: Vec<(Item, Vec<u8>)>,
    reads: TableReads,
}

impl<'catalog> PreparedReads<'catalog> {
    fn new(table: &'catalog Table, mut reads: TableReads) -> Result<PreparedReads<'catalog>, Error> {
        let mut keys = Vec::with_capacity(reads.keys.len());
        for key in std::mem::take(&mut reads.keys) {
            let storage_key = PrimaryKey::exact(&table.key_schema, &key)?.storage_key(table.number);
            keys.push((key, storage_key));
        }
        if let Some(projection) = &reads.projection {
            index::check_scalar(table, &projection.nested_attributes().collect::<Vec<_>>())?;
        }
        Ok(PreparedReads { table, keys, reads })
    }
}

/// The answer so far.
struct Answer {
    responses: Vec<(TableName, Vec<ReturnedItem>)>,
    unprocessed_keys: Vec<UnprocessedKeys>,
    capacity: CapacityByTable,
    /// The bytes of the items, before any projection.
    size_bytes: usize,
}

impl Answer {
    /// Reads the items of one table until the answer is full. A key that is not read, for whatever reason, is unprocessed.
    fn read(
        &mut self,
        prepared: PreparedReads<'_>,
        state: &State,
        snapshot: &dyn Snapshot,
    ) -> Result<(), Error> {
        let PreparedReads { table, keys, reads } = prepared;
        let mut items = Vec::with_capacity(keys.len());
        let mut unprocessed = Vec::new();
        for (key, storage_key) in keys {
            if self.is_full() {
                unprocessed.push(key);
                continue;
            }
            let item = get_item::read(state, snapshot, table, &storage_key)?;
            let item_bytes = item.as_ref().map_or(0, StoredItem::size_bytes);
            self.size_bytes += item_bytes;
            if self.is_full() {
                unprocessed.push(key);
                continue;
            }
            self.capacity.add(&table.name, || capacity::read_units(item_bytes, reads.consistency));
            items.extend(item.map(|item| get_item::returned(item, reads.projection.as_ref())));
        }
        self.responses.push((table.name.clone(), items));
        if !unprocessed.is_empty() {
            self.unprocessed_keys.push(UnprocessedKeys {
                table_name: table.name.clone(),
                keys: unprocessed,
                parameters: reads.parameters,
            });
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.size_bytes > ANSWER_BYTES
    }
}
