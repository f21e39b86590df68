//! GetItem: one item by its key.
//!
//! Order of refusal: request shape and projection (in `api`), table, key, paths into key attributes. Every read sees all
//! acknowledged writes: an eventually consistent one costs half, and may be staler only when a fault says so.

use keywright_api::{Error, GetItemInput, GetItemOutput, ReturnedItem};
use keywright_expression::Projection;
use keywright_item::StoredItem;

use crate::capacity;
use crate::index;
use crate::key_schema::PrimaryKey;
use crate::refusal;
use crate::state::State;
use crate::storage::{Snapshot, Space};
use crate::table::Table;

pub(crate) fn answer(input: &GetItemInput, state: &State) -> Result<GetItemOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let key = PrimaryKey::exact(&table.key_schema, &input.key)?.storage_key(table.number);
    if let Some(projection) = &input.projection {
        index::check_scalar(table, &projection.nested_attributes().collect::<Vec<_>>())?;
    }

    let snapshot = state.storage.snapshot().map_err(|error| refusal::storage(&error))?;
    let item = read(state, snapshot.as_ref(), table, &key)?;

    let size_bytes = item.as_ref().map_or(0, StoredItem::size_bytes);
    let units = capacity::read_units(size_bytes, input.consistency);
    let consumed_capacity = input.return_consumed_capacity.report(&table.name, units);
    let item = item.map(|item| returned(item, input.projection.as_ref()));
    Ok(GetItemOutput { item, consumed_capacity })
}

/// The item under a storage key, its checksum verified; refused when its table has been dropped since it was looked up.
pub(super) fn read(
    state: &State,
    snapshot: &dyn Snapshot,
    table: &Table,
    key: &[u8],
) -> Result<Option<StoredItem>, Error> {
    let mut stored = None;
    snapshot
        .get(Space::Items, key, &mut |bytes| stored = Some(bytes.to_vec()))
        .map_err(|error| refusal::storage(&error))?;
    state.check_still_there(table)?;
    stored
        .map(|bytes| StoredItem::open(bytes).map_err(|damage| refusal::damaged_item(table, key, &damage)))
        .transpose()
}

/// What the answer holds of an item.
pub(super) fn returned(item: StoredItem, projection: Option<&Projection>) -> ReturnedItem {
    match projection {
        Some(projection) => ReturnedItem::Parts(projection.apply(item.as_ref())),
        None => ReturnedItem::Whole(item),
    }
}
