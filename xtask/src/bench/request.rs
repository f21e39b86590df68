//! The requests of the benchmark, prepared as bytes before the clock starts.
//!
//! PutItem writes an item of 1 KB under one of 100,000 keys; GetItem and Query read what [`load_requests`] stored:
//! 100 partitions of 20 items of 1 KB. UpdateItem adds to a counter in one of those.

/// The table that every server gets.
const TABLE: &str = "bench";
const PARTITIONS: usize = 100;
/// The keys that are put while the clock runs.
const PUT_KEYS: usize = 4096;
const ITEMS_IN_A_PARTITION: usize = 20;
/// With the names and the keys, an item of 1,000 bytes or a little more.
const FILLER_BYTES: usize = 950;

/// An operation with the requests to choose from.
#[derive(Debug)]
pub(super) struct Workload {
    operation: &'static str,
    requests: Vec<Vec<u8>>,
    smallest_body: usize,
}

impl Workload {
    /// PutItem, UpdateItem, GetItem and Query20.
    pub(super) fn all() -> Vec<Workload> {
        // Spread over the keys by a step that shares no factor with their number.
        // Each key comes twice with another value, so that no put finds what it writes: that would not be a write.
        let puts = (0..2 * PUT_KEYS).map(|index| {
            let key = index % PUT_KEYS;
            put_body("w", key * 24_407 % 5_000, key * 7 % ITEMS_IN_A_PARTITION, index / PUT_KEYS)
        });
        let updates = keys().map(|(partition, sort)| update_body(partition, sort));
        let gets = keys().map(|(partition, sort)| get_body(partition, sort));
        let queries = (0..PARTITIONS).map(query_body);
        vec![
            Workload::new("PutItem", puts, 2),
            Workload::new("UpdateItem", updates, 2),
            Workload::new("GetItem", gets, FILLER_BYTES),
            Workload::new("Query20", queries, ITEMS_IN_A_PARTITION * FILLER_BYTES),
        ]
    }

    fn new(operation: &'static str, bodies: impl Iterator<Item = String>, smallest_body: usize) -> Workload {
        let target = operation.trim_end_matches(|character: char| character.is_ascii_digit());
        let requests = bodies.map(|body| request(target, &body)).collect();
        Workload { operation, requests, smallest_body }
    }

    /// The name in the tables.
    pub(super) fn operation(&self) -> &'static str {
        self.operation
    }

    /// The request that `number` chooses.
    pub(super) fn choose(&self, number: usize) -> &[u8] {
        self.requests.get(number % self.requests.len().max(1)).map_or(&[], Vec::as_slice)
    }

    /// A shorter answer cannot hold the items that were asked for.
    pub(super) fn smallest_body(&self) -> usize {
        self.smallest_body
    }
}

/// The request that creates the table.
pub(super) fn create_table() -> Vec<u8> {
    let body = format!(
        r#"{{"TableName":"{TABLE}","BillingMode":"PAY_PER_REQUEST","KeySchema":[{{"AttributeName":"pk","KeyType":"HASH"}},{{"AttributeName":"sk","KeyType":"RANGE"}}],"AttributeDefinitions":[{{"AttributeName":"pk","AttributeType":"S"}},{{"AttributeName":"sk","AttributeType":"S"}}]}}"#
    );
    request("CreateTable", &body)
}

/// The request that says whether the table can be used.
pub(super) fn describe_table() -> Vec<u8> {
    request("DescribeTable", &format!(r#"{{"TableName":"{TABLE}"}}"#))
}

/// The requests that store what is read later.
pub(super) fn load_requests() -> Vec<Vec<u8>> {
    keys().map(|(partition, sort)| request("PutItem", &put_body("p", partition, sort, 42))).collect()
}

fn keys() -> impl Iterator<Item = (usize, usize)> {
    (0..PARTITIONS).flat_map(|partition| (0..ITEMS_IN_A_PARTITION).map(move |sort| (partition, sort)))
}

fn put_body(prefix: &str, partition: usize, sort: usize, number: usize) -> String {
    let filler = "x".repeat(FILLER_BYTES);
    format!(
        r#"{{"TableName":"{TABLE}","Item":{{"pk":{{"S":"{prefix}{partition}"}},"sk":{{"S":"s{sort:02}"}},"n":{{"N":"{number}"}},"data":{{"S":"{filler}"}}}}}}"#
    )
}

fn get_body(partition: usize, sort: usize) -> String {
    format!(r#"{{"TableName":"{TABLE}","Key":{{"pk":{{"S":"p{partition}"}},"sk":{{"S":"s{sort:02}"}}}}}}"#)
}

fn update_body(partition: usize, sort: usize) -> String {
    format!(
        r#"{{"TableName":"{TABLE}","Key":{{"pk":{{"S":"p{partition}"}},"sk":{{"S":"s{sort:02}"}}}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{{":one":{{"N":"1"}}}}}}"#
    )
}

fn query_body(partition: usize) -> String {
    format!(
        r#"{{"TableName":"{TABLE}","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{{":p":{{"S":"p{partition}"}}}}}}"#
    )
}

fn request(target: &str, body: &str) -> Vec<u8> {
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
    use super::*;

    #[test]
    fn an_item_is_one_kilobyte_and_every_read_finds_one() {
        assert_eq!(load_requests().len(), 2_000);
        let item_bytes =
            "pk".len() + "p10".len() + "sk".len() + "s01".len() + "n".len() + 2 + "data".len() + FILLER_BYTES;
        assert!((960..=1_024).contains(&item_bytes), "{item_bytes}");
    }

    #[test]
    fn query20_is_sent_as_query() {
        let workloads = Workload::all();
        let query = workloads.last().expect("workloads");
        let text = String::from_utf8_lossy(query.choose(0)).into_owned();
        assert!(text.contains("X-Amz-Target: DynamoDB_20120810.Query\r\n"), "{text}");
    }
}
