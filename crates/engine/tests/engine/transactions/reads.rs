//! TransactGetItems.

use super::engine;
use crate::support::{Refusal, call, key, put, refused_by, transact_get};
use keywright_api::Operation;
use serde_json::{Value, json};

#[test]
fn items_come_back_in_the_order_of_the_request_and_missing_ones_as_empty_answers() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "a"}, "n": {"N": "1"}, "m": {"M": {"x": {"S": "y"}}}})).unwrap();
    let order = json!({"pk": {"S": "o"}, "sk": {"S": "1"}});
    put(&engine, "orders", order.clone()).unwrap();
    let gets = json!({"TransactItems": [
        {"Get": {"TableName": "users", "Key": key("missing")}},
        {"Get": {"TableName": "orders", "Key": order}},
        {"Get": {
            "TableName": "users", "Key": key("a"), "ProjectionExpression": "#m.x",
            "ExpressionAttributeNames": {"#m": "m"},
        }},
    ]});
    assert_eq!(
        call(&engine, Operation::TransactGetItems, &gets).unwrap(),
        json!({"Responses": [{}, {"Item": order}, {"Item": {"m": {"M": {"x": {"S": "y"}}}}}]})
    );
}

#[test]
fn a_key_that_does_not_fit_cancels_and_says_so_of_its_read() {
    let engine = engine();
    let Refusal { name, message, reasons, .. } =
        transact_get(&engine, "users", &[key("a"), json!({})]).unwrap_err();
    assert_eq!(name, "TransactionCanceledException");
    assert_eq!(
        message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]"
    );
    let mismatch = "The provided key element does not match the schema";
    assert_eq!(reasons.unwrap(), json!([{"Code": "None"}, {"Code": "ValidationError", "Message": mismatch}]));
    let refused = transact_get(&engine, "users", &[json!({}), key("")]).unwrap_err();
    assert_eq!(refused.name, "ValidationException");
}

#[test]
fn an_item_is_read_once_and_its_table_must_be_there() {
    let engine = engine();
    let refused = refused_by(transact_get(&engine, "users", &[key("a"), key("a")]).map(|_| Value::Null));
    assert_eq!(refused, "Transaction request cannot include multiple operations on one item");
    let refused = transact_get(&engine, "absent", &[key("a")]).unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    let wrong = json!({"TransactItems": [
        {"Get": {"TableName": "users", "Key": key("a"), "ProjectionExpression": "!!!"}},
    ]});
    assert_eq!(
        refused_by(call(&engine, Operation::TransactGetItems, &wrong)),
        "Invalid ProjectionExpression: Syntax error; token: \"!\", near: \"!!\""
    );
}
