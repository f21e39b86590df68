//! BatchWriteItem: puts and deletes in one or more tables; each is a write of its own, without a condition.

mod wire;

use keywright_item::{Item, json};

use self::wire::Wire;
use crate::item_collection::write_by_table;
use crate::wire::{ObjectWriter, write_array, write_by_name};
use crate::{
    ConsumedCapacity, Error, ItemCollectionTables, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    TableName,
};

/// A BatchWriteItem request: at most 25 writes.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchWriteItemInput {
    /// What is written, by table, in the order of the request; at least one write each.
    pub tables: Vec<(TableName, Vec<WriteRequest>)>,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the answer tells about the item collections.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

/// One write of a batch.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteRequest {
    /// Writes this item, at most [`MAX_ITEM_BYTES`](keywright_item::MAX_ITEM_BYTES), in place of any other under its key;
    /// whether it has the key of the table is not known yet.
    Put(Item),
    /// Removes the item under this key, if there is one; whether it is a key of the table is not known yet.
    Delete(Item),
}

/// The answer to BatchWriteItem.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchWriteItemOutput {
    /// What was not written, to be sent again as it is.
    pub unprocessed_items: Vec<(TableName, Vec<WriteRequest>)>,
    /// What the request consumed, by table, where it asked.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
    /// The item collections that were touched, where the request asked, of tables with local indexes.
    pub item_collection_metrics: Option<ItemCollectionTables>,
}

impl BatchWriteItemInput {
    /// Parses and checks the body of a request;
    /// [`Operation::order_of_refusal`](crate::Operation::order_of_refusal) tells which refusal wins.
    ///
    /// ```
    /// use keywright_api::{BatchWriteItemInput, WriteRequest};
    ///
    /// let body = br#"{"RequestItems": {"Music": [
    ///     {"PutRequest": {"Item": {"Artist": {"S": "Arturus Ardvarkian"}, "plays": {"N": "1"}}}},
    ///     {"DeleteRequest": {"Key": {"Artist": {"S": "Nobody"}}}}
    /// ]}}"#;
    /// let input = BatchWriteItemInput::parse(body)?;
    /// let (table, writes) = &input.tables[0];
    /// assert!(table.as_str() == "Music" && matches!(writes[1], WriteRequest::Delete(_)));
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl BatchWriteItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        let unprocessed = self.unprocessed_items.iter().map(|(name, writes)| (name.as_str(), writes));
        write_by_name(object.member("UnprocessedItems"), unprocessed, |writes, out| {
            write_array(out, writes, WriteRequest::write_json);
        });
        if let Some(capacity) = &self.consumed_capacity {
            write_array(object.member("ConsumedCapacity"), capacity, ConsumedCapacity::write_json);
        }
        if let Some(metrics) = &self.item_collection_metrics {
            write_by_table(metrics, object.member("ItemCollectionMetrics"));
        }
        object.close();
    }
}

impl WriteRequest {
    fn write_json(&self, out: &mut Vec<u8>) {
        let (request, member, attributes) = match self {
            Self::Put(item) => ("PutRequest", "Item", item),
            Self::Delete(key) => ("DeleteRequest", "Key", key),
        };
        let mut object = ObjectWriter::open(out);
        let mut content = ObjectWriter::open(object.member(request));
        json::write_map(attributes, content.member(member));
        content.close();
        object.close();
    }
}
