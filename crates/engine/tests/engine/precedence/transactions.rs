//! TransactGetItems and TransactWriteItems.

use keywright_api::{Check, Operation};
use serde_json::{Value, json};

use super::{Breach, Case, breach, constraints, prove};

/// What both can fail by their tables and keys; `key` names the key of the first member.
fn by_table(operation: Operation, key: &str, member: impl Fn(Value) -> Value) -> Vec<Breach> {
    let another = |member: Value| json!({"/TransactItems/-": member});
    let mut breaches = vec![
        constraints(),
        breach(Check::Values, json!({key: {"pk": {}}}), "Supplied AttributeValue is empty"),
        breach(
            Check::KeyValues,
            another(member(json!({"pk": {"S": ""}}))),
            "ValidationException: One or more parameter values are not valid. The AttributeValue for a key",
        ),
        breach(
            Check::TransactionKeys,
            json!({key: {"pk": {"N": "1"}}}),
            "TransactionCanceledException: Transaction cancelled",
        ),
        breach(
            Check::RepeatedItems,
            another(member(json!({"pk": {"S": "repeated"}}))),
            "Transaction request cannot include multiple operations on one item",
        ),
    ];
    let mut absent = member(json!({"pk": {"S": "b"}}));
    let kind = if operation == Operation::TransactGetItems { "Get" } else { "Delete" };
    absent[kind]["TableName"] = json!("absent");
    breaches.push(breach(
        Check::Table,
        another(absent),
        "ResourceNotFoundException: Requested resource not found",
    ));
    breaches
}

#[test]
fn the_first_failed_check_of_a_transact_get_items_is_the_one_that_is_told() {
    let get = |key: Value| json!({"Get": {"TableName": "items", "Key": key}});
    let at = |member: &str| format!("/TransactItems/0/Get/{member}");
    let mut breaches = by_table(Operation::TransactGetItems, &at("Key"), get);
    breaches.extend([
        breach(
            Check::Placeholders,
            json!({at("ExpressionAttributeNames"): {"s": "s"}}),
            "ExpressionAttributeNames contains invalid key",
        ),
        breach(
            Check::ProjectionExpression,
            json!({at("ProjectionExpression"): "#s,"}),
            "Invalid ProjectionExpression: Syntax error",
        ),
        breach(
            Check::UnusedPlaceholders,
            json!({at("ExpressionAttributeNames"): {"#unused": "x"}}),
            "ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
    ]);
    let mut first = get(json!({"pk": {"S": "a"}}));
    first["Get"]["ProjectionExpression"] = json!("#s");
    first["Get"]["ExpressionAttributeNames"] = json!({"#s": "s"});
    let valid = json!({"TransactItems": [first, get(json!({"pk": {"S": "repeated"}}))]});
    let gets: Vec<Value> =
        (0..11).map(|number| get(json!({"pk": {"S": format!("large {number}")}}))).collect();
    let too_large = breach(
        Check::TransactionSize,
        json!({"TransactItems": gets}),
        "Transaction request cannot include items of more than 4 MB together",
    );
    let large = Case { valid: valid.clone(), breaches: vec![constraints(), too_large] };
    let whole = json!({"TransactItems": [get(json!({"pk": {"S": "a"}}))]});
    let mixture = mixture_case(whole, "/TransactItems/0/Get");
    prove(Operation::TransactGetItems, &[Case { valid, breaches }, large, mixture]);
}

#[test]
fn the_first_failed_check_of_a_transact_write_items_is_the_one_that_is_told() {
    let delete = |key: Value| json!({"Delete": {"TableName": "items", "Key": key}});
    let another = |member: Value| json!({"/TransactItems/-": member});
    let at = |member: &str| format!("/TransactItems/0/Update/{member}");
    let mut breaches = by_table(Operation::TransactWriteItems, &at("Key"), delete);
    breaches.extend([
        breach(
            Check::TransactionActions,
            another(json!({})),
            "Invalid Request: TransactWriteRequest should contain",
        ),
        breach(
            Check::Placeholders,
            json!({at("ExpressionAttributeValues"): {"v": {"S": "x"}}}),
            "ExpressionAttributeValues contains invalid key",
        ),
        breach(
            Check::UpdateExpression,
            json!({at("UpdateExpression"): "SET t ="}),
            "Invalid UpdateExpression: Syntax error",
        ),
        breach(
            Check::ConditionExpression,
            json!({at("ConditionExpression"): "s ="}),
            "Invalid ConditionExpression: Syntax error",
        ),
        breach(
            Check::UnusedPlaceholders,
            json!({at("ExpressionAttributeNames"): {"#unused": "x"}}),
            "ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
        breach(
            Check::Token,
            json!({"ClientRequestToken": "used"}),
            "IdempotentParameterMismatchException: The client request token was used",
        ),
        breach(
            Check::TransactionConditions,
            json!({at("ConditionExpression"): "s <> :v"}),
            "specific reasons [ConditionalCheckFailed, None",
        ),
    ]);
    let valid = json!({"TransactItems": [
        {"Update": {
            "TableName": "items", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET t = :v",
            "ConditionExpression": "s = :v", "ExpressionAttributeValues": {":v": {"S": "x"}},
        }},
        delete(json!({"pk": {"S": "repeated"}})),
    ]});
    let mixture = mixture_case(
        json!({"TransactItems": [delete(json!({"pk": {"S": "a"}}))]}),
        "/TransactItems/0/Delete",
    );
    let [large_item, large_items] = large();
    prove(Operation::TransactWriteItems, &[Case { valid, breaches }, mixture, large_item, large_items]);
}

/// What a member without expressions can fail, which is first in the request.
fn mixture_case(valid: Value, member: &str) -> Case {
    let at = |name: &str| format!("{member}/{name}");
    Case {
        valid,
        breaches: vec![
            constraints(),
            breach(
                Check::Mixture,
                json!({at("ExpressionAttributeNames"): {"#a": "a"}}),
                "ExpressionAttributeNames can only be specified when using expressions",
            ),
            breach(Check::Values, json!({at("Key"): {"pk": {}}}), "Supplied AttributeValue is empty"),
            breach(Check::Table, json!({at("TableName"): "absent"}), "Requested resource not found"),
        ],
    }
}

/// What a transaction can fail by the size of one item, and by that of all its items.
fn large() -> [Case; 2] {
    let put = |key: &str, bytes: usize| {
        let item = json!({"pk": {"S": key}, "data": {"S": "x".repeat(bytes)}});
        json!({"Put": {"TableName": "items", "Item": item}})
    };
    let valid = json!({"TransactItems": [put("a", 1)]});
    let absent = || {
        let delete = json!({"Delete": {"TableName": "absent", "Key": {"pk": {"S": "a"}}}});
        breach(Check::Table, json!({"/TransactItems/-": delete}), "Requested resource not found")
    };
    let item = breach(
        Check::ItemSize,
        json!({"/TransactItems/0": put("a", 410_000)}),
        "Item size has exceeded the maximum allowed size",
    );
    let puts: Vec<Value> = (0..11).map(|number| put(&number.to_string(), 400_000)).collect();
    let all = breach(
        Check::TransactionSize,
        json!({"TransactItems": puts}),
        "Transaction request cannot include items of more than 4 MB together",
    );
    [
        Case { valid: valid.clone(), breaches: vec![constraints(), item, absent()] },
        Case { valid, breaches: vec![constraints(), all, absent()] },
    ]
}
