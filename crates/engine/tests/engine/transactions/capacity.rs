//! What transactions consume.

use super::{action, engine, put_action};
use crate::support::{call, key, put};
use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Value, json};

fn consumed(engine: &Engine, operation: Operation, members: Value, detail: &str) -> Value {
    let body = json!({"TransactItems": members, "ReturnConsumedCapacity": detail});
    call(engine, operation, &body).unwrap()["ConsumedCapacity"].clone()
}

/// C34. DynamoDB Local 3.0.0 and LocalStack reported two units for two small puts: each member costs twice what it costs
/// alone. A condition that holds costs nothing, a check as much as a write; what was written or read is told beside the
/// sum, by transactions only.
#[test]
fn members_cost_twice_what_they_cost_alone() {
    let engine = engine();
    let write =
        |members: Value, detail: &str| consumed(&engine, Operation::TransactWriteItems, members, detail);
    let puts = json!([put_action(key("a")), put_action(key("b"))]);
    assert_eq!(
        write(puts.clone(), "TOTAL"),
        json!([{"TableName": "users", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}])
    );
    assert_eq!(
        write(puts.clone(), "INDEXES"),
        json!([{
            "TableName": "users", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0,
            "Table": {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0},
        }])
    );
    assert_eq!(write(puts, "NONE"), Value::Null);

    let order = json!({"Put": {"TableName": "orders", "Item": {"pk": {"S": "o"}, "sk": {"S": "1"}}}});
    let check =
        action("ConditionCheck", json!({"Key": key("a"), "ConditionExpression": "attribute_exists(pk)"}));
    let guarded = action("Put", json!({"Item": key("b"), "ConditionExpression": "attribute_exists(pk)"}));
    assert_eq!(
        write(json!([check, order, guarded]), "TOTAL"),
        json!([
            {"TableName": "users", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0},
            {"TableName": "orders", "CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
        ])
    );
}

/// Deletes and checks are charged by the item that is there, and the delete of a missing one the least.
#[test]
fn an_action_is_charged_by_the_item_and_not_by_its_key() {
    let engine = engine();
    let large = json!({"pk": {"S": "large"}, "data": {"S": "x".repeat(3000)}});
    let units = |members: Value| {
        consumed(&engine, Operation::TransactWriteItems, members, "TOTAL")[0]["CapacityUnits"]
            .as_f64()
            .unwrap()
    };
    put(&engine, "users", large).unwrap();
    let check =
        action("ConditionCheck", json!({"Key": key("large"), "ConditionExpression": "attribute_exists(pk)"}));
    assert_eq!(units(json!([check])), 6.0);
    let delete = json!([action("Delete", json!({"Key": key("large")}))]);
    assert_eq!(units(delete.clone()), 6.0);
    assert_eq!(units(delete), 2.0);
}

#[test]
fn reads_cost_twice_a_consistent_read_and_a_missing_item_the_least() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "large"}, "data": {"S": "x".repeat(4100)}})).unwrap();
    let get = |table: &str, key: Value| json!({"Get": {"TableName": table, "Key": key}});
    let gets = json!([
        get("users", key("large")),
        get("users", key("missing")),
        get("orders", json!({"pk": {"S": "o"}, "sk": {"S": "1"}})),
    ]);
    assert_eq!(
        consumed(&engine, Operation::TransactGetItems, gets, "INDEXES"),
        json!([
            {
                "TableName": "users", "CapacityUnits": 6.0, "ReadCapacityUnits": 6.0,
                "Table": {"CapacityUnits": 6.0, "ReadCapacityUnits": 6.0},
            },
            {
                "TableName": "orders", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0,
                "Table": {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0},
            },
        ])
    );
}
