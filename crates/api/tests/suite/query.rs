//! Query: what it accepts, and the order of its refusals as tables of cases.

use std::num::NonZeroU32;

use keywright_api::{Consistency, Direction, Operation, QueryInput, Request, ReturnConsumedCapacity, Select};
use keywright_expression::Comparison;
use keywright_item::AttributeValue;
use serde_json::{Value, json};

use crate::{app, assert_refusals, item, parse, refusal};

/// A valid body with these members instead of its own; a null takes one away.
fn body(changes: &Value) -> Value {
    let mut body = json!({
        "TableName": "App",
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "a"}},
    });
    for (name, value) in changes.as_object().unwrap() {
        body.as_object_mut().unwrap().insert(name.clone(), value.clone());
    }
    body
}

fn accepted(body: &Value) -> QueryInput {
    match parse(Operation::Query, body) {
        Ok(Request::Query(input)) => input,
        other => panic!("{body} should have been accepted, not be {other:?}"),
    }
}

#[test]
fn every_setting_of_a_request_arrives() {
    let input = accepted(&body(&json!({
        "KeyConditionExpression": "#pk = :pk AND begins_with(sk, :prefix)",
        "ExpressionAttributeNames": {"#pk": "pk"},
        "ExpressionAttributeValues": {":pk": {"S": "a"}, ":prefix": {"S": "TEAM#"}},
        "Limit": 3, "ScanIndexForward": false, "ConsistentRead": true, "Select": "COUNT",
        "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "TEAM#1"}}, "ReturnConsumedCapacity": "INDEXES",
    })));
    let s = |text: &str| AttributeValue::S(text.to_owned());
    assert_eq!(input.table_name, app());
    assert_eq!(
        input.key_condition.conditions,
        [("pk".to_owned(), Comparison::Equal(s("a"))), ("sk".to_owned(), Comparison::BeginsWith(s("TEAM#")))]
    );
    assert_eq!(input.limit, NonZeroU32::new(3));
    assert_eq!((input.direction, input.consistency), (Direction::Backward, Consistency::Strong));
    assert_eq!(input.select, Select::Count);
    assert_eq!(input.exclusive_start_key, Some(item(&json!({"pk": {"S": "a"}, "sk": {"S": "TEAM#1"}}))));
    assert_eq!(input.return_consumed_capacity, ReturnConsumedCapacity::Indexes);

    let plain =
        accepted(&body(&json!({"ScanIndexForward": null, "Limit": null, "Select": "ALL_ATTRIBUTES"})));
    assert_eq!((plain.direction, plain.consistency), (Direction::Forward, Consistency::Eventual));
    assert_eq!((plain.limit, plain.select, plain.exclusive_start_key), (None, Select::AllAttributes, None));
}

#[test]
fn violated_constraints_are_listed_together_before_anything_else() {
    assert_refusals(
        Operation::Query,
        &[
            (
                json!({}),
                "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be \
                 null",
            ),
            (
                body(&json!({"Select": "INVALID_VALUE"})),
                "1 validation error detected: Value 'INVALID_VALUE' at 'select' failed to satisfy constraint: Member must \
                 satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
            ),
            (
                body(&json!({"Limit": 0})),
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value \
                 greater than or equal to 1",
            ),
            (
                body(&json!({"TableName": "abc!", "ReturnConsumedCapacity": "hi", "Limit": -1})),
                "3 validation errors detected: Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member \
                 must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value at 'Limit' failed to satisfy constraint: \
                 Member must have value greater than or equal to 1; Value 'abc!' at 'tableName' failed to satisfy \
                 constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
            ),
        ],
    );
}

/// Each row would be refused for the reasons of later rows as well.
#[test]
fn the_first_refusal_of_several_is_the_service_s() {
    let mixed = "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: \
                 {ProjectionExpression, FilterExpression, KeyConditionExpression}";
    let everything = json!({
        "TableName": "App", "ExclusiveStartKey": {"a": {}}, "Select": "SPECIFIC_ATTRIBUTES",
        "AttributesToGet": ["a", "a"], "QueryFilter": {}, "ConditionalOperator": "OR", "KeyConditions": {"a": {"ComparisonOperator": "EQ"}},
        "ProjectionExpression": "", "FilterExpression": "", "KeyConditionExpression": "",
        "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {},
    });
    let without = |members: &[&str]| {
        let mut body = everything.clone();
        for member in members {
            body.as_object_mut().unwrap().remove(*member);
        }
        body
    };
    let legacy = ["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"];
    let expressions = ["ProjectionExpression", "FilterExpression", "KeyConditionExpression"];
    assert_refusals(
        Operation::Query,
        &[
            (everything.clone(), mixed),
            (
                without(&["KeyConditionExpression"]),
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributesToGet, QueryFilter, ConditionalOperator} Expression parameters: \
                 {ProjectionExpression, FilterExpression}",
            ),
            (without(&expressions), "ExpressionAttributeNames can only be specified when using expressions"),
            (
                without(&[&expressions[..], &["ExpressionAttributeNames"]].concat()),
                "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and \
                 KeyConditionExpression are null",
            ),
            (
                without(&[&legacy[..], &["ProjectionExpression"]].concat()),
                "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to \
                 get SPECIFIC_ATTRIBUTES",
            ),
            (
                body(&json!({"Select": "ALL_PROJECTED_ATTRIBUTES", "ExclusiveStartKey": {"a": {}}})),
                "1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
            ),
            (
                without(&legacy),
                "The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the \
                 supported datatypes",
            ),
            (
                json!({"TableName": "App"}),
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
            ),
            (
                without(&[&legacy[..], &["ExclusiveStartKey"]].concat()),
                "ExpressionAttributeNames must not be empty",
            ),
            (
                without(&[&legacy[..], &["ExclusiveStartKey", "ExpressionAttributeNames"]].concat()),
                "ExpressionAttributeValues must not be empty",
            ),
            (
                body(&json!({"KeyConditionExpression": "", "ExpressionAttributeNames": {"#a": "a"}})),
                "Invalid KeyConditionExpression: The expression can not be empty;",
            ),
            (
                body(
                    &json!({"KeyConditionExpression": "pk = :undefined", "ExpressionAttributeNames": {"#a": "a"}}),
                ),
                "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; \
                 attribute value: :undefined",
            ),
            (
                body(
                    &json!({"KeyConditionExpression": "pk <> :pk", "ExpressionAttributeNames": {"#unused": "a"}}),
                ),
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
            ),
            (
                body(&json!({"KeyConditionExpression": "pk <> :pk"})),
                "Invalid operator used in KeyConditionExpression: <>",
            ),
        ],
    );
}

/// C25: a start key that no item can have is refused; the service says of some faults only that it is about the start
/// key.
#[test]
fn values_of_the_start_key_are_refused_with_and_without_a_prefix() {
    let invalid = "One or more parameter values were invalid: ";
    let prefix = "The provided starting key is invalid: ";
    let cases = [
        (
            json!({"NULL": "no"}),
            format!("{prefix}{invalid}Null attribute value types must have the value of true"),
        ),
        (json!({"SS": []}), format!("{prefix}{invalid}An string set  may not be empty")),
        (json!({"BS": []}), format!("{prefix}{invalid}Binary sets should not be empty")),
        (
            json!({"S": "a", "N": "1"}),
            format!(
                "{prefix}Supplied AttributeValue has more than one datatypes set, must contain exactly one of the \
                 supported datatypes"
            ),
        ),
        (json!({"NS": []}), format!("{invalid}An number set  may not be empty")),
        (json!({"SS": ["a", "a"]}), format!("{invalid}Input collection [a, a] contains duplicates.")),
        (json!({"NS": ["1", "1"]}), "Input collection contains duplicates".to_owned()),
        (json!({"N": "b"}), "The parameter cannot be converted to a numeric value: b".to_owned()),
    ];
    for (value, expected) in cases {
        assert_eq!(refusal(Operation::Query, &body(&json!({"ExclusiveStartKey": {"a": value}}))), expected);
    }
}

#[test]
fn a_refused_value_of_an_expression_is_named_by_its_placeholder() {
    assert_eq!(
        refusal(Operation::Query, &body(&json!({"ExpressionAttributeValues": {":pk": {"NS": []}}}))),
        "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An number set  may \
         not be empty for key :pk"
    );
}

#[test]
fn a_limit_beyond_32_bits_is_no_limit() {
    let input = accepted(&body(&json!({"Limit": 5_000_000_000_u64})));
    assert_eq!(input.limit, Some(NonZeroU32::MAX));
}
