//! Scan: what it accepts, and the order of its refusals as tables of cases.

use std::num::NonZeroU32;

use keywright_api::{
    Consistency, Operation, Request, ReturnConsumedCapacity, ScanInput, ScanSegment, Select,
};
use serde_json::{Value, json};

use crate::{app, assert_refusals, item, parse, refusal};

fn scan(changes: &Value) -> Value {
    let mut body = json!({"TableName": "App"});
    for (name, value) in changes.as_object().unwrap() {
        body.as_object_mut().unwrap().insert(name.clone(), value.clone());
    }
    body
}

fn accepted(body: &Value) -> ScanInput {
    match parse(Operation::Scan, body) {
        Ok(Request::Scan(input)) => input,
        other => panic!("{body} should have been accepted, not be {other:?}"),
    }
}

#[test]
fn every_setting_of_a_request_arrives() {
    let input = accepted(&scan(&json!({
        "Segment": 3, "TotalSegments": 8, "Limit": 5, "ConsistentRead": true, "Select": "COUNT",
        "FilterExpression": "a = :v", "ExpressionAttributeValues": {":v": {"S": "x"}},
        "ExclusiveStartKey": {"pk": {"S": "a"}}, "ReturnConsumedCapacity": "TOTAL",
    })));
    assert_eq!(input.table_name, app());
    assert_eq!(input.segment, ScanSegment::new(3, 8).unwrap());
    assert_eq!((input.limit, input.consistency), (NonZeroU32::new(5), Consistency::Strong));
    assert_eq!((input.filter.is_some(), input.select), (true, Select::Count));
    assert_eq!(input.exclusive_start_key, Some(item(&json!({"pk": {"S": "a"}}))));
    assert_eq!(input.return_consumed_capacity, ReturnConsumedCapacity::Total);

    let plain = accepted(&scan(&json!({"Segment": null, "Select": "ALL_ATTRIBUTES"})));
    assert_eq!(
        (plain.segment, plain.filter, plain.select),
        (ScanSegment::WHOLE, None, Select::AllAttributes)
    );
    let parts = accepted(&scan(&json!({"ProjectionExpression": "a", "Select": "SPECIFIC_ATTRIBUTES"})));
    assert!(matches!(parts.select, Select::Attributes(_)));
    let parts = accepted(&scan(&json!({"AttributesToGet": ["a"]})));
    assert!(matches!(parts.select, Select::Attributes(_)));
}

/// C26: some emulators gave every segment the whole table, or took any number of segments.
#[test]
fn segments_that_do_not_exist_are_refused() {
    assert_refusals(
        Operation::Scan,
        &[
            (
                scan(&json!({"Segment": 0, "FilterExpression": "", "ExpressionAttributeNames": {}})),
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is \
                 present",
            ),
            (
                scan(&json!({"TotalSegments": 4, "FilterExpression": ""})),
                "The Segment parameter is required but was not present in the request when parameter TotalSegments is \
                 present",
            ),
            (
                scan(&json!({"Segment": 8, "TotalSegments": 8, "FilterExpression": ""})),
                "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 8 is not \
                 less than TotalSegments: 8",
            ),
            (
                scan(&json!({"Segment": 0, "TotalSegments": 1_000_001})),
                "1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member \
                 must have value less than or equal to 1000000",
            ),
            (
                scan(&json!({"Segment": 1_000_000, "TotalSegments": 1_000_000})),
                "1 validation error detected: Value '1000000' at 'segment' failed to satisfy constraint: Member must \
                 have value less than or equal to 999999",
            ),
            (
                scan(&json!({"Limit": 0})),
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value \
                 greater than or equal to 1",
            ),
        ],
    );
    assert_eq!(
        accepted(&scan(&json!({"Segment": 999_999, "TotalSegments": 1_000_000}))).segment.number(),
        999_999
    );
}

/// Each row would be refused for the reasons of later rows as well.
#[test]
fn the_first_refusal_of_several_is_the_service_s() {
    let everything = json!({
        "ScanFilter": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{}]}}, "Segment": 1, "Limit": 1,
        "AttributesToGet": ["a", "a"], "ExclusiveStartKey": {"a": {}}, "ConditionalOperator": "OR",
        "Select": "COUNT", "FilterExpression": "", "ProjectionExpression": "",
        "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {},
    });
    let without = |members: &[&str]| {
        let mut body = scan(&everything);
        for member in members {
            body.as_object_mut().unwrap().remove(*member);
        }
        body
    };
    let expressions = ["ProjectionExpression", "FilterExpression"];
    let legacy = ["AttributesToGet", "ScanFilter", "ConditionalOperator"];
    assert_refusals(
        Operation::Scan,
        &[
            (
                without(&[]),
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributesToGet, ScanFilter, ConditionalOperator} Expression parameters: \
                 {ProjectionExpression, FilterExpression}",
            ),
            (without(&expressions), "ExpressionAttributeNames can only be specified when using expressions"),
            (
                without(&[&expressions[..], &["ExpressionAttributeNames"]].concat()),
                "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
            ),
            (without(&legacy), "Cannot specify the ProjectionExpression when choosing to get only the Count"),
            (
                without(&[&legacy[..], &["Select"]].concat()),
                "The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the \
                 supported datatypes",
            ),
            (
                without(&[&legacy[..], &["Select", "ExclusiveStartKey"]].concat()),
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is \
                 present",
            ),
            (
                without(&[&legacy[..], &["Select", "ExclusiveStartKey", "Segment"]].concat()),
                "ExpressionAttributeNames must not be empty",
            ),
            (
                scan(&json!({"FilterExpression": "", "ProjectionExpression": ""})),
                "Invalid FilterExpression: The expression can not be empty;",
            ),
            (
                scan(&json!({"ProjectionExpression": ""})),
                "Invalid ProjectionExpression: The expression can not be empty;",
            ),
        ],
    );
}

/// What a request selects must fit the attributes that it names. Query words each refusal as a violated constraint, Scan does
/// not; emulators took such requests and answered with one of the two.
#[test]
fn what_is_selected_fits_the_attributes_that_are_named() {
    let constraint = "1 validation error detected: ";
    for (operation, prefix, key_condition) in [
        (
            Operation::Query,
            constraint,
            json!({"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}),
        ),
        (Operation::Scan, "", json!(null)),
    ] {
        for (member, value) in [("ProjectionExpression", json!("a")), ("AttributesToGet", json!(["a"]))] {
            for (select, selected) in [
                ("ALL_ATTRIBUTES", "ALL_ATTRIBUTES"),
                ("ALL_PROJECTED_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
                ("COUNT", "only the Count"),
            ] {
                let body = scan(&json!({"Select": select, member: value, "KeyConditions": key_condition}));
                let expected = format!("{prefix}Cannot specify the {member} when choosing to get {selected}");
                assert_eq!(refusal(operation, &body), expected, "{body}");
            }
        }
        for (select, expected) in [
            (
                "SPECIFIC_ATTRIBUTES",
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
            ),
            (
                "ALL_PROJECTED_ATTRIBUTES",
                "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
            ),
        ] {
            let body = scan(&json!({"Select": select, "KeyConditions": key_condition}));
            assert_eq!(refusal(operation, &body), format!("{prefix}{expected}"), "{body}");
        }
    }
}
