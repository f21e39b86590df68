//! TransactGetItems: items by their keys, all as they are at one moment.
//!
//! Order of refusal: request shape and projections (in `api`); every table; key values that are empty or too long; keys
//! and paths that do not fit their table, by a cancellation that says so of each; two reads of one item; the size of all
//! items together. Nothing is being written at that moment, so that no read conflicts.

use std::collections::HashSet;

use keywright_api::{
    CapacityKind, Consistency, Error, MAX_TRANSACTION_BYTES, TransactGet, TransactGetItemsInput,
    TransactGetItemsOutput, Validation,
};
use keywright_item::StoredItem;

use super::get_item;
use super::transaction::{self, UNITS_FACTOR};
use crate::capacity::{self, CapacityByTable};
use crate::index;
use crate::key_schema::PrimaryKey;
use crate::refusal;
use crate::state::State;
use crate::table::Table;

pub(crate) fn answer(input: TransactGetItemsInput, state: &State) -> Result<TransactGetItemsOutput, Error> {
    let catalog = state.catalog();
    let now = state.clock.now();
    let mut reads = Vec::with_capacity(input.gets.len());
    for get in &input.gets {
        reads.push((catalog.active_table(&get.table_name, now)?, get));
    }
    let keys = transaction::all_valid(reads.iter().map(|(table, get)| storage_key(table, get)).collect())?;
    let mut seen = HashSet::with_capacity(keys.len());
    if !keys.iter().all(|key| seen.insert(key.as_slice())) {
        return Err(Validation::SeveralActionsOnItem.into());
    }

    let snapshot = state.storage.snapshot().map_err(|error| refusal::storage(&error))?;
    let mut capacity = CapacityByTable::new(input.return_consumed_capacity);
    let mut responses = Vec::with_capacity(keys.len());
    let mut size_bytes = 0;
    for ((table, get), key) in reads.into_iter().zip(keys) {
        let item = get_item::read(state, snapshot.as_ref(), table, &key)?;
        let item_bytes = item.as_ref().map_or(0, StoredItem::size_bytes);
        size_bytes += item_bytes;
        if size_bytes > MAX_TRANSACTION_BYTES {
            return Err(Validation::TransactionTooLarge.into());
        }
        capacity.add(&table.name, || capacity::read_units(item_bytes, Consistency::Strong) * UNITS_FACTOR);
        responses.push(item.map(|item| get_item::returned(item, get.projection.as_ref())));
    }
    Ok(TransactGetItemsOutput {
        responses,
        consumed_capacity: capacity.report_transaction(CapacityKind::Read),
    })
}

fn storage_key(table: &Table, get: &TransactGet) -> Result<Vec<u8>, Validation> {
    let key = PrimaryKey::exact(&table.key_schema, &get.key)?;
    if let Some(projection) = &get.projection {
        index::check_scalar(table, &projection.nested_attributes().collect::<Vec<_>>())?;
    }
    Ok(key.storage_key(table.number))
}
