//! UpdateItem: edits one item, or creates it.

use keywright_expression::{Condition, Update};
use keywright_item::Item;

use super::item_write::{
    Images, ItemWriteRules, ReturnValuesOnConditionCheckFailure, UpdateReturnValues, write_answer,
};
use crate::parameters::Parameters;
use crate::{
    ConsumedCapacity, Error, ItemCollectionMetrics, Operation, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnedItem, TableName,
};

/// An UpdateItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// The changes; without any the item is created where there is none. Whether they leave the key alone is not known
    /// yet.
    pub update: Option<Update>,
    /// What must hold of the item that is there before, or of its absence.
    pub condition: Option<Condition>,
    /// Which image the answer holds.
    pub return_values: UpdateReturnValues,
    /// Whether the refusal of a failed condition holds the item.
    pub on_condition_failure: ReturnValuesOnConditionCheckFailure,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the answer tells about the item collection.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// The answer to UpdateItem.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateItemOutput {
    /// The image, where the request asked for one and it is not empty.
    pub attributes: Option<ReturnedItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection that was touched, where the request asked and the table has local indexes.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}

impl UpdateItemInput {
    /// Parses and checks the body of a request; [`Operation::order_of_refusal`] tells which refusal wins.
    ///
    /// ```
    /// use keywright_api::UpdateItemInput;
    ///
    /// let body = br#"{
    ///     "TableName": "Music",
    ///     "Key": {"Artist": {"S": "Arturus Ardvarkian"}},
    ///     "UpdateExpression": "ADD plays :one",
    ///     "ExpressionAttributeValues": {":one": {"N": "1"}}
    /// }"#;
    /// let input = UpdateItemInput::parse(body)?;
    /// assert!(input.update.is_some() && input.condition.is_none());
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let write = RULES.parse(body)?;
        Ok(Self {
            table_name: write.table_name,
            key: write.attributes,
            update: write.update,
            condition: write.condition,
            return_values: write.return_values,
            on_condition_failure: write.on_condition_failure,
            return_consumed_capacity: write.return_consumed_capacity,
            return_item_collection_metrics: write.return_item_collection_metrics,
        })
    }
}

impl UpdateItemOutput {
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
    operation: Operation::UpdateItem,
    member: "Key",
    path: "key",
    check: |_| Ok(()),
    images: Images::All,
    parameters: Parameters {
        expressions: &["UpdateExpression", "ConditionExpression"],
        using_values: &["UpdateExpression", "ConditionExpression"],
        legacy: &["AttributeUpdates", "Expected", "ConditionalOperator"],
    },
};
