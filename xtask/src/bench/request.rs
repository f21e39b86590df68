//! The requests of the benchmark, prepared as bytes before the clock starts.
//!
//! A put never finds what it writes, which would not be a write: a mark in the prepared bytes becomes another number each time
//! that the request is sent. Reads find what [`load_requests`] stored.

mod body;

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use self::body::{INDEXED_TABLES, ITEMS_IN_A_PARTITION, MARK, PARTITIONS, stored_keys};

/// The keys that are put while the clock runs, of each table.
const PUT_KEYS: usize = 4_096;
/// The most items of a BatchWriteItem.
pub(super) const ITEMS_IN_A_BATCH: usize = 25;
/// The batches and transactions to choose from.
const REQUESTS: usize = 1_000;

/// An operation with the requests to choose from.
#[derive(Debug)]
pub(super) struct Workload {
    operation: &'static str,
    requests: Vec<Prepared>,
    body_bytes: RangeInclusive<usize>,
    numbers: Numbers,
}

/// The numbers that replace the marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Each is one more than the last.
    Ascending,
    /// They come in an order that looks like none, and never twice.
    Scattered,
}

/// A request with the places of its marks.
#[derive(Debug)]
struct Prepared {
    bytes: Vec<u8>,
    marks: Vec<usize>,
}

/// What stands in place of the marks of the next request: ten digits.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1_000_000_000);

impl Workload {
    /// Every workload, in the order of the tables.
    pub(super) fn all() -> Vec<Workload> {
        let mut workloads = single_items();
        workloads.extend(indexed_puts());
        workloads.extend(batches());
        workloads.extend(transactions());
        workloads
    }

    fn new(
        operation: &'static str,
        target: &str,
        bodies: impl Iterator<Item = Value>,
        body_bytes: RangeInclusive<usize>,
    ) -> Workload {
        let requests = bodies.map(|body| Prepared::new(request(target, &body))).collect();
        Workload { operation, requests, body_bytes, numbers: Numbers::Ascending }
    }

    /// Puts of items under fresh random keys, each with an entry in an index.
    pub(super) fn fresh_puts() -> Workload {
        let puts = std::iter::once(body::fresh_put(ITEMS_IN_A_BATCH));
        let puts = Workload::new("PutFresh", "PutItem", puts, WRITTEN);
        Workload { numbers: Numbers::Scattered, ..puts }
    }

    /// Batches of such puts, of [`ITEMS_IN_A_BATCH`] items each, for what is to be there before.
    pub(super) fn fresh_batches() -> Workload {
        let batches = std::iter::once(body::fresh_puts(0..ITEMS_IN_A_BATCH));
        let batches = Workload::new("BatchWriteFresh", "BatchWriteItem", batches, WRITTEN);
        Workload { numbers: Numbers::Scattered, ..batches }
    }

    /// The name in the tables.
    pub(super) fn operation(&self) -> &'static str {
        self.operation
    }

    /// Writes the request that `choice` chooses in place of what is in the buffer.
    pub(super) fn write_request(&self, choice: usize, buffer: &mut Vec<u8>) {
        buffer.clear();
        let Some(request) = self.requests.get(choice % self.requests.len().max(1)) else { return };
        buffer.extend_from_slice(&request.bytes);
        if !request.marks.is_empty() {
            let number = self.numbers.next();
            for mark in &request.marks {
                if let Some(place) = buffer.get_mut(*mark..mark + number.len()) {
                    place.copy_from_slice(number.as_bytes());
                }
            }
        }
    }

    /// Whether an answer of this length can hold the items that were asked for, and no writes that were left undone.
    pub(super) fn is_sound(&self, body: &[u8]) -> bool {
        self.body_bytes.contains(&body.len())
    }
}

impl Numbers {
    /// Ten digits that no request had before.
    fn next(self) -> String {
        /// Has no factor in common with the number of numbers, so that multiplying with it only changes their order.
        const SCATTER: u64 = 3_141_592_653;
        const ALL: u64 = 10_000_000_000;
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed) % ALL;
        match self {
            Numbers::Ascending => number.to_string(),
            Numbers::Scattered => {
                let scattered = u128::from(number) * u128::from(SCATTER) % u128::from(ALL);
                format!("{scattered:010}")
            }
        }
    }
}

impl Prepared {
    fn new(bytes: Vec<u8>) -> Prepared {
        let marks = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK.as_bytes());
        Prepared { marks: marks.map(|(place, _)| place).collect(), bytes }
    }
}

/// Puts, updates and reads of a table without indexes.
fn single_items() -> Vec<Workload> {
    let puts = (0..PUT_KEYS).map(|place| body::put(body::item("w", place, MARK)));
    let updates = stored_keys().map(body::update);
    let gets = stored_keys().map(body::get);
    let queries = (0..PARTITIONS).map(body::query);
    vec![
        Workload::new("PutItem", "PutItem", puts, WRITTEN),
        Workload::new("UpdateItem", "UpdateItem", updates, WRITTEN),
        Workload::new("GetItem", "GetItem", gets, holding(1)),
        Workload::new("Query20", "Query", queries, holding(ITEMS_IN_A_PARTITION)),
    ]
}

/// The same puts to tables with ever more indexes, each of which moves its entry.
fn indexed_puts() -> Vec<Workload> {
    let workloads = INDEXED_TABLES.iter().map(|table| {
        let puts = (0..PUT_KEYS).map(|place| body::indexed_put(table, place));
        Workload::new(table.workload, "PutItem", puts, WRITTEN)
    });
    workloads.collect()
}

/// The largest batches that there may be.
fn batches() -> Vec<Workload> {
    let writes = (0..REQUESTS)
        .map(|number| number * ITEMS_IN_A_BATCH)
        .map(|first| body::batch_write((first..first + ITEMS_IN_A_BATCH).map(|place| place % PUT_KEYS)));
    let gets = (0..REQUESTS).map(|number| body::batch_get((0..100).map(move |place| number * 7 + place)));
    vec![
        Workload::new("BatchWrite25", "BatchWriteItem", writes, WRITTEN),
        Workload::new("BatchGet100", "BatchGetItem", gets, holding(100)),
    ]
}

/// Without a token: with the same one again, a transaction would not be carried out again.
fn transactions() -> Vec<Workload> {
    let writes = |count: usize| {
        (0..REQUESTS).map(move |number| body::transact_write((0..count).map(move |place| number * 7 + place)))
    };
    let gets = (0..REQUESTS).map(|number| body::transact_get((0..10).map(move |place| number * 7 + place)));
    vec![
        Workload::new("TransactWrite2", "TransactWriteItems", writes(2), WRITTEN),
        Workload::new("TransactWrite10", "TransactWriteItems", writes(10), WRITTEN),
        Workload::new("TransactGet10", "TransactGetItems", gets, holding(10)),
    ]
}

/// The answer of a write that was asked for nothing: an empty one, or that nothing was left undone.
const WRITTEN: RangeInclusive<usize> = 2..=64;

/// An answer with so many items.
const fn holding(items: usize) -> RangeInclusive<usize> {
    items * body::FILLER_BYTES..=usize::MAX
}

/// The names of the tables, and the requests that create them.
pub(super) fn create_tables() -> Vec<(&'static str, Vec<u8>)> {
    body::tables().into_iter().map(|(name, body)| (name, request("CreateTable", &body))).collect()
}

/// The request that says whether a table can be used.
pub(super) fn describe_table(name: &str) -> Vec<u8> {
    request("DescribeTable", &serde_json::json!({"TableName": name}))
}

/// The requests that store what is read later.
pub(super) fn load_requests() -> Vec<Vec<u8>> {
    stored_keys().map(|key| request("PutItem", &body::put(body::item("p", key, "42")))).collect()
}

fn request(target: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    // No server here verifies the signature, and all of them insist on its form.
    let signature = "0".repeat(64);
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.{target}\r\nX-Amz-Date: 20260101T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature={signature}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_item_is_one_kilobyte_and_every_read_finds_one() {
        assert_eq!(load_requests().len(), PARTITIONS * ITEMS_IN_A_PARTITION);
        let item = body::item("p", 10, "42");
        let bytes: usize = item
            .as_object()
            .expect("an item")
            .iter()
            .map(|(name, value)| name.len() + value.get("S").and_then(Value::as_str).map_or(2, str::len))
            .sum();
        assert!((960..=1_024).contains(&bytes), "{bytes}");
    }

    fn text(workload: &Workload, choice: usize) -> String {
        let mut buffer = Vec::new();
        workload.write_request(choice, &mut buffer);
        String::from_utf8(buffer).expect("requests are text")
    }

    #[test]
    fn query20_is_sent_as_query() {
        let workloads = Workload::all();
        let query = workloads.iter().find(|workload| workload.operation() == "Query20").expect("a query");
        assert!(text(query, 0).contains("X-Amz-Target: DynamoDB_20120810.Query\r\n"));
    }

    #[test]
    fn no_put_comes_twice() {
        let puts = |workload: &&Workload| {
            workload.operation().starts_with("Put") || workload.operation() == "BatchWrite25"
        };
        for workload in Workload::all().iter().filter(puts) {
            let (one, other) = (text(workload, 7), text(workload, 7));
            assert!(one != other && one.len() == other.len(), "{}", workload.operation());
            assert!(!one.contains(MARK) && !other.contains(MARK));
        }
    }

    #[test]
    fn fresh_keys_are_ten_digits_and_none_comes_twice() {
        let mut seen = HashSet::new();
        for workload in [Workload::fresh_puts(), Workload::fresh_batches()] {
            for choice in 0..1_000 {
                let request = text(&workload, choice);
                assert!(!request.contains(MARK));
                for key in request.split("\"pk\":{\"S\":\"").skip(1) {
                    let key = key.split('"').next().expect("a key");
                    assert_eq!(key.len(), "k0123456789-00".len(), "{key}");
                    assert!(seen.insert(key.to_owned()), "{key} came twice");
                }
            }
        }
        assert_eq!(seen.len(), 1_000 * (1 + ITEMS_IN_A_BATCH));
    }

    #[test]
    fn no_batch_or_transaction_names_an_item_twice() {
        for workload in batches().iter().chain(&transactions()) {
            for choice in 0..REQUESTS {
                let request = text(workload, choice);
                let (_, body) = request.split_once("\r\n\r\n").expect("a body");
                // Every item is named by its sort key behind its partition key.
                let keys: Vec<&str> =
                    body.split("\"pk\":").skip(1).filter_map(|rest| rest.get(..32)).collect();
                let different: HashSet<&str> = keys.iter().copied().collect();
                assert!(keys.len() > 1, "{body}");
                assert_eq!(different.len(), keys.len(), "{}: {body}", workload.operation());
            }
        }
    }

    #[test]
    fn an_answer_that_leaves_writes_undone_is_not_sound() {
        let batches = batches();
        let write = batches.first().expect("a batch");
        assert!(write.is_sound(br#"{"UnprocessedItems":{}}"#));
        assert!(!write.is_sound(&[b'x'; 1_000]));
    }
}
