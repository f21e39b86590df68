//! UpdateItem: what it accepts, and the order of its refusals as tables of cases.

use keywright_api::{
    Operation, Request, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure, UpdateItemInput,
    UpdateReturnValues,
};
use serde_json::{Value, json};

use crate::{app, assert_refusals, item, parse};

fn update(changes: &Value) -> Value {
    let mut body = json!({"TableName": "App", "Key": {"pk": {"S": "a"}}});
    for (name, value) in changes.as_object().unwrap() {
        body.as_object_mut().unwrap().insert(name.clone(), value.clone());
    }
    body
}

fn accepted(body: &Value) -> UpdateItemInput {
    match parse(Operation::UpdateItem, body) {
        Ok(Request::UpdateItem(input)) => input,
        other => panic!("{body} should have been accepted, not be {other:?}"),
    }
}

#[test]
fn every_setting_of_a_request_arrives() {
    let input = accepted(&update(&json!({
        "UpdateExpression": "SET #n = :v", "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeNames": {"#n": "name"}, "ExpressionAttributeValues": {":v": {"S": "x"}},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD", "ReturnConsumedCapacity": "TOTAL",
    })));
    assert_eq!(input.table_name, app());
    assert_eq!(input.key, item(&json!({"pk": {"S": "a"}})));
    assert!(input.update.is_some() && input.condition.is_some());
    assert_eq!(input.return_values, UpdateReturnValues::None);
    assert_eq!(input.on_condition_failure, ReturnValuesOnConditionCheckFailure::AllOld);
    assert_eq!(input.return_consumed_capacity, ReturnConsumedCapacity::Total);

    for (name, image) in [
        ("NONE", UpdateReturnValues::None),
        ("ALL_OLD", UpdateReturnValues::AllOld),
        ("UPDATED_OLD", UpdateReturnValues::UpdatedOld),
        ("ALL_NEW", UpdateReturnValues::AllNew),
        ("UPDATED_NEW", UpdateReturnValues::UpdatedNew),
    ] {
        let input = accepted(&update(&json!({"ReturnValues": name})));
        assert_eq!((input.return_values, input.update), (image, None));
    }
}

/// Each row would be refused for the reasons of later rows as well.
#[test]
fn the_first_refusal_of_several_is_the_service_s() {
    let everything = json!({
        "Key": {"a": {}}, "AttributeUpdates": {"a": {}}, "Expected": {"a": {}}, "ConditionalOperator": "OR",
        "UpdateExpression": "", "ConditionExpression": "", "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {},
    });
    let without = |members: &[&str]| {
        let mut body = update(&everything);
        for member in members {
            body.as_object_mut().unwrap().remove(*member);
        }
        body
    };
    let legacy = ["AttributeUpdates", "Expected", "ConditionalOperator"];
    let expressions = ["UpdateExpression", "ConditionExpression"];
    let placeholders = ["ExpressionAttributeNames", "ExpressionAttributeValues"];
    let mut valid_key = without(&[&legacy[..]].concat());
    valid_key["Key"] = json!({});
    assert_refusals(
        Operation::UpdateItem,
        &[
            (
                json!({}),
                "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not \
                 be null; Value null at 'key' failed to satisfy constraint: Member must not be null",
            ),
            (
                without(&[]),
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributeUpdates, Expected, ConditionalOperator} Expression parameters: \
                 {UpdateExpression, ConditionExpression}",
            ),
            (without(&expressions), "ExpressionAttributeNames can only be specified when using expressions"),
            (
                without(&[&expressions[..], &["ExpressionAttributeNames"]].concat()),
                "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and \
                 ConditionExpression are null",
            ),
            (
                without(&[&expressions[..], &placeholders].concat()),
                "ConditionalOperator can only be used when Filter or Expected has two or more elements",
            ),
            (
                without(&[&expressions[..], &placeholders, &["ConditionalOperator"]].concat()),
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
            ),
            (
                without(&legacy),
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
            ),
            (valid_key, "ExpressionAttributeNames must not be empty"),
            (
                update(&json!({"UpdateExpression": "", "ConditionExpression": ""})),
                "Invalid UpdateExpression: The expression can not be empty;",
            ),
            (
                update(&json!({"ConditionExpression": ""})),
                "Invalid ConditionExpression: The expression can not be empty;",
            ),
        ],
    );
}

/// C13: emulators accepted placeholders that no expression uses, one of them even wrote the item. The service words the
/// refusal of a PutItem or DeleteItem as a violated constraint, and that of an UpdateItem not.
#[test]
fn unused_placeholders_are_refused_in_the_words_of_each_operation() {
    let names = "Value provided in ExpressionAttributeNames unused in expressions: keys: {#st}";
    let values = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}";
    let condition =
        json!({"TableName": "App", "Item": {}, "Key": {}, "ConditionExpression": "attribute_exists(a)"});
    for (operation, prefix) in [
        (Operation::PutItem, "1 validation error detected: "),
        (Operation::DeleteItem, "1 validation error detected: "),
        (Operation::UpdateItem, ""),
    ] {
        let mut body = condition.clone();
        body["ExpressionAttributeNames"] = json!({"#st": "status"});
        assert_refusals(operation, &[(body, &format!("{prefix}{names}"))]);
        let mut body = condition.clone();
        body["ExpressionAttributeValues"] = json!({":u": {"S": "x"}});
        assert_refusals(operation, &[(body, &format!("{prefix}{values}"))]);
    }
    let scan = json!({"TableName": "App", "ProjectionExpression": "a", "ExpressionAttributeNames": {"#st": "status"}});
    assert_refusals(Operation::Scan, &[(scan, names)]);
    let get = json!({"TableName": "App", "Key": {}, "ProjectionExpression": "a", "ExpressionAttributeNames": {"#st": "status"}});
    assert_refusals(Operation::GetItem, &[(get, names)]);
    let query = json!({
        "TableName": "App", "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "x"}, ":u": {"S": "x"}},
    });
    assert_refusals(Operation::Query, &[(query, values)]);
}
