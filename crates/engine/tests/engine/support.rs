//! An engine as a client sees it: an operation, a JSON body, a JSON answer or a refusal.

use keywright_api::{Error, Operation};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

/// A refusal's short name and message, and what else it holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) name: String,
    pub(crate) message: String,
    /// The item of a failed condition, where the request asked for it.
    pub(crate) item: Option<Value>,
    /// Why a transaction was cancelled, member by member.
    pub(crate) reasons: Option<Value>,
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
    Refusal {
        name,
        message: error.message().unwrap_or_default(),
        item: body.get("Item").cloned(),
        reasons: body.get("CancellationReasons").cloned(),
    }
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
    let keys: Vec<&str> = std::iter::once(partition_key).chain(sort_key).collect();
    create_indexed(engine, name, &keys, &json!([]), &json!([]), &[])
}

/// Creates an on-demand table with indexes; `more` are the attributes that only they have for keys.
pub(crate) fn create_indexed(
    engine: &Engine,
    name: &str,
    keys: &[&str],
    local: &Value,
    global: &Value,
    more: &[&str],
) -> Value {
    let definitions: Vec<Value> = keys
        .iter()
        .chain(more)
        .map(|key| {
            let (name, kind) = key.split_once(':').unwrap();
            json!({"AttributeName": name, "AttributeType": kind})
        })
        .collect();
    let mut body = json!({
        "TableName": name,
        "AttributeDefinitions": definitions,
        "KeySchema": key_schema(keys),
        "BillingMode": "PAY_PER_REQUEST",
    });
    for (member, indexes) in [("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", global)] {
        if !indexes.as_array().unwrap().is_empty() {
            body[member] = indexes.clone();
        }
    }
    call(engine, Operation::CreateTable, &body).unwrap()
}

/// A key of a partition key and perhaps a sort key, each written `"pk:S"` or `"pk"`.
pub(crate) fn key_schema(keys: &[&str]) -> Value {
    let elements = keys.iter().zip(["HASH", "RANGE"]).map(|(key, role)| {
        let name = key.split_once(':').map_or(*key, |(name, _)| name);
        json!({"AttributeName": name, "KeyType": role})
    });
    elements.collect()
}

/// An index with a key as [`key_schema`] takes it; `projection` is `ALL`, `KEYS_ONLY` or the attributes to include.
pub(crate) fn index(name: &str, keys: &[&str], projection: Value) -> Value {
    let projection = match projection {
        Value::String(kind) => json!({"ProjectionType": kind}),
        names => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
    };
    json!({"IndexName": name, "KeySchema": key_schema(keys), "Projection": projection})
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

/// A BatchGetItem of what is to be read of each table.
pub(crate) fn batch_get(engine: &Engine, request_items: Value) -> Result<Value, Refusal> {
    call(engine, Operation::BatchGetItem, &json!({"RequestItems": request_items}))
}

/// A BatchWriteItem of what is to be written to each table.
pub(crate) fn batch_write(engine: &Engine, request_items: Value) -> Result<Value, Refusal> {
    call(engine, Operation::BatchWriteItem, &json!({"RequestItems": request_items}))
}

/// A TransactWriteItems of these actions.
pub(crate) fn transact(engine: &Engine, actions: Value) -> Result<Value, Refusal> {
    call(engine, Operation::TransactWriteItems, &json!({"TransactItems": actions}))
}

/// A TransactGetItems of these keys of one table; the items, or null where there is none.
pub(crate) fn transact_get(engine: &Engine, table: &str, keys: &[Value]) -> Result<Vec<Value>, Refusal> {
    let gets: Vec<Value> = keys.iter().map(|key| json!({"Get": {"TableName": table, "Key": key}})).collect();
    let answer = call(engine, Operation::TransactGetItems, &json!({"TransactItems": gets}))?;
    Ok(answer["Responses"].as_array().unwrap().iter().map(|response| response["Item"].clone()).collect())
}
