//! PutItem: writes one item, in place of any other under its key.
//!
//! Order of refusal: request shape and item (in `api`), table, key, keys of indexes, condition.

use std::sync::Arc;

use keywright_api::{
    Error, PutItemInput, PutItemOutput, Response, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnValues,
};
use keywright_item::StoredItem;

use crate::condition::WriteCondition;
use crate::group::{Change, Group, ItemChange};
use crate::item_collection;
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
    return_item_collection_metrics: ReturnItemCollectionMetrics,
}

pub(crate) fn prepare(input: PutItemInput, state: &State) -> Result<PutItem, Error> {
    let table = Arc::clone(state.catalog().active_table(&input.table_name, state.clock.now())?);
    let key = PrimaryKey::of_item(&table, &input.item)?.storage_key(table.number);
    Ok(PutItem {
        table,
        key,
        item: StoredItem::encode(&input.item),
        condition: WriteCondition { condition: input.condition, on_failure: input.on_condition_failure },
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
        return_item_collection_metrics: input.return_item_collection_metrics,
    })
}

impl PutItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let PutItem {
            table,
            key,
            item,
            condition,
            return_values,
            return_consumed_capacity,
            return_item_collection_metrics,
        } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        condition.check(before.as_ref())?;
        let change = ItemChange { table, key, before, after: Some(item) };
        let old = change.before.as_ref().filter(|_| return_values == ReturnValues::AllOld);
        let output = PutItemOutput {
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
