//! What requests are accepted and refused, and what answers look like on the wire.
#![expect(clippy::unwrap_used, reason = "a test that fails to set up its input has failed")]
#![expect(clippy::panic, reason = "a test says what it found instead")]

mod answers;
mod batches;
mod create_table;
mod create_table_indexes;
mod errors;
mod hostile;
mod items;
mod legacy;
mod query;
mod scan;
mod serialization;
mod tables;
mod transactions;
mod unsupported;
mod update;
mod update_table;

use keywright_api::{Error, Operation, Request, Response, TableName};
use keywright_item::json::Reader;
use keywright_item::{Item, StoredItem};
use serde_json::Value;

/// Parses a body that is written as JSON.
fn parse(operation: Operation, body: &Value) -> Result<Request, Error> {
    Request::parse(operation, body.to_string().as_bytes())
}

/// The message with which a body is refused by validation.
fn refusal(operation: Operation, body: &Value) -> String {
    match parse(operation, body) {
        Err(error @ Error::Validation(_)) => error.message().unwrap(),
        other => panic!("{body} should have been refused by validation, not be {other:?}"),
    }
}

/// Every case of a table of refusals: body and message.
fn assert_refusals(operation: Operation, cases: &[(Value, &str)]) {
    for (body, expected) in cases {
        assert_eq!(refusal(operation, body), *expected, "{body}");
    }
}

/// The body of an answer.
fn body(response: impl Into<Response>) -> String {
    let mut out = Vec::new();
    response.into().write_json(&mut out);
    String::from_utf8(out).unwrap()
}

fn app() -> TableName {
    TableName::new("App").unwrap()
}

fn item(json: &Value) -> Item {
    Reader::new(json.to_string().as_bytes()).attribute_map().unwrap().unwrap()
}

fn stored(json: &Value) -> StoredItem {
    StoredItem::encode(&item(json))
}
