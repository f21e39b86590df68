//! DeleteItem: removes one item by its key, if there is one.

use keywright_item::{Item, StoredItem};

use crate::{ConsumedCapacity, Error, ReturnConsumedCapacity, ReturnValues, TableName};

/// A DeleteItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// Whether the answer holds the deleted item.
    pub return_values: ReturnValues,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to DeleteItem.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemOutput {
    /// The deleted item, where the request asked for it and there was one.
    pub attributes: Option<StoredItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

impl DeleteItemInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl DeleteItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
