//! DeleteItem: removes one item by its key, if there is one.
//!
//! Order of refusal: request shape (in `api`), table, key, condition.

use std::sync::Arc;

use keywright_api::{
    DeleteItemInput, DeleteItemOutput, Error, Response, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnValues,
};

use crate::condition::WriteCondition;
use crate::group::{Change, Group, ItemChange};
use crate::item_collection;
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
    return_item_collection_metrics: ReturnItemCollectionMetrics,
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
        return_item_collection_metrics: input.return_item_collection_metrics,
    })
}

impl DeleteItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let DeleteItem {
            table,
            key,
            condition,
            return_values,
            return_consumed_capacity,
            return_item_collection_metrics,
        } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        condition.check(before.as_ref())?;
        let change = ItemChange { table, key, before, after: None };
        let old = change.before.as_ref().filter(|_| return_values == ReturnValues::AllOld);
        let output = DeleteItemOutput {
            attributes: old.cloned().map(Into::into),
            consumed_capacity: change.report(return_consumed_capacity),
            item_collection_metrics: item_collection::metrics(
                group,
                &change,
                return_item_collection_metrics,
            )?,
        };
        Ok((Change { items: vec![change], ..Change::default() }, output.into()))
    }
}
