//! PutItem: writes one item, in place of any other under its key.

use keywright_item::{Item, StoredItem};

use crate::{ConsumedCapacity, Error, ReturnConsumedCapacity, TableName};

/// A PutItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The item, at most 400 KB; whether it has the key of the table is not known yet.
    pub item: Item,
    /// Whether the answer holds the item that was there before.
    pub return_values: ReturnValues,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to PutItem.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemOutput {
    /// The item that was there before, where the request asked for it and there was one.
    pub attributes: Option<StoredItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// Which image of the item a PutItem or DeleteItem answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The item before the request.
    AllOld,
}

impl PutItemInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl PutItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
