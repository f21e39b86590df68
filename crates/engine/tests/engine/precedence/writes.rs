//! PutItem, DeleteItem and UpdateItem.

use keywright_api::{Check, Operation};
use serde_json::{Value, json};

use super::{
    Breach, Case, breach, constraints, mixture, operator, placeholders, prove, table, unused, values,
};

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
