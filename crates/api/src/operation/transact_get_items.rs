//! TransactGetItems: up to 100 items by their keys, all as they are at one moment.

mod wire;

use keywright_expression::Projection;
use keywright_item::Item;

use self::wire::Wire;
use crate::wire::{ObjectWriter, write_array};
use crate::{ConsumedCapacity, Error, ReturnConsumedCapacity, ReturnedItem, TableName};

/// A TransactGetItems request: at least one read, and at most 100.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItemsInput {
    /// The reads.
    pub gets: Vec<TransactGet>,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// One read of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGet {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// The parts of the item that the answer holds; all of it without.
    pub projection: Option<Projection>,
}

/// The answer to TransactGetItems.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItemsOutput {
    /// For each read, in order, the item, where there is one.
    pub responses: Vec<Option<ReturnedItem>>,
    /// What the request consumed, by table, where it asked.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

impl TransactGetItemsInput {
    /// Parses and checks the body of a request;
    /// [`Operation::order_of_refusal`](crate::Operation::order_of_refusal) tells which refusal wins.
    ///
    /// ```
    /// use keywright_api::TransactGetItemsInput;
    ///
    /// let body = br#"{"TransactItems": [
    ///     {"Get": {"TableName": "Accounts", "Key": {"id": {"S": "a"}}}},
    ///     {"Get": {"TableName": "Accounts", "Key": {"id": {"S": "b"}}, "ProjectionExpression": "balance"}}
    /// ]}"#;
    /// let input = TransactGetItemsInput::parse(body)?;
    /// assert!(input.gets[0].projection.is_none() && input.gets[1].projection.is_some());
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl TransactGetItemsOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        write_array(object.member("Responses"), &self.responses, |item, out| {
            let mut response = ObjectWriter::open(out);
            if let Some(item) = item {
                item.write_json(response.member("Item"));
            }
            response.close();
        });
        if let Some(capacity) = &self.consumed_capacity {
            write_array(object.member("ConsumedCapacity"), capacity, ConsumedCapacity::write_json);
        }
        object.close();
    }
}
