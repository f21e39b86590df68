//! TransactWriteItems: up to 100 writes and checks, of which either all take effect or none does.

mod fingerprint;
mod wire;

use keywright_expression::{Condition, Update};
use keywright_item::Item;

pub use self::fingerprint::RequestFingerprint;
use self::wire::Wire;
use super::item_write::ReturnValuesOnConditionCheckFailure;
use crate::item_collection::write_by_table;
use crate::wire::{ObjectWriter, write_array};
use crate::{
    ConsumedCapacity, Error, ItemCollectionTables, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    TableName,
};

/// A TransactWriteItems request: at least one action, and at most 100.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItemsInput {
    /// The actions.
    pub actions: Vec<TransactWrite>,
    /// What makes the request idempotent, where it wants to be.
    pub client_request: Option<ClientRequest>,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the answer tells about the item collections.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// One action of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWrite {
    /// The name of the table.
    pub table_name: TableName,
    /// What is done to which item.
    pub action: TransactAction,
    /// What must hold of the item that is there before, or of its absence.
    pub condition: Option<Condition>,
    /// Whether the reason of a cancellation by the condition holds that item.
    pub on_condition_failure: ReturnValuesOnConditionCheckFailure,
}

/// What an action does to its item.
#[derive(Debug, Clone, PartialEq)]
pub enum TransactAction {
    /// Writes this item, at most [`MAX_ITEM_BYTES`](keywright_item::MAX_ITEM_BYTES), in place of any other under its key;
    /// whether it has the key of the table is not known yet.
    Put(Item),
    /// Edits the item under the key, or creates it.
    Update {
        /// The key; whether it is one of the table is not known yet.
        key: Item,
        /// The changes; whether they leave the key alone is not known yet.
        update: Update,
    },
    /// Removes the item under this key, if there is one; whether it is a key of the table is not known yet.
    Delete(Item),
    /// Leaves the item under this key alone; whether it is a key of the table is not known yet.
    ConditionCheck(Item),
}

/// A `ClientRequestToken`, and what the request with it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRequest {
    /// The token, 1 to 36 characters.
    pub token: String,
    /// Tells requests apart that ask for different transactions.
    pub fingerprint: RequestFingerprint,
}

/// The answer to TransactWriteItems.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItemsOutput {
    /// What the request consumed, by table, where it asked.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
    /// The item collections that were touched, where the request asked, of tables with local indexes.
    pub item_collection_metrics: Option<ItemCollectionTables>,
}

impl TransactWriteItemsInput {
    /// Parses and checks the body of a request;
    /// [`Operation::order_of_refusal`](crate::Operation::order_of_refusal) tells which refusal wins.
    ///
    /// ```
    /// use keywright_api::TransactWriteItemsInput;
    ///
    /// let body = br#"{"ClientRequestToken": "transfer-1", "TransactItems": [
    ///     {"Update": {"TableName": "Accounts", "Key": {"id": {"S": "a"}}, "UpdateExpression": "ADD balance :less",
    ///         "ConditionExpression": "balance >= :least",
    ///         "ExpressionAttributeValues": {":less": {"N": "-5"}, ":least": {"N": "5"}}}},
    ///     {"Update": {"TableName": "Accounts", "Key": {"id": {"S": "b"}}, "UpdateExpression": "ADD balance :more",
    ///         "ExpressionAttributeValues": {":more": {"N": "5"}}}}
    /// ]}"#;
    /// let input = TransactWriteItemsInput::parse(body)?;
    /// assert_eq!(input.actions.len(), 2);
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl TransactWriteItemsOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if let Some(capacity) = &self.consumed_capacity {
            write_array(object.member("ConsumedCapacity"), capacity, ConsumedCapacity::write_json);
        }
        if let Some(metrics) = &self.item_collection_metrics {
            write_by_table(metrics, object.member("ItemCollectionMetrics"));
        }
        object.close();
    }
}
