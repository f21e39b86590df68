//! BatchGetItem and BatchWriteItem.

use keywright_api::{Check, Operation};
use serde_json::{Value, json};

use super::{Case, breach, constraints, prove};

#[test]
fn the_first_failed_check_of_a_batch_get_item_is_the_one_that_is_told() {
    let keys = |keys: Value| json!({"/RequestItems/items/Keys": keys});
    let many: Vec<Value> = (0..100).map(|number| json!({"pk": {"S": number.to_string()}})).collect();
    let projection = |text: &str| json!({"/RequestItems/items/ProjectionExpression": text});
    let breaches = vec![
        constraints(),
        breach(
            Check::Mixture,
            json!({"/RequestItems/items/AttributesToGet": ["s"]}),
            "Can not use both expression and non-expression parameters",
        ),
        breach(
            Check::Placeholders,
            json!({"/RequestItems/items/ExpressionAttributeNames": {"s": "s"}}),
            "ExpressionAttributeNames contains invalid key",
        ),
        breach(Check::ProjectionExpression, projection("#s,"), "Invalid ProjectionExpression: Syntax error"),
        breach(
            Check::UnusedPlaceholders,
            json!({"/RequestItems/items/ExpressionAttributeNames": {"#unused": "x"}}),
            "ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
        breach(Check::Values, keys(json!([{"pk": {}}])), "Supplied AttributeValue is empty"),
        breach(
            Check::RepeatedKeys,
            keys(json!([{"pk": {"S": "a"}}, {"pk": {"S": "a"}}])),
            "Provided list of item keys contains duplicates",
        ),
        breach(
            Check::RequestCount,
            json!({"/RequestItems/others": {"Keys": many}}),
            "Too many items requested for the BatchGetItem call",
        ),
        breach(
            Check::Table,
            json!({"/RequestItems/absent": {"Keys": [{"pk": {"S": "a"}}]}}),
            "ResourceNotFoundException: Requested resource not found",
        ),
        breach(Check::Key, keys(json!([{}])), "The provided key element does not match the schema"),
        breach(Check::ProjectionIntoKey, projection("#s, pk.x"), "Key attributes must be scalars"),
    ];
    let valid = json!({"RequestItems": {"items": {
        "Keys": [{"pk": {"S": "a"}}], "ProjectionExpression": "#s", "ExpressionAttributeNames": {"#s": "s"},
    }}});
    let legacy = Case {
        valid: json!({"RequestItems": {"items": {"Keys": [{"pk": {"S": "a"}}], "AttributesToGet": ["s"]}}}),
        breaches: vec![
            constraints(),
            breach(
                Check::LegacyProjection,
                json!({"/RequestItems/items/AttributesToGet": ["s", "s"]}),
                "Duplicate value in attribute name: s",
            ),
            breach(Check::Values, keys(json!([{"pk": {}}])), "Supplied AttributeValue is empty"),
        ],
    };
    let none = breach(
        Check::BatchRequests,
        json!({"RequestItems": {}}),
        "The requestItems parameter is required for BatchGetItem",
    );
    let empty = Case { valid: valid.clone(), breaches: vec![constraints(), none] };
    prove(Operation::BatchGetItem, &[Case { valid, breaches }, legacy, empty]);
}

#[test]
fn the_first_failed_check_of_a_batch_write_item_is_the_one_that_is_told() {
    let put = |item: Value| json!({"PutRequest": {"Item": item}});
    let another = |write: Value| json!({"/RequestItems/items/-": write});
    let many: Vec<Value> = (0..25).map(|number| put(json!({"pk": {"S": number.to_string()}}))).collect();
    let breaches = vec![
        constraints(),
        breach(
            Check::Values,
            json!({"/RequestItems/items/0/PutRequest/Item": {"pk": {}}}),
            "Supplied AttributeValue is empty",
        ),
        breach(
            Check::ItemSize,
            another(put(json!({"pk": {"S": "large"}, "data": {"S": "x".repeat(410_000)}}))),
            "Item size has exceeded the maximum allowed size",
        ),
        breach(
            Check::RequestCount,
            json!({"/RequestItems/others": many}),
            "Too many items requested for the BatchWriteItem call",
        ),
        breach(
            Check::Table,
            json!({"/RequestItems/absent": [put(json!({"pk": {"S": "a"}}))]}),
            "ResourceNotFoundException: Requested resource not found",
        ),
        breach(
            Check::Key,
            json!({"/RequestItems/items/1/DeleteRequest/Key": {"other": {"S": "b"}}}),
            "The provided key element does not match the schema",
        ),
        breach(
            Check::RepeatedItems,
            another(put(json!({"pk": {"S": "c"}}))),
            "Provided list of item keys contains duplicates",
        ),
    ];
    let valid = json!({"RequestItems": {"items": [
        put(json!({"pk": {"S": "a"}})), {"DeleteRequest": {"Key": {"pk": {"S": "b"}}}}, put(json!({"pk": {"S": "c"}})),
    ]}});
    let requests = Case {
        valid: valid.clone(),
        breaches: vec![
            constraints(),
            breach(
                Check::BatchRequests,
                another(json!({})),
                "Supplied AttributeValue has more than one datatypes set",
            ),
        ],
    };
    prove(Operation::BatchWriteItem, &[Case { valid, breaches }, requests]);
}
