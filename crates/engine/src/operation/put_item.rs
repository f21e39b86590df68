//! PutItem: writes one item, in place of any other under its key.
//!
//! Order of refusal: request shape and item (in `api`), table, key.

use std::sync::Arc;

use keywright_api::{Error, PutItemInput, PutItemOutput, Response, ReturnConsumedCapacity, ReturnValues};
use keywright_item::StoredItem;

use crate::capacity;
use crate::group::{Change, Group, ItemChange};
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::statistics::StatisticsChange;
use crate::table::Table;

/// A PutItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct PutItem {
    table: Arc<Table>,
    key: Vec<u8>,
    item: StoredItem,
    return_values: ReturnValues,
    return_consumed_capacity: ReturnConsumedCapacity,
}

pub(crate) fn prepare(input: PutItemInput, state: &State) -> Result<PutItem, Error> {
    let table = Arc::clone(state.catalog().active_table(&input.table_name, state.clock.now())?);
    let key = PrimaryKey::of_item(&table.key_schema, &input.item)?.storage_key(table.number);
    Ok(PutItem {
        table,
        key,
        item: StoredItem::encode(&input.item),
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
    })
}

impl PutItem {
    pub(crate) fn size_bytes(&self) -> usize {
        self.key.len() + self.item.bytes().len()
    }

    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let PutItem { table, key, item, return_values, return_consumed_capacity } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        let before_bytes = before.as_ref().map(StoredItem::size_bytes);
        let after_bytes = Some(item.size_bytes());
        let units = capacity::write_units(before_bytes, after_bytes);
        let output = PutItemOutput {
            attributes: before.filter(|_| return_values == ReturnValues::AllOld),
            consumed_capacity: return_consumed_capacity.report(&table.name, units),
        };
        let statistics = StatisticsChange::between(before_bytes, after_bytes);
        let change = ItemChange { table, key, after: Some(item), statistics };
        Ok((Change { item: Some(change), ..Change::default() }, output.into()))
    }
}
