//! PutItem: writes one item, in place of any other under its key.
//!
//! Order of refusal: request shape and item (in `api`), table, key, condition.

use std::sync::Arc;

use keywright_api::{Error, PutItemInput, PutItemOutput, Response, ReturnConsumedCapacity, ReturnValues};
use keywright_item::StoredItem;

use crate::capacity;
use crate::condition::WriteCondition;
use crate::group::{Change, Group, ItemChange};
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::table::Table;

/// A PutItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct PutItem {
    table: Arc<Table>,
    key: Vec<u8>,
    item: StoredItem,
    condition: WriteCondition,
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
        condition: WriteCondition { condition: input.condition, on_failure: input.on_condition_failure },
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
    })
}

impl PutItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let PutItem { table, key, item, condition, return_values, return_consumed_capacity } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        condition.check(before.as_ref())?;
        let units = capacity::write_units(before.as_ref(), Some(&item));
        let output = PutItemOutput {
            attributes: before.clone().filter(|_| return_values == ReturnValues::AllOld).map(Into::into),
            consumed_capacity: return_consumed_capacity.report(&table.name, units),
        };
        let change = ItemChange { table, key, before, after: Some(item) };
        Ok((Change { item: Some(change), ..Change::default() }, output.into()))
    }
}
