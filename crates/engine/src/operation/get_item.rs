//! GetItem: one item by its key.
//!
//! Order of refusal: request shape and projection (in `api`), table, key, paths into key attributes. Every read sees all
//! acknowledged writes: an eventually consistent one costs half, and may be staler only when a fault says so.

use keywright_api::{Error, GetItemInput, GetItemOutput, ReturnedItem};
use keywright_item::StoredItem;

use crate::capacity;
use crate::key_schema::{self, PrimaryKey};
use crate::refusal;
use crate::state::State;
use crate::storage::Space;

pub(crate) fn answer(input: &GetItemInput, state: &State) -> Result<GetItemOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let key = PrimaryKey::exact(&table.key_schema, &input.key)?.storage_key(table.number);
    if let Some(projection) = &input.projection {
        key_schema::check_scalar(&table.key_schema, &projection.nested_attributes().collect::<Vec<_>>())?;
    }

    let mut stored = None;
    state
        .storage
        .snapshot()
        .and_then(|snapshot| snapshot.get(Space::Items, &key, &mut |bytes| stored = Some(bytes.to_vec())))
        .map_err(|error| refusal::storage(&error))?;
    let item = stored
        .map(|bytes| StoredItem::open(bytes).map_err(|damage| refusal::damaged_item(table, &key, &damage)))
        .transpose()?;
    state.check_still_there(table)?;

    let size_bytes = item.as_ref().map_or(0, StoredItem::size_bytes);
    let units = capacity::read_units(size_bytes, input.consistency);
    let consumed_capacity = input.return_consumed_capacity.report(&table.name, units);
    let item = item.map(|item| match &input.projection {
        Some(projection) => ReturnedItem::Parts(projection.apply(item.as_ref())),
        None => ReturnedItem::Whole(item),
    });
    Ok(GetItemOutput { item, consumed_capacity })
}
