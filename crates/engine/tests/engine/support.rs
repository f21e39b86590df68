//! An engine as a client sees it: an operation, a JSON body, a JSON answer or a refusal.

use keywright_api::{Error, Operation};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

/// A refusal's short name and message, and the item of a failed condition where the refusal holds it.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) item: Option<Value>,
}

pub(crate) fn memory() -> Engine {
    Engine::open(Options::memory()).unwrap()
}

pub(crate) fn call(engine: &Engine, operation: Operation, body: &Value) -> Result<Value, Refusal> {
    let response = engine.call_wire(operation, body.to_string().as_bytes()).wait().map_err(refusal)?;
    let mut answer = Vec::new();
    response.write_json(&mut answer);
    Ok(serde_json::from_slice(&answer).unwrap())
}

pub(crate) fn refusal(error: Error) -> Refusal {
    let name = error.wire_name().split('#').next_back().unwrap().to_owned();
    let mut body = Vec::new();
    error.write_json(&mut body);
    let body: Value = serde_json::from_slice(&body).unwrap();
    Refusal { name, message: error.message().unwrap_or_default(), item: body.get("Item").cloned() }
}

/// The message of a refusal by validation.
pub(crate) fn refused_by(outcome: Result<Value, Refusal>) -> String {
    let refused = outcome.unwrap_err();
    assert_eq!(refused.name, "ValidationException", "{}", refused.message);
    refused.message
}

/// A request with more members.
pub(crate) fn merged(mut body: Value, members: &Value) -> Value {
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

/// The key of a table that has only the partition key `pk`.
pub(crate) fn key(partition_key: &str) -> Value {
    json!({"pk": {"S": partition_key}})
}

/// Creates an on-demand table; a key is written `"pk:S"`.
pub(crate) fn create(engine: &Engine, name: &str, partition_key: &str, sort_key: Option<&str>) -> Value {
    let keys: Vec<(&str, &str)> =
        std::iter::once(partition_key).chain(sort_key).map(|key| key.split_once(':').unwrap()).collect();
    let definitions: Vec<Value> =
        keys.iter().map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind})).collect();
    let schema: Vec<Value> = keys
        .iter()
        .zip(["HASH", "RANGE"])
        .map(|((name, _), role)| json!({"AttributeName": name, "KeyType": role}))
        .collect();
    let body = json!({
        "TableName": name,
        "AttributeDefinitions": definitions,
        "KeySchema": schema,
        "BillingMode": "PAY_PER_REQUEST",
    });
    call(engine, Operation::CreateTable, &body).unwrap()
}

pub(crate) fn put(engine: &Engine, table: &str, item: Value) -> Result<Value, Refusal> {
    call(engine, Operation::PutItem, &json!({"TableName": table, "Item": item}))
}

/// The item under a key, or null.
pub(crate) fn get(engine: &Engine, table: &str, key: Value) -> Result<Value, Refusal> {
    let body = json!({"TableName": table, "Key": key, "ConsistentRead": true});
    call(engine, Operation::GetItem, &body).map(|answer| answer["Item"].clone())
}

/// An UpdateItem; `members` are merged into the request.
pub(crate) fn update(engine: &Engine, table: &str, key: Value, members: Value) -> Result<Value, Refusal> {
    let body = json!({"TableName": table, "Key": key});
    call(engine, Operation::UpdateItem, &merged(body, &members))
}

/// A page of a Scan; `members` are merged into the request.
pub(crate) fn scan(engine: &Engine, table: &str, members: &Value) -> Result<Value, Refusal> {
    call(engine, Operation::Scan, &merged(json!({"TableName": table}), members))
}

/// A Query of one partition; `members` are merged into the request.
pub(crate) fn query(
    engine: &Engine,
    table: &str,
    condition: &str,
    values: Value,
    members: Value,
) -> Result<Value, Refusal> {
    let body = json!({
        "TableName": table,
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values,
    });
    call(engine, Operation::Query, &merged(body, &members))
}
