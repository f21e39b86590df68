//! Transactions that are cancelled, and why, member by member.

use super::{action, engine, put_action, set};
use crate::support::{Refusal, get, key, put, transact};
use keywright_engine::Engine;
use serde_json::{Value, json};

fn cancelled(engine: &Engine, actions: Value) -> (String, Value) {
    let Refusal { name, message, reasons, .. } = transact(engine, actions).unwrap_err();
    assert_eq!(name, "TransactionCanceledException", "{message}");
    (message, reasons.unwrap())
}

fn guarded(mut action: Value, kind: &str, condition: Value) -> Value {
    action[kind].as_object_mut().unwrap().extend(condition.as_object().unwrap().clone());
    action
}

#[test]
fn each_member_has_its_reason_in_order_and_nothing_is_written() {
    let engine = engine();
    let item = json!({"pk": {"S": "there"}, "n": {"N": "1"}});
    put(&engine, "users", item.clone()).unwrap();
    let absent = json!({"ConditionExpression": "attribute_not_exists(pk)"});
    let absent_or_shown = json!({
        "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    });
    put(&engine, "users", json!({"pk": {"S": "shown"}, "n": {"N": "2"}})).unwrap();
    let actions = json!([
        put_action(key("new")),
        guarded(put_action(key("there")), "Put", absent),
        guarded(put_action(key("shown")), "Put", absent_or_shown),
        guarded(
            set("missing", 1),
            "Update",
            json!({"ConditionExpression": "attribute_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}),
        ),
    ]);
    let (message, reasons) = cancelled(&engine, actions);
    assert_eq!(
        message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, \
         ConditionalCheckFailed, ConditionalCheckFailed, ConditionalCheckFailed]"
    );
    let failed = json!({"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"});
    let mut shown = failed.clone();
    shown["Item"] = json!({"pk": {"S": "shown"}, "n": {"N": "2"}});
    assert_eq!(reasons, json!([{"Code": "None"}, failed, shown, failed]));
    assert_eq!(get(&engine, "users", key("new")).unwrap(), Value::Null);
    assert_eq!(get(&engine, "users", key("there")).unwrap(), item);
    assert_eq!(get(&engine, "users", key("missing")).unwrap(), Value::Null);
}

/// A key that does not fit its table, or an update that does not, is told of its member; what is known without a table,
/// and an empty value of a key (C06), refuses the request as such.
#[test]
fn what_does_not_fit_a_table_or_an_item_cancels_and_an_empty_key_refuses() {
    let engine = engine();
    put(&engine, "users", json!({"pk": {"S": "a"}, "s": {"S": "text"}})).unwrap();
    let update = |expression: &str| {
        action(
            "Update",
            json!({
                "Key": key("a"), "UpdateExpression": expression,
                "ExpressionAttributeValues": {":v": {"N": "1"}},
            }),
        )
    };
    let mismatch = "The provided key element does not match the schema";
    let number_key = json!({"pk": {"N": "5"}});
    let checks = json!({"Key": number_key, "ConditionExpression": "attribute_exists(pk)"});
    let cases = [
        (
            put_action(number_key.clone()),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (put_action(json!({})), "One or more parameter values were invalid: Missing the key pk in the item"),
        (action("Delete", json!({"Key": number_key})), mismatch),
        (action("ConditionCheck", checks), mismatch),
        (
            update("SET pk = :v"),
            "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
        ),
        (update("ADD s :v"), "An operand in the update expression has an incorrect data type"),
        (
            update("SET n = absent + :v"),
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (update("SET m.x = :v"), "The document path provided in the update expression is invalid for update"),
    ];
    for (wrong, expected) in cases {
        let (message, reasons) = cancelled(&engine, json!([put_action(key("other")), wrong]));
        assert!(message.ends_with("[None, ValidationError]"), "{message}");
        assert_eq!(reasons[1], json!({"Code": "ValidationError", "Message": expected}));
        assert_eq!(get(&engine, "users", key("other")).unwrap(), Value::Null);
    }

    let empty = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty string value. Key: pk";
    for wrong in [put_action(key("")), set("", 1), action("Delete", json!({"Key": key("")}))] {
        let refused = transact(&engine, json!([put_action(number_key.clone()), wrong])).unwrap_err();
        assert_eq!((refused.name.as_str(), refused.message.as_str()), ("ValidationException", empty));
    }
}

/// C11. Paths that overlap are known without an item: the request is refused, not the transaction cancelled.
#[test]
fn an_expression_that_cannot_be_is_no_reason_but_a_refusal() {
    let engine = engine();
    let update = |expression: &str| {
        json!([action(
            "Update",
            json!({
                "Key": key("a"), "UpdateExpression": expression, "ExpressionAttributeValues": {":m": {"M": {}}},
            }),
        )])
    };
    let refused = transact(&engine, update("SET m = :m REMOVE m.n.o")).unwrap_err();
    assert_eq!(refused.name, "ValidationException");
    assert_eq!(
        refused.message,
        "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these \
         paths; path one: [m], path two: [m, n, o]"
    );
    let refused = transact(&engine, update("SET m =")).unwrap_err();
    assert!(refused.message.starts_with("Invalid UpdateExpression: Syntax error"), "{}", refused.message);
}

/// C06. Empty values are refused in keys only, and empty members of sets nowhere.
#[test]
fn empty_values_off_the_key_are_written() {
    let engine = engine();
    let item = json!({
        "pk": {"S": "a"}, "s": {"S": ""}, "b": {"B": ""}, "ss": {"SS": [""]}, "m": {"M": {"deep": {"S": ""}}},
    });
    transact(&engine, json!([put_action(item.clone())])).unwrap();
    assert_eq!(get(&engine, "users", key("a")).unwrap(), item);
    let refused =
        transact(&engine, json!([put_action(json!({"pk": {"S": "a"}, "ss": {"SS": []}}))])).unwrap_err();
    assert_eq!(refused.message, "One or more parameter values were invalid: An string set  may not be empty");
}

#[test]
fn an_update_that_makes_an_item_too_large_cancels_and_a_put_is_refused() {
    let engine = engine();
    let data = |bytes: usize| json!({"S": "x".repeat(bytes - "pk".len() - "a".len() - "data".len())});
    let update = |bytes: usize| {
        json!([action(
            "Update",
            json!({
                "Key": key("a"), "UpdateExpression": "SET #d = :d",
                "ExpressionAttributeNames": {"#d": "data"}, "ExpressionAttributeValues": {":d": data(bytes)},
            }),
        )])
    };
    let put = |bytes: usize| json!([put_action(json!({"pk": {"S": "a"}, "data": data(bytes)}))]);
    transact(&engine, update(400 * 1024)).unwrap();
    transact(&engine, put(400 * 1024)).unwrap();
    let (_, reasons) = cancelled(&engine, update(400 * 1024 + 1));
    assert_eq!(reasons[0]["Message"], "Item size to update has exceeded the maximum allowed size");
    let refused = transact(&engine, put(400 * 1024 + 1)).unwrap_err();
    assert_eq!(refused.name, "ValidationException");
    assert_eq!(refused.message, "Item size has exceeded the maximum allowed size");
}

#[test]
fn a_table_that_is_not_there_is_told_before_anything_of_it() {
    let refused = transact(
        &engine(),
        json!([put_action(json!({})), {"Put": {"TableName": "absent", "Item": key("a")}}]),
    )
    .unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    assert_eq!(refused.message, "Requested resource not found");
}
