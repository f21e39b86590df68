//! How many actions a transaction has, how large it is, and what a member of it is.

use super::{action, engine, put_action, set};
use crate::support::{call, get, key, put, refused_by, transact, transact_get};
use keywright_api::Operation;
use serde_json::{Value, json};

fn puts(count: usize) -> Vec<Value> {
    (0..count).map(|number| put_action(key(&number.to_string()))).collect()
}

/// C32. 100 actions are carried out, one more is refused, and then nothing of them is.
#[test]
fn a_transaction_has_1_to_100_actions() {
    let engine = engine();
    let refused = refused_by(transact(&engine, json!(puts(101))));
    assert!(refused.starts_with("1 validation error detected: Value '[TransactWriteItem, "), "{refused}");
    assert!(
        refused.ends_with(
            "]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
        ),
        "{refused}"
    );
    assert_eq!(get(&engine, "users", key("0")).unwrap(), Value::Null);
    transact(&engine, json!(puts(100))).unwrap();
    assert!(get(&engine, "users", key("99")).unwrap().is_object());
    assert_eq!(
        refused_by(transact(&engine, json!([]))),
        "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have \
         length greater than or equal to 1"
    );

    let keys: Vec<Value> = (0..101).map(|number| key(&number.to_string())).collect();
    assert_eq!(transact_get(&engine, "users", &keys[..100]).unwrap().len(), 100);
    let refused = transact_get(&engine, "users", &keys).unwrap_err();
    assert!(
        refused.message.contains("Member must have length less than or equal to 100"),
        "{}",
        refused.message
    );
}

/// C32. The items that a transaction writes are 4 MB together at most, whether they come with the request or an update
/// makes them.
#[test]
fn a_transaction_writes_at_most_4_mb() {
    let engine = engine();
    let large = |number: usize, bytes: usize| {
        let data = "x".repeat(bytes - "pk".len() - 2 - "data".len());
        json!({"pk": {"S": format!("{number:02}")}, "data": {"S": data}})
    };
    // 16 of 256 KB are 4 MB.
    let puts = |last: usize| -> Vec<Value> {
        (0..16).map(|number| put_action(large(number, if number == 15 { last } else { 256 << 10 }))).collect()
    };
    let too_large = "Transaction request cannot include items of more than 4 MB together";
    assert_eq!(refused_by(transact(&engine, json!(puts((256 << 10) + 1)))), too_large);
    assert_eq!(get(&engine, "users", key("00")).unwrap(), Value::Null);
    transact(&engine, json!(puts(256 << 10))).unwrap();

    // With a byte more in one of them.
    let updates: Vec<Value> = (0..16).map(|number| set(&format!("{number:02}"), 1)).collect();
    assert_eq!(refused_by(transact(&engine, json!(updates))), too_large);
    assert!(get(&engine, "users", key("00")).unwrap().get("n").is_none());
}

#[test]
fn a_transaction_reads_at_most_4_mb() {
    let engine = engine();
    let keys: Vec<Value> = (0..17).map(|number| key(&format!("{number:02}"))).collect();
    for number in 0..16 {
        let data = "x".repeat((256 << 10) - "pk".len() - 2 - "data".len());
        put(&engine, "users", json!({"pk": {"S": format!("{number:02}")}, "data": {"S": data}})).unwrap();
    }
    assert_eq!(transact_get(&engine, "users", &keys).unwrap().len(), 17);
    put(&engine, "users", json!({"pk": {"S": "16"}})).unwrap();
    let refused = transact_get(&engine, "users", &keys).unwrap_err();
    assert_eq!(refused.message, "Transaction request cannot include items of more than 4 MB together");
}

#[test]
fn a_member_is_one_action() {
    let engine = engine();
    assert_eq!(
        refused_by(transact(&engine, json!([{}]))),
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
    );
    let mut several = put_action(key("a"));
    several["Delete"] = action("Delete", json!({"Key": key("a")}))["Delete"].clone();
    assert_eq!(
        refused_by(transact(&engine, json!([several]))),
        "TransactItems can only contain one of Check, Put, Update or Delete"
    );
    assert_eq!(
        refused_by(call(&engine, Operation::TransactGetItems, &json!({"TransactItems": [{}]}))),
        "1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member \
         must not be null"
    );
}

/// The members that an action lacks or has wrong are named by the action's place and kind, all of them together.
#[test]
fn constraints_are_told_by_the_path_of_the_member() {
    let engine = engine();
    let actions = json!([
        put_action(key("a")),
        {"Update": {"TableName": "bad!name", "Key": key("b")}},
        {"ConditionCheck": {"TableName": "users", "Key": key("c")}},
        {"Put": {"Item": key("d"), "ReturnValuesOnConditionCheckFailure": "ALL_NEW"}},
    ]);
    let at = |value: &str, path: &str, constraint: &str| {
        format!("Value {value} at 'transactItems.{path}' failed to satisfy constraint: {constraint}")
    };
    let null = "Member must not be null";
    let expected = [
        at(
            "'bad!name'",
            "2.member.update.tableName",
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
        at("null", "2.member.update.updateExpression", null),
        at("null", "3.member.conditionCheck.conditionExpression", null),
        at("null", "4.member.put.tableName", null),
        at(
            "'ALL_NEW'",
            "4.member.put.returnValuesOnConditionCheckFailure",
            "Member must satisfy enum value set: [ALL_OLD, NONE]",
        ),
    ];
    assert_eq!(
        refused_by(transact(&engine, actions)),
        format!("5 validation errors detected: {}", expected.join("; "))
    );
    let token = json!({"ClientRequestToken": "x".repeat(37), "TransactItems": [put_action(key("a"))]});
    assert!(
        refused_by(call(&engine, Operation::TransactWriteItems, &token))
            .ends_with("at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36")
    );
}
