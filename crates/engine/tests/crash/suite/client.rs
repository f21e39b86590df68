//! A store as its clients see it: an operation and a JSON body, and what came back, if anything.

use keywright_api::Operation;
use serde_json::{Map, Value, json};

use super::verdict::{Kind, Violation};

pub(crate) type Item = Map<String, Value>;

/// What became of a call, as far as its caller knows.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// It was carried out.
    Done(Value),
    /// The request was refused for what it is: it was not carried out, and never will be.
    Refused {
        /// Without its namespace.
        name: String,
        message: String,
    },
    /// The disk is full: it was not carried out, and never will be.
    DiskFull,
    /// Nobody knows: there was no answer, or one that says that the store failed.
    Unknown(String),
}

impl Answer {
    /// What an error says.
    pub(crate) fn of_error(name: &str, message: &str) -> Answer {
        match name {
            "InternalServerError" if message.contains(FULL_DISK) => Answer::DiskFull,
            "InternalServerError" => Answer::Unknown(message.to_owned()),
            _ => Answer::Refused { name: name.to_owned(), message: message.to_owned() },
        }
    }
}

/// What a refusal says whose cause is that the disk has no room.
const FULL_DISK: &str = "the store is read-only because its disk is full, and nothing was written";

/// Sends calls, one at a time.
pub(crate) trait Client {
    fn call(&mut self, operation: Operation, body: &Value) -> Answer;

    /// A call that reads, or that cannot fail on a store which is well.
    fn must(&mut self, operation: Operation, body: &Value) -> Result<Value, Violation> {
        match self.call(operation, body) {
            Answer::Done(answer) => Ok(answer),
            other => Err(Violation::new(Kind::Refused, format!("{} {body}: {other:?}", operation.name()))),
        }
    }

    /// The items of all pages of a Query or Scan.
    fn read_all(&mut self, operation: Operation, mut body: Value) -> Result<Vec<Item>, Violation> {
        let mut items = Vec::new();
        loop {
            let page = self.must(operation, &body)?;
            items.extend(
                page["Items"].as_array().unwrap().iter().map(|item| item.as_object().unwrap().clone()),
            );
            match page.get("LastEvaluatedKey") {
                Some(key) => body["ExclusiveStartKey"] = key.clone(),
                None => return Ok(items),
            }
        }
    }

    /// Every item of a table.
    fn scan(&mut self, table: &str) -> Result<Vec<Item>, Violation> {
        self.read_all(Operation::Scan, json!({"TableName": table, "ConsistentRead": true}))
    }
}

/// The S of an attribute.
pub(crate) fn string<'item>(item: &'item Item, name: &str) -> Option<&'item str> {
    item.get(name)?["S"].as_str()
}

/// The N of an attribute, when it is a whole number.
pub(crate) fn number(item: &Item, name: &str) -> Option<i64> {
    item.get(name)?["N"].as_str()?.parse().ok()
}
