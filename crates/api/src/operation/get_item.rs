//! GetItem: one item by its key.

use keywright_item::{Item, StoredItem};

use crate::{ConsumedCapacity, Error, ReturnConsumedCapacity, TableName};

/// A GetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// Whether the read must see every write that was acknowledged before it.
    pub consistency: Consistency,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to GetItem.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemOutput {
    /// The item, where there is one.
    pub item: Option<StoredItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// What a read may miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Consistency {
    /// It may miss the latest writes; half the price.
    #[default]
    Eventual,
    /// It sees every write that was acknowledged before it.
    Strong,
}

impl GetItemInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl GetItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
