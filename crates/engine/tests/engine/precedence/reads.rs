//! GetItem, Query and Scan.

use keywright_api::{Check, Operation};
use serde_json::{Value, json};

use super::{
    Breach, Case, breach, constraints, mixture, operator, placeholders, prove, table, unused, values,
};

#[test]
fn the_first_failed_check_of_a_get_item_is_the_one_that_is_told() {
    let case = Case {
        valid: json!({
            "TableName": "items", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "#s",
            "ExpressionAttributeNames": {"#s": "s"},
        }),
        breaches: vec![
            constraints(),
            mixture(json!({"AttributesToGet": ["s"]})),
            values(json!({"Key": {"pk": {}}})),
            breach(
                Check::Placeholders,
                json!({"ExpressionAttributeNames": {"s": "x"}}),
                "ExpressionAttributeNames contains invalid key",
            ),
            breach(
                Check::ProjectionExpression,
                json!({"ProjectionExpression": "#s,"}),
                "Invalid ProjectionExpression: Syntax",
            ),
            unused(),
            table(),
            breach(
                Check::Key,
                json!({"Key": {"pk": {"N": "1"}}}),
                "The provided key element does not match the schema",
            ),
            breach(
                Check::ProjectionIntoKey,
                json!({"ProjectionExpression": "#s, pk.x"}),
                "Key attributes must be scalars",
            ),
        ],
    };
    let legacy = Case {
        valid: json!({"TableName": "items", "Key": {"pk": {"S": "a"}}, "AttributesToGet": ["s"]}),
        breaches: vec![
            constraints(),
            values(json!({"Key": {"pk": {}}})),
            breach(
                Check::LegacyProjection,
                json!({"AttributesToGet": ["s", "s"]}),
                "Duplicate value in attribute name: s",
            ),
            table(),
        ],
    };
    prove(Operation::GetItem, &[case, legacy]);
}

/// What Query and Scan can both fail in a request with expressions.
fn page_breaches() -> Vec<Breach> {
    vec![
        constraints(),
        breach(
            Check::Select,
            json!({"Select": "COUNT"}),
            "Cannot specify the ProjectionExpression when choosing to get",
        ),
        breach(
            Check::StartKeyValues,
            json!({"ExclusiveStartKey": {"pk": {}}}),
            "The provided starting key is invalid: Supplied",
        ),
        placeholders(),
        breach(
            Check::FilterExpression,
            json!({"FilterExpression": "s ="}),
            "Invalid FilterExpression: Syntax",
        ),
        breach(
            Check::ProjectionExpression,
            json!({"ProjectionExpression": "s,"}),
            "Invalid ProjectionExpression: Syntax",
        ),
        unused(),
        breach(
            Check::Unsupported,
            json!({"IndexName": "by_user"}),
            "IndexName is not supported by this version",
        ),
        table(),
        breach(
            Check::ProjectionIntoKey,
            json!({"ProjectionExpression": "pk.x"}),
            "Key attributes must be scalars",
        ),
    ]
}

/// What both can fail in a request with legacy members.
fn legacy_page(filter: &str, more: Value) -> Case {
    let mut valid = json!({
        "TableName": "items", "AttributesToGet": ["s"], "ConditionalOperator": "OR",
        filter: {"s": {"ComparisonOperator": "NOT_NULL"}, "t": {"ComparisonOperator": "NULL"}},
    });
    valid.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let wrong = json!({filter: {"s": {"ComparisonOperator": "EQ"}, "t": {"ComparisonOperator": "NULL"}}});
    Case {
        valid,
        breaches: vec![
            constraints(),
            operator(filter),
            breach(
                Check::Select,
                json!({"Select": "COUNT"}),
                "Cannot specify the AttributesToGet when choosing to get",
            ),
            breach(Check::LegacyFilter, wrong, "Invalid number of argument(s) for the EQ ComparisonOperator"),
            breach(
                Check::LegacyProjection,
                json!({"AttributesToGet": ["s", "s"]}),
                "Duplicate value in attribute name: s",
            ),
            breach(
                Check::StartKeyValues,
                json!({"ExclusiveStartKey": {"pk": {}}}),
                "The provided starting key is invalid: Supplied",
            ),
            table(),
        ],
    }
}

#[test]
fn the_first_failed_check_of_a_query_is_the_one_that_is_told() {
    let key_condition = |text: &str| json!({"KeyConditionExpression": text});
    let mut breaches = page_breaches();
    breaches.extend([
        mixture(json!({"QueryFilter": {}})),
        breach(
            Check::KeyConditionMissing,
            json!({"KeyConditionExpression": null}),
            "Either the KeyConditions or KeyConditionExpression parameter must be specified",
        ),
        breach(
            Check::KeyConditionExpression,
            key_condition("pk ="),
            "Invalid KeyConditionExpression: Syntax",
        ),
        breach(
            Check::KeyConditionForm,
            key_condition("pk <> :v"),
            "Invalid operator used in KeyConditionExpression",
        ),
        breach(
            Check::KeyOfTable,
            key_condition("color = :v"),
            "Query condition missed key schema element: pk",
        ),
        breach(
            Check::StartKeyPlace,
            json!({"ExclusiveStartKey": {"pk": {"S": "other"}}}),
            "The provided starting key is outside query boundaries",
        ),
        breach(
            Check::FilteredKey,
            json!({"FilterExpression": "pk = :v"}),
            "can only contain non-primary key attributes",
        ),
    ]);
    let case = Case {
        valid: json!({
            "TableName": "items", "KeyConditionExpression": "pk = :v", "FilterExpression": "s = :v",
            "ProjectionExpression": "s", "ExpressionAttributeValues": {":v": {"S": "x"}},
        }),
        breaches,
    };
    let conditions =
        json!({"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}});
    prove(Operation::Query, &[case, legacy_page("QueryFilter", conditions)]);
}

#[test]
fn the_first_failed_check_of_a_scan_is_the_one_that_is_told() {
    let mut breaches = page_breaches();
    breaches.extend([
        mixture(json!({"ScanFilter": {}})),
        breach(
            Check::Segment,
            json!({"Segment": null}),
            "The Segment parameter is required but was not present",
        ),
        breach(
            Check::KeyOfTable,
            json!({"ExclusiveStartKey": {"pk": {"N": "1"}}}),
            "The provided starting key is invalid: The provided key element does not match the schema",
        ),
        breach(
            Check::StartKeyPlace,
            json!({"ExclusiveStartKey": {"pk": {"S": "a"}}, "TotalSegments": 1_000_000}),
            "Please use ExclusiveStartKey with correct Segment",
        ),
        breach(
            Check::FilterIntoKey,
            json!({"FilterExpression": "pk.x = :v"}),
            "Key attributes must be scalars",
        ),
    ]);
    let case = Case {
        valid: json!({
            "TableName": "items", "FilterExpression": "s = :v", "ProjectionExpression": "s", "Segment": 0,
            "TotalSegments": 1, "ExpressionAttributeValues": {":v": {"S": "x"}},
        }),
        breaches,
    };
    prove(Operation::Scan, &[case, legacy_page("ScanFilter", json!({}))]);
}
