//! DeleteItem: removes one item by its key, if there is one.
//!
//! Order of refusal: request shape (in `api`), table, key, condition.

use std::sync::Arc;

use keywright_api::{
    DeleteItemInput, DeleteItemOutput, Error, Response, ReturnConsumedCapacity, ReturnValues,
};

use crate::capacity;
use crate::condition::WriteCondition;
use crate::group::{Change, Group, ItemChange};
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::table::Table;

/// A DeleteItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct DeleteItem {
    table: Arc<Table>,
    key: Vec<u8>,
    condition: WriteCondition,
    return_values: ReturnValues,
    return_consumed_capacity: ReturnConsumedCapacity,
}

pub(crate) fn prepare(input: DeleteItemInput, state: &State) -> Result<DeleteItem, Error> {
    let table = Arc::clone(state.catalog().active_table(&input.table_name, state.clock.now())?);
    let key = PrimaryKey::exact(&table.key_schema, &input.key)?.storage_key(table.number);
    Ok(DeleteItem {
        table,
        key,
        condition: WriteCondition { condition: input.condition, on_failure: input.on_condition_failure },
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
    })
}

impl DeleteItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let DeleteItem { table, key, condition, return_values, return_consumed_capacity } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        condition.check(before.as_ref())?;
        let units = capacity::write_units(before.as_ref(), None);
        let output = DeleteItemOutput {
            attributes: before.clone().filter(|_| return_values == ReturnValues::AllOld).map(Into::into),
            consumed_capacity: return_consumed_capacity.report(&table.name, units),
        };
        let change = ItemChange { table, key, before, after: None };
        Ok((Change { item: Some(change), ..Change::default() }, output.into()))
    }
}
