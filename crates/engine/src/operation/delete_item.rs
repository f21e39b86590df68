//! DeleteItem: removes one item by its key, if there is one.
//!
//! Order of refusal: request shape (in `api`), table, key.

use std::sync::Arc;

use keywright_api::{
    DeleteItemInput, DeleteItemOutput, Error, Response, ReturnConsumedCapacity, ReturnValues,
};
use keywright_item::StoredItem;

use crate::capacity;
use crate::group::{Change, Group, ItemChange};
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::statistics::StatisticsChange;
use crate::table::Table;

/// A DeleteItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct DeleteItem {
    table: Arc<Table>,
    key: Vec<u8>,
    return_values: ReturnValues,
    return_consumed_capacity: ReturnConsumedCapacity,
}

pub(crate) fn prepare(input: DeleteItemInput, state: &State) -> Result<DeleteItem, Error> {
    let table = Arc::clone(state.catalog().active_table(&input.table_name, state.clock.now())?);
    let key = PrimaryKey::exact(&table.key_schema, &input.key)?.storage_key(table.number);
    Ok(DeleteItem {
        table,
        key,
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
    })
}

impl DeleteItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let DeleteItem { table, key, return_values, return_consumed_capacity } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        let before_bytes = before.as_ref().map(StoredItem::size_bytes);
        let units = capacity::write_units(before_bytes, None);
        let consumed_capacity = return_consumed_capacity.report(&table.name, units);
        let statistics = StatisticsChange::between(before_bytes, None);
        // Deleting what is not there is a success that changes nothing.
        let item = before_bytes.map(|_| ItemChange { table, key, after: None, statistics });
        let attributes = before.filter(|_| return_values == ReturnValues::AllOld);
        Ok((Change { item, ..Change::default() }, DeleteItemOutput { attributes, consumed_capacity }.into()))
    }
}
