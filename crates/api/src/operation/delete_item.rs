//! DeleteItem: removes one item by its key, if there is one.

use keywright_expression::Condition;
use keywright_item::Item;

use super::item_write::{
    Images, ItemWriteRules, ReturnValues, ReturnValuesOnConditionCheckFailure, write_answer,
};
use crate::parameters::Parameters;
use crate::{
    ConsumedCapacity, Error, ItemCollectionMetrics, Operation, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnedItem, TableName,
};

/// A DeleteItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// What must hold of the item, or of its absence.
    pub condition: Option<Condition>,
    /// Whether the answer holds the deleted item.
    pub return_values: ReturnValues,
    /// Whether the refusal of a failed condition holds the item.
    pub on_condition_failure: ReturnValuesOnConditionCheckFailure,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the answer tells about the item collection.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// The answer to DeleteItem.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemOutput {
    /// The deleted item, where the request asked for it and there was one.
    pub attributes: Option<ReturnedItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection that was touched, where the request asked and the table has local indexes.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

impl DeleteItemInput {
    /// Parses and checks the body of a request; [`Operation::order_of_refusal`] tells which refusal wins.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let write = RULES.parse(body)?;
        Ok(Self {
            table_name: write.table_name,
            key: write.attributes,
            condition: write.condition,
            return_values: write.return_values.old_only(),
            on_condition_failure: write.on_condition_failure,
            return_consumed_capacity: write.return_consumed_capacity,
            return_item_collection_metrics: write.return_item_collection_metrics,
        })
    }
}

impl DeleteItemOutput {
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
    operation: Operation::DeleteItem,
    member: "Key",
    path: "key",
    check: |_| Ok(()),
    images: Images::Old,
    parameters: Parameters {
        expressions: &["ConditionExpression"],
        using_values: &["ConditionExpression"],
        legacy: &["Expected", "ConditionalOperator"],
    },
};
