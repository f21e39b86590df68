//! The JSON of the requests and of the tables.
//!
//! An item has a partition key, a sort key, a number that changes, and text that makes it one KB. Those of the indexed tables
//! have five more attributes, of which each index has one as its key.

use serde_json::{Map, Value, json};

pub(super) const PARTITIONS: usize = 100;
pub(super) const ITEMS_IN_A_PARTITION: usize = 20;
/// With the names and the keys, an item of 1,000 bytes or a little more.
pub(super) const FILLER_BYTES: usize = 950;

/// Ten digits in whose place each sending of a request has others.
pub(super) const MARK: &str = "9876543210";

/// The table of everything but the writes to indexes.
const TABLE: &str = "bench";

/// A table with so many global indexes.
#[derive(Debug)]
pub(super) struct IndexedTable {
    name: &'static str,
    /// The name of the puts to it in the tables of the report.
    pub(super) workload: &'static str,
    indexes: usize,
}

pub(super) const INDEXED_TABLES: [IndexedTable; 3] = [
    IndexedTable { name: "bench-indexed-0", workload: "PutIndexed0", indexes: 0 },
    IndexedTable { name: "bench-indexed-1", workload: "PutIndexed1", indexes: 1 },
    IndexedTable { name: "bench-indexed-5", workload: "PutIndexed5", indexes: 5 },
];

/// The table with one index, which is also that of the fresh keys.
const FRESH_TABLE: &str = "bench-indexed-1";

/// The attributes that indexes have for keys.
const INDEXED: [&str; 5] = ["g1", "g2", "g3", "g4", "g5"];

/// The CreateTable of every table, with its name.
pub(super) fn tables() -> Vec<(&'static str, Value)> {
    let tables = INDEXED_TABLES.iter().map(|table| (table.name, create(table.name, table.indexes)));
    std::iter::once((TABLE, create(TABLE, 0))).chain(tables).collect()
}

fn create(name: &str, indexes: usize) -> Value {
    let indexed = || INDEXED.iter().take(indexes);
    let definitions: Vec<Value> = ["pk", "sk"]
        .iter()
        .chain(indexed())
        .map(|name| json!({"AttributeName": name, "AttributeType": "S"}))
        .collect();
    let mut body = json!({
        "TableName": name, "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": definitions,
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
    });
    let indexes: Vec<Value> = indexed()
        .map(|name| {
            json!({
                "IndexName": format!("by-{name}"), "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [
                    {"AttributeName": name, "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"},
                ],
            })
        })
        .collect();
    if let (Some(body), false) = (body.as_object_mut(), indexes.is_empty()) {
        body.insert("GlobalSecondaryIndexes".to_owned(), indexes.into());
    }
    body
}

/// The places of the items that are stored before the clock runs.
pub(super) fn stored_keys() -> impl Iterator<Item = usize> {
    0..PARTITIONS * ITEMS_IN_A_PARTITION
}

fn key(prefix: &str, place: usize) -> Map<String, Value> {
    let (partition, sort) = (place / ITEMS_IN_A_PARTITION, place % ITEMS_IN_A_PARTITION);
    let string = |text: String| json!({"S": text});
    [("pk", format!("{prefix}{partition:04}")), ("sk", format!("s{sort:02}"))]
        .map(|(name, text)| (name.to_owned(), string(text)))
        .into_iter()
        .collect()
}

/// The key of a stored item; places go round.
fn stored_key(place: usize) -> Map<String, Value> {
    key("p", place % (PARTITIONS * ITEMS_IN_A_PARTITION))
}

/// The item at a place, with this number in it.
pub(super) fn item(prefix: &str, place: usize, number: &str) -> Value {
    let mut item = key(prefix, place);
    item.insert("n".to_owned(), json!({"N": number}));
    item.insert("data".to_owned(), json!({"S": "x".repeat(FILLER_BYTES)}));
    item.into()
}

pub(super) fn put(item: Value) -> Value {
    json!({"TableName": TABLE, "Item": item})
}

/// A put that changes the key of each index.
pub(super) fn indexed_put(table: &IndexedTable, place: usize) -> Value {
    let mut item = item("w", place, MARK);
    if let Some(item) = item.as_object_mut() {
        for name in INDEXED {
            item.insert(name.to_owned(), json!({"S": format!("{name}-{MARK}")}));
        }
    }
    json!({"TableName": table.name, "Item": item})
}

/// Puts of items under keys that nobody has yet, each with an entry in the table's index: the mark stands in the keys, too.
pub(super) fn fresh_puts(places: impl Iterator<Item = usize>) -> Value {
    let requests: Vec<Value> =
        places.map(|place| json!({"PutRequest": {"Item": fresh_item(place)}})).collect();
    json!({"RequestItems": {FRESH_TABLE: requests}})
}

/// One such put.
pub(super) fn fresh_put(place: usize) -> Value {
    json!({"TableName": FRESH_TABLE, "Item": fresh_item(place)})
}

/// Items of one request differ by their places.
fn fresh_item(place: usize) -> Value {
    json!({
        "pk": {"S": format!("k{MARK}-{place:02}")}, "sk": {"S": "s00"}, "n": {"N": MARK},
        "g1": {"S": format!("g{MARK}-{place:02}")}, "data": {"S": "x".repeat(FILLER_BYTES)},
    })
}

pub(super) fn get(place: usize) -> Value {
    json!({"TableName": TABLE, "Key": stored_key(place)})
}

pub(super) fn update(place: usize) -> Value {
    json!({
        "TableName": TABLE, "Key": stored_key(place), "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    })
}

pub(super) fn query(partition: usize) -> Value {
    json!({
        "TableName": TABLE, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": format!("p{partition:04}")}},
    })
}

/// Puts of the items at these places.
pub(super) fn batch_write(places: impl Iterator<Item = usize>) -> Value {
    let requests: Vec<Value> =
        places.map(|place| json!({"PutRequest": {"Item": item("b", place, MARK)}})).collect();
    json!({"RequestItems": {TABLE: requests}})
}

pub(super) fn batch_get(places: impl Iterator<Item = usize>) -> Value {
    json!({"RequestItems": {TABLE: {"Keys": places.map(stored_key).collect::<Vec<_>>()}}})
}

/// Counts in each of the items.
pub(super) fn transact_write(places: impl Iterator<Item = usize>) -> Value {
    json!({"TransactItems": places.map(|place| json!({"Update": update(place)})).collect::<Vec<_>>()})
}

pub(super) fn transact_get(places: impl Iterator<Item = usize>) -> Value {
    json!({"TransactItems": places.map(|place| json!({"Get": get(place)})).collect::<Vec<_>>()})
}
