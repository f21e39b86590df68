//! TransactGetItems and TransactWriteItems: types, what a token stands for, and the bodies of their answers.

use keywright_api::{
    CancellationReason, CapacityKind, CapacityUnits, Error, Operation, RequestFingerprint,
    ReturnConsumedCapacity, TransactGetItemsOutput, TransactWriteItemsInput, TransactWriteItemsOutput,
    Validation,
};
use serde_json::{Value, json};

use crate::serialization::text;
use crate::{app, assert_refusals, body, stored};

#[test]
fn what_a_transaction_is_made_of_has_its_types() {
    let model = "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.";
    let structure = "Start of structure or map found where not expected";
    for (operation, member, action) in [
        (Operation::TransactGetItems, "TransactGetItem", "Get"),
        (Operation::TransactWriteItems, "TransactWriteItem", "Put"),
        (Operation::TransactWriteItems, "TransactWriteItem", "Update"),
        (Operation::TransactWriteItems, "TransactWriteItem", "Delete"),
        (Operation::TransactWriteItems, "TransactWriteItem", "ConditionCheck"),
    ] {
        let cases = [
            (json!(1), "Unexpected field type".to_owned()),
            (json!({}), structure.to_owned()),
            (json!([1]), "Unexpected value type in payload".to_owned()),
            (json!([[]]), format!("{model}{member}")),
            (json!([{action: 1}]), "Unexpected field type".to_owned()),
            (json!([{action: []}]), format!("{model}{action}")),
            (json!([{action: {"TableName": 1}}]), "NUMBER_VALUE cannot be converted to String".to_owned()),
        ];
        for (members, expected) in cases {
            assert_eq!(
                text(operation, &json!({"TransactItems": members})),
                expected,
                "{operation:?} {members}"
            );
        }
    }
}

#[test]
fn a_transaction_has_members_and_actions_their_own() {
    let null = "failed to satisfy constraint: Member must not be null";
    for operation in [Operation::TransactGetItems, Operation::TransactWriteItems] {
        assert_refusals(
            operation,
            &[
                (json!({}), &format!("1 validation error detected: Value null at 'transactItems' {null}")),
                (
                    json!({"TransactItems": [null]}),
                    &format!("1 validation error detected: Value null at 'transactItems.1.member' {null}"),
                ),
            ],
        );
    }
    let names_alone = json!({"TransactItems": [{"Delete": {
        "TableName": "App", "Key": {}, "ExpressionAttributeNames": {"#a": "a"},
    }}]});
    let values_alone = json!({"TransactItems": [{"Put": {
        "TableName": "App", "Item": {}, "ExpressionAttributeValues": {":a": {"S": "a"}},
    }}]});
    assert_refusals(
        Operation::TransactWriteItems,
        &[
            (names_alone, "ExpressionAttributeNames can only be specified when using expressions"),
            (
                values_alone,
                "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
            ),
        ],
    );
}

/// Counted and told, but not kept: a body of 16 MB holds millions of them.
#[test]
fn millions_of_members_are_counted() {
    let members = vec!["{}"; 1_000_000].join(",");
    let body = format!(r#"{{"TransactItems":[{members}]}}"#);
    for operation in [Operation::TransactGetItems, Operation::TransactWriteItems] {
        let error = keywright_api::Request::parse(operation, body.as_bytes()).unwrap_err();
        assert!(error.message().unwrap().contains("Member must have length less than or equal to 100"));
    }
}

fn fingerprint(transact_items: &Value) -> RequestFingerprint {
    let body = json!({"ClientRequestToken": "t", "TransactItems": transact_items}).to_string();
    TransactWriteItemsInput::parse(body.as_bytes()).unwrap().client_request.unwrap().fingerprint
}

/// The fingerprint is stored, and a token is kept across restarts: a build that computes another one would refuse the
/// requests of the ten minutes before it was installed.
#[test]
fn the_fingerprint_of_a_request_stays_as_it_is() {
    let put = json!({"Put": {
        "TableName": "App", "Item": {"pk": {"S": "a"}, "n": {"N": "1.0"}, "s": {"SS": ["b", "a"]}},
        "ConditionExpression": "#a = :v", "ExpressionAttributeNames": {"#a": "a"},
        "ExpressionAttributeValues": {":v": {"BOOL": true}},
    }});
    let delete = json!({"Delete": {"TableName": "App", "Key": {"pk": {"S": "b"}}}});
    let both = fingerprint(&json!([put, delete]));
    let hexadecimal: String = both.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hexadecimal, "140996a6ea0ba94ef692716ba1c67edb");
    assert_ne!(both, fingerprint(&json!([delete, put])));
    assert_ne!(both, fingerprint(&json!([put])));
    let check = json!({"ConditionCheck": {
        "TableName": "App", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_exists(pk)",
    }});
    let guarded_delete = json!({"Delete": check["ConditionCheck"]});
    assert_ne!(fingerprint(&json!([check])), fingerprint(&json!([guarded_delete])));
}

/// The service writes this message with a capital, and a reason that is none with its code alone.
#[test]
fn a_cancellation_is_written_as_the_service_writes_it() {
    let error = Error::TransactionCanceled {
        reasons: vec![
            CancellationReason::None,
            CancellationReason::ConditionalCheckFailed { item: Some(stored(&json!({"pk": {"S": "a"}}))) },
            CancellationReason::Validation(Validation::KeyDoesNotMatchSchema),
        ],
    };
    let mut out = Vec::new();
    error.write_json(&mut out);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        concat!(
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":["#,
            r#"{"Code":"None"},{"Item":{"pk":{"S":"a"}},"Code":"ConditionalCheckFailed","#,
            r#""Message":"The conditional request failed"},{"Code":"ValidationError","#,
            r#""Message":"The provided key element does not match the schema"}],"#,
            r#""Message":"Transaction cancelled, please refer cancellation reasons for specific reasons "#,
            r#"[None, ConditionalCheckFailed, ValidationError]"}"#
        )
    );
    assert_eq!(error.status(), 400);

    for (error, name) in [
        (Error::IdempotentParameterMismatch, "IdempotentParameterMismatchException"),
        (Error::TransactionInProgress, "TransactionInProgressException"),
    ] {
        let mut out = Vec::new();
        error.write_json(&mut out);
        let written: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(written["__type"], format!("com.amazonaws.dynamodb.v20120810#{name}"));
        assert_eq!(written["Message"], error.message().unwrap());
        assert_eq!(error.status(), 400);
    }
}

#[test]
fn answers_say_what_their_units_were_for() {
    let report = |kind: CapacityKind| {
        let report = ReturnConsumedCapacity::Indexes.report(&app(), CapacityUnits::whole(2)).unwrap();
        Some(vec![report.of_transaction(kind)])
    };
    let read = TransactGetItemsOutput {
        responses: vec![Some(stored(&json!({"pk": {"S": "a"}})).into()), None],
        consumed_capacity: report(CapacityKind::Read),
    };
    assert_eq!(
        body(read),
        concat!(
            r#"{"Responses":[{"Item":{"pk":{"S":"a"}}},{}],"ConsumedCapacity":[{"TableName":"App","CapacityUnits":2.0,"#,
            r#""ReadCapacityUnits":2.0,"Table":{"CapacityUnits":2.0,"ReadCapacityUnits":2.0}}]}"#
        )
    );
    let write = TransactWriteItemsOutput {
        consumed_capacity: report(CapacityKind::Write),
        item_collection_metrics: None,
    };
    assert_eq!(
        body(write),
        concat!(
            r#"{"ConsumedCapacity":[{"TableName":"App","CapacityUnits":2.0,"WriteCapacityUnits":2.0,"#,
            r#""Table":{"CapacityUnits":2.0,"WriteCapacityUnits":2.0}}]}"#
        )
    );
    let quiet = TransactWriteItemsOutput { consumed_capacity: None, item_collection_metrics: None };
    assert_eq!(body(quiet), "{}");
}
