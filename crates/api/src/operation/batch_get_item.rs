//! BatchGetItem: items by their keys, from one or more tables; each is read as GetItem reads it.

mod wire;

use keywright_expression::Projection;
use keywright_item::{Item, json};

use self::wire::Wire;
use crate::wire::{ObjectWriter, write_array, write_by_name};
use crate::{Consistency, ConsumedCapacity, Error, ReturnConsumedCapacity, ReturnedItem, TableName};

/// A BatchGetItem request: at most 100 keys, none of them twice.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGetItemInput {
    /// What is read, by table, in the order of the request.
    pub tables: Vec<TableReads>,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// What is read of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableReads {
    /// The name of the table.
    pub table_name: TableName,
    /// The keys, at least one; whether they are keys of the table is not known yet.
    pub keys: Vec<Item>,
    /// The parts of the items that the answer holds; all of them without.
    pub projection: Option<Projection>,
    /// Whether the reads must see every write that was acknowledged before them.
    pub consistency: Consistency,
    /// The members beside the keys, which come back with keys that were not processed.
    pub parameters: ReadParameters,
}

/// How the keys of one table are read, in the words of the request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadParameters {
    /// `AttributesToGet`
    pub attributes_to_get: Option<Vec<String>>,
    /// `ConsistentRead`
    pub consistent_read: Option<bool>,
    /// `ExpressionAttributeNames`, by their placeholders
    pub names: Vec<(String, String)>,
    /// `ProjectionExpression`
    pub projection_expression: Option<String>,
}

/// The answer to BatchGetItem.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGetItemOutput {
    /// The items that there are, for each table of the request.
    pub responses: Vec<(TableName, Vec<ReturnedItem>)>,
    /// What was not read, to be sent again as it is.
    pub unprocessed_keys: Vec<UnprocessedKeys>,
    /// What the request consumed, by table, where it asked.
    pub consumed_capacity: Option<Vec<ConsumedCapacity>>,
}

/// The keys of one table that were not read.
#[derive(Debug, Clone, PartialEq)]
pub struct UnprocessedKeys {
    /// The name of the table.
    pub table_name: TableName,
    /// The keys, at least one.
    pub keys: Vec<Item>,
    /// How they are to be read.
    pub parameters: ReadParameters,
}

impl BatchGetItemInput {
    /// Parses and checks the body of a request;
    /// [`Operation::order_of_refusal`](crate::Operation::order_of_refusal) tells which refusal wins.
    ///
    /// ```
    /// use keywright_api::BatchGetItemInput;
    ///
    /// let body = br#"{"RequestItems": {"Music": {"Keys": [{"Artist": {"S": "Arturus Ardvarkian"}}]}}}"#;
    /// let input = BatchGetItemInput::parse(body)?;
    /// assert_eq!(input.tables[0].keys.len(), 1);
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl BatchGetItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        let responses = self.responses.iter().map(|(name, items)| (name.as_str(), items));
        write_by_name(object.member("Responses"), responses, |items, out| {
            write_array(out, items, ReturnedItem::write_json);
        });
        let unprocessed = self.unprocessed_keys.iter().map(|keys| (keys.table_name.as_str(), keys));
        write_by_name(object.member("UnprocessedKeys"), unprocessed, UnprocessedKeys::write_json);
        if let Some(capacity) = &self.consumed_capacity {
            write_array(object.member("ConsumedCapacity"), capacity, ConsumedCapacity::write_json);
        }
        object.close();
    }
}

impl UnprocessedKeys {
    fn write_json(&self, out: &mut Vec<u8>) {
        let ReadParameters { attributes_to_get, consistent_read, names, projection_expression } =
            &self.parameters;
        let mut object = ObjectWriter::open(out);
        write_array(object.member("Keys"), &self.keys, json::write_map);
        if let Some(attributes) = attributes_to_get {
            write_array(object.member("AttributesToGet"), attributes, |name, out| {
                json::write_string(name, out);
            });
        }
        if let Some(consistent) = consistent_read {
            object.plain("ConsistentRead", consistent);
        }
        if let Some(expression) = projection_expression {
            object.string("ProjectionExpression", expression);
        }
        if !names.is_empty() {
            let names = names.iter().map(|(placeholder, name)| (placeholder.as_str(), name));
            write_by_name(object.member("ExpressionAttributeNames"), names, |name, out| {
                json::write_string(name, out);
            });
        }
        object.close();
    }
}
