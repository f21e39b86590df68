//! Query: the items of one collection, in the order of their sort keys, a page at a time.

use std::num::NonZeroU32;

use keywright_expression::KeyCondition;
use keywright_item::{Item, StoredItem};

use crate::{Consistency, ConsumedCapacity, Error, ReturnConsumedCapacity, TableName};

/// A Query request.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The condition on the key; whether it fits the table is not known yet.
    pub key_condition: KeyCondition,
    /// The most items that the page may read; 1 MB ends it as well.
    pub limit: Option<NonZeroU32>,
    /// The order of the page.
    pub direction: Direction,
    /// Whether the read must see every write that was acknowledged before it.
    pub consistency: Consistency,
    /// The page starts after this key; whether it is one of the table is not known yet.
    pub exclusive_start_key: Option<Item>,
    /// What the answer holds of the items.
    pub select: Select,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to Query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryOutput {
    /// The items of the page; absent for [`Select::Count`].
    pub items: Option<Vec<StoredItem>>,
    /// How many items matched.
    pub count: usize,
    /// How many items were read.
    pub scanned_count: usize,
    /// Where the next page starts; absent at the end.
    pub last_evaluated_key: Option<Item>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// The order in which a Query reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// From the lowest sort key up.
    #[default]
    Forward,
    /// From the highest sort key down.
    Backward,
}

/// What the answer to a Query holds of the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Select {
    /// The items.
    #[default]
    AllAttributes,
    /// Only their number.
    Count,
}

impl QueryInput {
    /// Parses and checks the body of a request.
    pub fn parse(_body: &[u8]) -> Result<Self, Error> {
        Err(Error::UnknownOperation)
    }
}

impl QueryOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, _out: &mut Vec<u8>) {}
}
