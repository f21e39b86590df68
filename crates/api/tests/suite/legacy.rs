//! The legacy members: their constraints, their place among the refusals, and what they exclude.

use keywright_api::{FilterSource, Operation, Request};
use serde_json::{Value, json};

use crate::{assert_refusals, parse, refusal};

const ALONE: &str = "ConditionalOperator cannot be used without Filter or Expected";
const OF_ONE: &str = "ConditionalOperator can only be used when Filter or Expected has two or more elements";

fn equal(value: &str) -> Value {
    json!({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": value}]})
}

#[test]
fn conditions_by_attribute_become_conditions() {
    let two = json!({"a": equal("x"), "b": {"ComparisonOperator": "NOT_NULL"}});
    let put =
        json!({"TableName": "App", "Item": {"a": {"S": "x"}}, "Expected": two, "ConditionalOperator": "OR"});
    let Ok(Request::PutItem(put)) = parse(Operation::PutItem, &put) else { panic!("{put} is valid") };
    assert!(put.condition.is_some());

    let scan = json!({"TableName": "App", "ScanFilter": two, "ConditionalOperator": "AND", "AttributesToGet": ["a"]});
    let Ok(Request::Scan(scan)) = parse(Operation::Scan, &scan) else { panic!("{scan} is valid") };
    assert_eq!(scan.filter.map(|filter| filter.source), Some(FilterSource::Legacy));

    let query =
        json!({"TableName": "App", "KeyConditions": {"pk": equal("x")}, "QueryFilter": {"a": equal("x")}});
    let Ok(Request::Query(query)) = parse(Operation::Query, &query) else { panic!("{query} is valid") };
    assert_eq!(query.filter.map(|filter| filter.source), Some(FilterSource::Legacy));
    assert_eq!(query.key_condition.conditions.len(), 1);

    let update = json!({"TableName": "App", "Key": {}, "AttributeUpdates": {"a": {"Value": {"S": "x"}}}, "Expected": {}});
    let Ok(Request::UpdateItem(update)) = parse(Operation::UpdateItem, &update) else {
        panic!("{update} is valid")
    };
    assert!(update.update.is_some() && update.condition.is_none());
}

/// An operator that joins nothing was accepted by emulators; the service refuses it wherever it stands.
#[test]
fn an_operator_needs_two_conditions_to_join() {
    let one = json!({"a": equal("x")});
    let cases = [
        (Operation::PutItem, json!({"Item": {}}), "Expected"),
        (Operation::DeleteItem, json!({"Key": {}}), "Expected"),
        (Operation::UpdateItem, json!({"Key": {}}), "Expected"),
        // Before the missing key condition.
        (Operation::Query, json!({}), "QueryFilter"),
        (Operation::Scan, json!({"AttributesToGet": ["a", "b"]}), "ScanFilter"),
    ];
    for (operation, mut body, member) in cases {
        body["TableName"] = json!("App");
        body["ConditionalOperator"] = json!("AND");
        assert_eq!(refusal(operation, &body), ALONE, "{body}");
        body[member] = json!({});
        assert_eq!(refusal(operation, &body), ALONE, "{body}");
        body[member] = one.clone();
        assert_eq!(refusal(operation, &body), OF_ONE, "{body}");
    }
}

#[test]
fn unknown_operators_actions_and_empty_lists_violate_constraints() {
    let operators = "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, \
                     BEGINS_WITH, GE, CONTAINS]";
    let scan = json!({
        "TableName": "abc;", "ReturnConsumedCapacity": "hi", "Segment": -1, "TotalSegments": -1, "Select": "hi",
        "Limit": -1, "ScanFilter": {"a": {}, "b": {"ComparisonOperator": ""}}, "ConditionalOperator": "AN",
    });
    assert_refusals(
        Operation::Scan,
        &[(
            scan,
            &format!(
                "9 validation errors detected: Value 'hi' at 'select' failed to satisfy constraint: Member must satisfy \
                 enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; Value '-1' at \
                 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1; Value \
                 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: \
                 [INDEXES, TOTAL, NONE]; Value 'abc;' at 'tableName' failed to satisfy constraint: Member must satisfy \
                 regular expression pattern: [a-zA-Z0-9_.-]+; Value 'AN' at 'conditionalOperator' failed to satisfy \
                 constraint: Member must satisfy enum value set: [OR, AND]; Value null at \
                 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must not be null; Value '' \
                 at 'scanFilter.b.member.comparisonOperator' failed to satisfy constraint: {operators}; Value '-1' at \
                 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0; Value '-1' at \
                 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
            ),
        )],
    );
    assert_refusals(
        Operation::UpdateItem,
        &[(
            json!({"TableName": "App", "Key": {}, "AttributeUpdates": {"a": {"Action": "SET"}}, "Expected": {"b": {"ComparisonOperator": "eq"}}}),
            &format!(
                "2 validation errors detected: Value 'eq' at 'expected.b.member.comparisonOperator' failed to satisfy \
                 constraint: {operators}; Value 'SET' at 'attributeUpdates.a.member.action' failed to satisfy constraint: \
                 Member must satisfy enum value set: [ADD, PUT, DELETE]"
            ),
        )],
    );
    for (operation, mut body) in [
        (Operation::GetItem, json!({"Key": {}})),
        (Operation::Query, json!({"KeyConditions": {"pk": equal("x")}})),
        (Operation::Scan, json!({})),
    ] {
        body["TableName"] = json!("App");
        body["AttributesToGet"] = json!([]);
        let refused = json!((0..256).map(|number| number.to_string()).collect::<Vec<_>>());
        let mut long = body.clone();
        long["AttributesToGet"] = refused;
        assert!(refusal(operation, &long).ends_with("Member must have length less than or equal to 255"));
        assert_eq!(
            refusal(operation, &body),
            "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have \
             length greater than or equal to 1"
        );
    }
}

/// C19: KeyConditions is the legacy member that may stand beside expressions, unless there is a KeyConditionExpression.
#[test]
fn legacy_key_conditions_go_with_expressions_of_other_kinds() {
    let body = json!({
        "TableName": "App", "KeyConditions": {"pk": equal("x")}, "FilterExpression": "a = :v", "ProjectionExpression": "a",
        "ExpressionAttributeValues": {":v": {"S": "x"}},
    });
    let Ok(Request::Query(query)) = parse(Operation::Query, &body) else { panic!("{body} is valid") };
    assert_eq!(query.filter.map(|filter| filter.source), Some(FilterSource::Expression));

    let mut body = body;
    body["KeyConditionExpression"] = json!("pk = :v");
    assert_eq!(
        refusal(Operation::Query, &body),
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: \
         {KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}"
    );
}

/// A map of more attributes than an item of 400 KB can have is refused, not cut off: cut off, it would be another
/// condition than the one that was sent.
#[test]
fn more_conditions_than_an_item_has_attributes_are_refused() {
    let many: serde_json::Map<String, Value> =
        (0..100_001).map(|number| (format!("{number}"), json!({"Exists": false}))).collect();
    let body = json!({"TableName": "App", "Item": {"pk": {"S": "x"}}, "Expected": many});
    assert_eq!(refusal(Operation::PutItem, &body), "Item size has exceeded the maximum allowed size");
}

#[test]
fn of_an_attribute_that_is_there_twice_the_last_entry_counts() {
    let body =
        r#"{"TableName": "App", "Key": {}, "Expected": {"a": {"Exists": true}, "a": {"Exists": false}}}"#;
    assert!(Request::parse(Operation::DeleteItem, body.as_bytes()).is_ok());
}
