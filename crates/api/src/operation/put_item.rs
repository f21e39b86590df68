//! PutItem: writes one item, in place of any other under its key.

use keywright_expression::Condition;
use keywright_item::{Item, MAX_ITEM_BYTES};

use super::item_write::{
    Images, ItemWriteRules, ReturnValues, ReturnValuesOnConditionCheckFailure, write_answer,
};
use crate::parameters::Parameters;
use crate::{
    ConsumedCapacity, Error, ItemCollectionMetrics, Operation, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnedItem, TableName, Validation,
};

/// A PutItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The item, at most [`MAX_ITEM_BYTES`]; whether it has the key of the table is not known yet.
    pub item: Item,
    /// What must hold of the item that is there before, or of its absence.
    pub condition: Option<Condition>,
    /// Whether the answer holds the item that was there before.
    pub return_values: ReturnValues,
    /// Whether the refusal of a failed condition holds that item.
    pub on_condition_failure: ReturnValuesOnConditionCheckFailure,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the answer tells about the item collection.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// The answer to PutItem.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemOutput {
    /// The item that was there before, where the request asked for it and there was one.
    pub attributes: Option<ReturnedItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection that was touched, where the request asked and the table has local indexes.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

impl PutItemInput {
    /// Parses and checks the body of a request; [`Operation::order_of_refusal`] tells which refusal wins.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let write = RULES.parse(body)?;
        Ok(Self {
            table_name: write.table_name,
            item: write.attributes,
            condition: write.condition,
            return_values: write.return_values.old_only(),
            on_condition_failure: write.on_condition_failure,
            return_consumed_capacity: write.return_consumed_capacity,
            return_item_collection_metrics: write.return_item_collection_metrics,
        })
    }
}

impl PutItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        write_answer(
            self.attributes.as_ref(),
            self.consumed_capacity.as_ref(),
            self.item_collection_metrics.as_ref(),
            out,
        );
    }
}

const RULES: ItemWriteRules = ItemWriteRules {
    operation: Operation::PutItem,
    member: "Item",
    path: "item",
    check: check_size,
    images: Images::Old,
    parameters: Parameters {
        expressions: &["ConditionExpression"],
        using_values: &["ConditionExpression"],
        legacy: &["Expected", "ConditionalOperator"],
    },
};

/// Refuses an item that is larger than any.
pub(super) fn check_size(item: &Item) -> Result<(), Validation> {
    if item.size_bytes() > MAX_ITEM_BYTES { Err(Validation::ItemTooLarge) } else { Ok(()) }
}
