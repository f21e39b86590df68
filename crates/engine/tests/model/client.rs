//! An engine as its clients see it: an operation and a JSON body, a JSON answer or a refusal.

use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Map, Value};

/// A refusal as a client tells it from others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    /// Without its namespace.
    pub(crate) name: String,
    /// The whole body.
    pub(crate) body: Value,
}

pub(crate) fn call(engine: &Engine, operation: Operation, body: &Value) -> Result<Value, Refusal> {
    let mut answer = Vec::new();
    match engine.call_wire(operation, body.to_string().as_bytes()).wait() {
        Ok(response) => {
            response.write_json(&mut answer);
            Ok(serde_json::from_slice(&answer).unwrap())
        }
        Err(error) => {
            error.write_json(&mut answer);
            let name = error.wire_name().split('#').next_back().unwrap().to_owned();
            Err(Refusal { name, body: serde_json::from_slice(&answer).unwrap() })
        }
    }
}

/// The items of all pages of a Query or Scan.
pub(crate) fn read_all(engine: &Engine, operation: Operation, mut body: Value) -> Vec<Map<String, Value>> {
    let mut items = Vec::new();
    loop {
        let page = call(engine, operation, &body).unwrap();
        items.extend(page["Items"].as_array().unwrap().iter().map(|item| item.as_object().unwrap().clone()));
        match page.get("LastEvaluatedKey") {
            Some(key) => body["ExclusiveStartKey"] = key.clone(),
            None => return items,
        }
    }
}

/// A request with more members.
pub(crate) fn merged(mut body: Value, members: &Value) -> Value {
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}
