//! DeleteItem: removes one item by its key, if there is one.

use keywright_item::{Item, StoredItem};

use super::item_write::{ItemWriteRules, ReturnValues, write_answer};
use crate::{ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, TableName};

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
    ///
    /// Order of refusal: JSON; the constraints together; members that exclude each other; the key's values; the
    /// returned image; placeholders; what this version does not support.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        let write = RULES.parse(body)?;
        Ok(Self {
            table_name: write.table_name,
            key: write.attributes,
            return_values: write.return_values,
            return_consumed_capacity: write.return_consumed_capacity,
        })
    }
}

impl DeleteItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        write_answer(self.attributes.as_ref(), self.consumed_capacity.as_ref(), out);
    }
}

const RULES: ItemWriteRules =
    ItemWriteRules { operation: Operation::DeleteItem, member: "Key", path: "key", check: |_| Ok(()) };
