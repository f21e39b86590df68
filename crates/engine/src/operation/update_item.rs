//! UpdateItem: edits one item, or creates it.
//!
//! Order of refusal: request shape and expressions (in `api`), table, key, key attributes among the changes, types of the
//! keys of indexes, paths into key attributes, condition, the update against the item, the size of its result, the keys of
//! indexes in its result. An update that changes nothing is a success all the same.

use std::sync::Arc;

use keywright_api::{
    Error, Response, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnedItem, UpdateItemInput,
    UpdateItemOutput, UpdateReturnValues, Validation,
};
use keywright_expression::{Update, Updated};
use keywright_item::{Item, MAX_ITEM_BYTES, StoredItem};

use crate::condition::WriteCondition;
use crate::group::{Change, Group, ItemChange};
use crate::index;
use crate::item_collection;
use crate::key_schema::{self, PrimaryKey};
use crate::state::State;
use crate::table::Table;

/// An UpdateItem that waits for its decision.
#[derive(Debug)]
pub(crate) struct UpdateItem {
    table: Arc<Table>,
    key: Vec<u8>,
    /// The attributes of the key: the item that is edited where there is none.
    key_attributes: Item,
    update: Option<Update>,
    condition: WriteCondition,
    return_values: UpdateReturnValues,
    return_consumed_capacity: ReturnConsumedCapacity,
    return_item_collection_metrics: ReturnItemCollectionMetrics,
}

pub(crate) fn prepare(input: UpdateItemInput, state: &State) -> Result<UpdateItem, Error> {
    let table = Arc::clone(state.catalog().active_table(&input.table_name, state.clock.now())?);
    let key = PrimaryKey::exact(&table.key_schema, &input.key)?.storage_key(table.number);
    if let Some(update) = &input.update {
        check_key_attributes(&table, update)?;
    }
    Ok(UpdateItem {
        table,
        key,
        key_attributes: input.key,
        update: input.update,
        condition: WriteCondition { condition: input.condition, on_failure: input.on_condition_failure },
        return_values: input.return_values,
        return_consumed_capacity: input.return_consumed_capacity,
        return_item_collection_metrics: input.return_item_collection_metrics,
    })
}

impl UpdateItem {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let UpdateItem {
            table,
            key,
            key_attributes,
            update,
            condition,
            return_values,
            return_consumed_capacity,
            return_item_collection_metrics,
        } = self;
        group.catalog().check_active(&table, group.now())?;
        let before = group.item(&table, &key)?;
        condition.check(before.as_ref())?;
        let (after, attributes) =
            apply(&table, update.as_ref(), before.as_ref(), key_attributes, return_values)?;
        let change = ItemChange { table, key, before, after: Some(after) };
        let output = UpdateItemOutput {
            attributes,
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

/// Refuses an update that changes a key attribute of the table, gives one of an index another type, or goes into either.
pub(super) fn check_key_attributes(table: &Table, update: &Update) -> Result<(), Validation> {
    let changed: Vec<&str> = update.attributes().collect();
    if let Some(name) = key_schema::first_key_attribute(&table.key_schema, &changed) {
        return Err(Validation::KeyUpdated { name });
    }
    index::check_update(table, update)?;
    index::check_scalar(table, &update.nested_attributes().collect::<Vec<_>>())
}

/// The item after the update, and the image of it that was asked for.
pub(super) fn apply(
    table: &Table,
    update: Option<&Update>,
    before: Option<&StoredItem>,
    key_attributes: Item,
    return_values: UpdateReturnValues,
) -> Result<(StoredItem, Option<ReturnedItem>), Validation> {
    let Some(update) = update else {
        // Without an update, an item that is there stays as it is.
        let after = before.cloned().unwrap_or_else(|| StoredItem::encode(&key_attributes));
        let attributes = image(return_values, before, &after, None);
        return Ok((after, attributes));
    };
    let decoded = before.map(StoredItem::decode);
    let updated = update.apply(decoded.as_ref(), &key_attributes)?;
    if updated.item.size_bytes() > MAX_ITEM_BYTES {
        return Err(Validation::ItemToUpdateTooLarge);
    }
    let after = StoredItem::encode(&updated.item);
    index::check_updated(table, update, &after)?;
    let attributes = image(return_values, before, &after, Some(&updated));
    Ok((after, attributes))
}

/// The image that was asked for, where it has any attribute.
fn image(
    return_values: UpdateReturnValues,
    before: Option<&StoredItem>,
    after: &StoredItem,
    updated: Option<&Updated<'_>>,
) -> Option<ReturnedItem> {
    let parts = |image: Item| (!image.is_empty()).then_some(ReturnedItem::Parts(image));
    match return_values {
        UpdateReturnValues::None => None,
        UpdateReturnValues::AllOld => before.cloned().map(ReturnedItem::Whole),
        UpdateReturnValues::AllNew => Some(ReturnedItem::Whole(after.clone())),
        UpdateReturnValues::UpdatedOld => updated.and_then(|updated| parts(updated.old_image())),
        UpdateReturnValues::UpdatedNew => updated.and_then(|updated| parts(updated.new_image())),
    }
}
