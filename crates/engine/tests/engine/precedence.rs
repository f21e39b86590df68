//! Which refusal wins: for every operation on items, requests in which two checks of its list fail at once.
//!
//! The lists of the table operations are proven where their requests are parsed.

use crate::support::{call, create, memory, put};
use keywright_api::{Check, Operation};
use keywright_engine::Engine;
use serde_json::{Value, json};

/// How to fail one check of a request: the members to set (null takes one away), and what the refusal contains.
struct Breach {
    check: Check,
    members: Value,
    refusal: &'static str,
}

/// A valid request, and ways to fail checks of it. Two ways that need the same member cannot be combined.
struct Case {
    valid: Value,
    breaches: Vec<Breach>,
}

/// Fails the checks one by one, then two by two, and expects the refusal that stands first in the operation's list.
fn prove(operation: Operation, cases: &[Case]) {
    let order = operation.order_of_refusal();
    let place = |check: Check| order.iter().position(|listed| *listed == check).unwrap();
    let mut covered = vec![Check::Json];
    for Case { valid, breaches } in cases {
        let accepted = call(&engine(), operation, valid);
        assert!(accepted.is_ok(), "{valid}: {accepted:?}");
        for (index, one) in breaches.iter().enumerate() {
            assert_refused(operation, &broken(valid, &[one]), one);
            for other in &breaches[index + 1..] {
                if shares_member(one, other) {
                    continue;
                }
                let first = if place(one.check) < place(other.check) { one } else { other };
                assert_refused(operation, &broken(valid, &[one, other]), first);
            }
        }
        covered.extend(breaches.iter().map(|breach| breach.check));
    }
    let missing: Vec<&Check> = order.iter().filter(|check| !covered.contains(check)).collect();
    assert!(missing.is_empty(), "no case fails {missing:?} of {operation:?}");
}

/// A table `items` with one item, under the key `a`.
fn engine() -> Engine {
    let engine = memory();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}, "s": {"S": "x"}})).unwrap();
    engine
}

fn shares_member(one: &Breach, other: &Breach) -> bool {
    one.members.as_object().unwrap().keys().any(|name| other.members.get(name).is_some())
}

fn broken(valid: &Value, breaches: &[&Breach]) -> Value {
    let mut body = valid.clone();
    for (name, value) in breaches.iter().flat_map(|breach| breach.members.as_object().unwrap()) {
        match (body[name].as_object_mut(), value.as_object()) {
            // The placeholders of the valid request are still needed.
            (Some(held), Some(more)) if name.starts_with("ExpressionAttribute") => held.extend(more.clone()),
            _ => body[name] = value.clone(),
        }
    }
    body
}

fn assert_refused(operation: Operation, body: &Value, expected: &Breach) {
    let refusal = call(&engine(), operation, body).unwrap_err();
    let text = format!("{}: {}", refusal.name, refusal.message);
    let Breach { check, refusal, .. } = expected;
    assert!(text.contains(refusal), "{check:?} of {body}\n expected: {refusal}\n found: {text}");
}

fn breach(check: Check, members: Value, refusal: &'static str) -> Breach {
    Breach { check, members, refusal }
}

fn constraints() -> Breach {
    let members = json!({"ReturnConsumedCapacity": "all"});
    breach(Check::Constraints, members, "'returnConsumedCapacity' failed to satisfy constraint")
}

fn mixture(members: Value) -> Breach {
    breach(Check::Mixture, members, "Can not use both expression and non-expression parameters")
}

fn values(members: Value) -> Breach {
    breach(Check::Values, members, "Supplied AttributeValue is empty")
}

fn placeholders() -> Breach {
    let members = json!({"ExpressionAttributeValues": {"v": {"S": "x"}}});
    breach(Check::Placeholders, members, "ExpressionAttributeValues contains invalid key")
}

fn unused() -> Breach {
    let members = json!({"ExpressionAttributeNames": {"#unused": "x"}});
    breach(
        Check::UnusedPlaceholders,
        members,
        "ExpressionAttributeNames unused in expressions: keys: {#unused}",
    )
}

fn table() -> Breach {
    let members = json!({"TableName": "absent"});
    breach(Check::Table, members, "ResourceNotFoundException: Requested resource not found")
}

fn operator(member: &str) -> Breach {
    let one = json!({member: {"s": {"ComparisonOperator": "NOT_NULL"}}});
    breach(Check::ConditionalOperator, one, "Filter or Expected has two or more elements")
}

/// `Expected`, its operator, and what of the list a request with both can fail.
fn legacy_condition(item: Value, more: Vec<Breach>) -> Case {
    let mut valid = json!({
        "TableName": "items", "ConditionalOperator": "OR",
        "Expected": {"s": {"Exists": false}, "pk": {"Value": {"S": "a"}}},
    });
    valid.as_object_mut().unwrap().extend(item.as_object().unwrap().clone());
    let incomplete = json!({"Expected": {"s": {}, "t": {}}});
    let mut breaches = vec![
        constraints(),
        operator("Expected"),
        breach(Check::LegacyCondition, incomplete, "Value must be provided when Exists is null"),
        table(),
    ];
    breaches.extend(more);
    Case { valid, breaches }
}

/// What PutItem and DeleteItem can fail; `item` is the member that holds the item or key.
fn write_case(item: &str, mismatch: Value, refusal: &'static str) -> Case {
    Case {
        valid: json!({
            "TableName": "items", item: {"pk": {"S": "a"}}, "ConditionExpression": "s = :v",
            "ExpressionAttributeValues": {":v": {"S": "x"}},
        }),
        breaches: vec![
            constraints(),
            mixture(json!({"Expected": {"s": {"Exists": false}}})),
            values(json!({item: {"pk": {}}})),
            breach(
                Check::ReturnValues,
                json!({"ReturnValues": "ALL_NEW"}),
                "ReturnValues can only be ALL_OLD or NONE",
            ),
            placeholders(),
            breach(
                Check::ConditionExpression,
                json!({"ConditionExpression": "s ="}),
                "Invalid ConditionExpression: Syntax",
            ),
            unused(),
            table(),
            breach(Check::Key, json!({item: mismatch}), refusal),
            breach(
                Check::Condition,
                json!({"ConditionExpression": "attribute_exists(absent) AND s = :v"}),
                "ConditionalCheckFailedException: The conditional request failed",
            ),
        ],
    }
}

#[test]
fn the_first_failed_check_of_a_put_item_is_the_one_that_is_told() {
    let mut case = write_case("Item", json!({"other": {"S": "a"}}), "Missing the key pk in the item");
    let large = json!({"Item": {"pk": {"S": "a"}, "data": {"S": "x".repeat(410_000)}}});
    case.breaches.push(breach(Check::ItemSize, large, "Item size has exceeded the maximum allowed size"));
    let legacy =
        legacy_condition(json!({"Item": {"pk": {"S": "a"}}}), vec![values(json!({"Item": {"pk": {}}}))]);
    prove(Operation::PutItem, &[case, legacy]);
}

#[test]
fn the_first_failed_check_of_a_delete_item_is_the_one_that_is_told() {
    let case =
        write_case("Key", json!({"pk": {"N": "1"}}), "The provided key element does not match the schema");
    let legacy =
        legacy_condition(json!({"Key": {"pk": {"S": "a"}}}), vec![values(json!({"Key": {"pk": {}}}))]);
    prove(Operation::DeleteItem, &[case, legacy]);
}

#[test]
fn the_first_failed_check_of_an_update_item_is_the_one_that_is_told() {
    let updates = |expression: &str| json!({"UpdateExpression": expression});
    let case = Case {
        valid: json!({
            "TableName": "items", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = :v",
            "ConditionExpression": "s = :v", "ExpressionAttributeValues": {":v": {"S": "x"}},
        }),
        breaches: vec![
            constraints(),
            mixture(json!({"AttributeUpdates": {}})),
            values(json!({"Key": {"pk": {}}})),
            placeholders(),
            breach(Check::UpdateExpression, updates("SET x ="), "Invalid UpdateExpression: Syntax"),
            breach(
                Check::ConditionExpression,
                json!({"ConditionExpression": "s ="}),
                "Invalid ConditionExpression: Syntax",
            ),
            unused(),
            table(),
            breach(
                Check::Key,
                json!({"Key": {"pk": {"N": "1"}}}),
                "The provided key element does not match the schema",
            ),
            breach(Check::UpdatedKey, updates("SET pk = :v"), "Cannot update attribute pk"),
            breach(Check::UpdateIntoKey, updates("SET x = pk.y"), "Key attributes must be scalars"),
            breach(
                Check::Condition,
                json!({"ConditionExpression": "attribute_exists(absent) AND s = :v"}),
                "ConditionalCheckFailedException: The conditional request failed",
            ),
            breach(Check::UpdatedItem, updates("SET absent.x = :v"), "is invalid for update"),
        ],
    };
    let incomplete = json!({"AttributeUpdates": {"x": {}}});
    let more = vec![
        values(json!({"Key": {"pk": {}}})),
        breach(
            Check::LegacyUpdate,
            incomplete,
            "Only DELETE action is allowed when no attribute value is specified",
        ),
        breach(
            Check::UpdatedKey,
            json!({"AttributeUpdates": {"pk": {"Value": {"S": "x"}}}}),
            "Cannot update attribute pk",
        ),
    ];
    prove(Operation::UpdateItem, &[case, legacy_condition(json!({"Key": {"pk": {"S": "a"}}}), more)]);
}

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
