//! BatchGetItem and BatchWriteItem: types, constraints, and the bodies of their answers.

use keywright_api::{
    BatchGetItemOutput, BatchWriteItemOutput, CapacityUnits, Operation, ReadParameters,
    ReturnConsumedCapacity, UnprocessedKeys, WriteRequest,
};
use serde_json::json;

use crate::serialization::text;
use crate::{app, assert_refusals, body, item, parse, stored};

#[test]
fn what_a_batch_is_made_of_has_its_types() {
    use Operation::{BatchGetItem, BatchWriteItem};
    let model = "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.";
    let map = "Unrecognized collection type java.util.Map<java.lang.String, ";
    let parameterized = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class";
    let field = "Unexpected field type";
    let value = "Unexpected value type in payload";
    let cases = [
        (BatchGetItem, json!({"RequestItems": 1}), field.to_owned()),
        (
            BatchGetItem,
            json!({"RequestItems": []}),
            format!("{map}com.amazonaws.dynamodb.v20120810.KeysAndAttributes>"),
        ),
        (BatchGetItem, json!({"RequestItems": {"App": 1}}), value.to_owned()),
        (BatchGetItem, json!({"RequestItems": {"App": []}}), format!("{model}KeysAndAttributes")),
        (BatchGetItem, json!({"RequestItems": {"App": {"Keys": 1}}}), field.to_owned()),
        (BatchGetItem, json!({"RequestItems": {"App": {"Keys": [1]}}}), parameterized.to_owned()),
        (
            BatchGetItem,
            json!({"RequestItems": {"App": {"Keys": [[]]}}}),
            format!("{map}com.amazonaws.dynamodb.v20120810.AttributeValue>"),
        ),
        (BatchGetItem, json!({"RequestItems": {"App": {"Keys": [{"a": 1}]}}}), value.to_owned()),
        (
            BatchWriteItem,
            json!({"RequestItems": []}),
            format!("{map}java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"),
        ),
        (BatchWriteItem, json!({"RequestItems": {"App": 1}}), parameterized.to_owned()),
        (BatchWriteItem, json!({"RequestItems": {"App": [1]}}), value.to_owned()),
        (BatchWriteItem, json!({"RequestItems": {"App": [[]]}}), format!("{model}WriteRequest")),
        (
            BatchWriteItem,
            json!({"RequestItems": {"App": [{"PutRequest": []}]}}),
            format!("{model}PutRequest"),
        ),
        (BatchWriteItem, json!({"RequestItems": {"App": [{"DeleteRequest": 1}]}}), field.to_owned()),
        (
            BatchWriteItem,
            json!({"RequestItems": {"App": [{"DeleteRequest": {"Key": []}}]}}),
            format!("{map}com.amazonaws.dynamodb.v20120810.AttributeValue>"),
        ),
    ];
    for (operation, body, expected) in cases {
        let found = text(operation, &body);
        assert!(found.starts_with(&expected), "{body}: {found}");
    }
}

#[test]
fn missing_members_are_told_together() {
    let names = "failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or \
                 equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression \
                 pattern: [a-zA-Z0-9_.-]+]";
    let null = "failed to satisfy constraint: Member must not be null";
    assert_refusals(
        Operation::BatchWriteItem,
        &[(
            json!({
                "RequestItems": {"aa;": [{"PutRequest": {}, "DeleteRequest": {}}, null]},
                "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi",
            }),
            &format!(
                "6 validation errors detected: Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member \
                 must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'hi' at 'returnItemCollectionMetrics' failed to \
                 satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]; Value \
                 '{{aa;=[WriteRequest, WriteRequest]}}' at 'requestItems' {names}; Value null at \
                 'requestItems.aa;.member.1.member.deleteRequest.key' {null}; Value null at \
                 'requestItems.aa;.member.1.member.putRequest.item' {null}; Value null at \
                 'requestItems.aa;.member.2.member' {null}"
            ),
        )],
    );
    assert_refusals(
        Operation::BatchGetItem,
        &[
            (json!({}), &format!("1 validation error detected: Value null at 'requestItems' {null}")),
            (
                json!({"RequestItems": {"App": {"Keys": [null]}, "z": {}}}),
                &format!(
                    "3 validation errors detected: Value '{{App=KeysAndAttributes, z=KeysAndAttributes}}' at \
                     'requestItems' {names}; Value null at 'requestItems.App.member.keys.1.member' {null}; Value null at \
                     'requestItems.z.member.keys' {null}"
                ),
            ),
        ],
    );
}

/// No batch has so many tables; they are not kept, and neither is what they hold.
#[test]
fn more_tables_than_requests_are_too_many() {
    let tables = |count: usize, content: &str| {
        let tables: Vec<String> = (0..count).map(|number| format!(r#""table-{number}":{content}"#)).collect();
        format!(r#"{{"RequestItems":{{{}}}}}"#, tables.join(","))
    };
    let keys = r#"{"Keys":[{"pk":{"S":"a"}}]}"#;
    let puts = r#"[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]"#;
    for (operation, most, content) in
        [(Operation::BatchGetItem, 100, keys), (Operation::BatchWriteItem, 25, puts)]
    {
        assert!(keywright_api::Request::parse(operation, tables(most, content).as_bytes()).is_ok());
        let error =
            keywright_api::Request::parse(operation, tables(100_000, content).as_bytes()).unwrap_err();
        let expected = format!("Too many items requested for the {} call", operation.name());
        assert_eq!(error.message().unwrap(), expected);
    }
}

/// A table that the JSON names twice is there once, as every member is: with what was sent last.
#[test]
fn of_a_table_that_is_there_twice_the_last_one_counts() {
    let body =
        br#"{"RequestItems": {"App": {"Keys": [{"a": {"S": "1"}}]}, "App": {"Keys": [{"a": {"S": "2"}}]}}}"#;
    let input = keywright_api::BatchGetItemInput::parse(body).unwrap();
    let [table] = input.tables.as_slice() else { panic!("{input:?}") };
    assert_eq!(table.keys, [item(&json!({"a": {"S": "2"}}))]);
}

#[test]
fn projections_are_those_of_get_item() {
    assert_refusals(
        Operation::BatchGetItem,
        &[
            (
                json!({"RequestItems": {"App": {
                    "Keys": [{}], "AttributesToGet": ["a"], "ProjectionExpression": "", "ExpressionAttributeNames": {},
                }}}),
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
            ),
            (
                json!({"RequestItems": {"App": {"Keys": [{}], "ExpressionAttributeNames": {}}}}),
                "ExpressionAttributeNames can only be specified when using expressions",
            ),
            (
                json!({"RequestItems": {"App": {"Keys": [{}, {}], "AttributesToGet": ["a", "a"]}}}),
                "One or more parameter values were invalid: Duplicate value in attribute name: a",
            ),
            (
                json!({"RequestItems": {"App": {"Keys": [{}, {}], "ProjectionExpression": ""}}}),
                "Invalid ProjectionExpression: The expression can not be empty;",
            ),
        ],
    );
    assert!(parse(Operation::BatchGetItem, &json!({"RequestItems": {"App": {"Keys": [{}]}}})).is_ok());
}

#[test]
fn what_was_not_processed_is_written_as_a_request() {
    let answer = BatchWriteItemOutput {
        unprocessed_items: vec![(
            app(),
            vec![
                WriteRequest::Put(item(&json!({"pk": {"S": "a"}}))),
                WriteRequest::Delete(item(&json!({"pk": {"S": "b"}}))),
            ],
        )],
        consumed_capacity: None,
        item_collection_metrics: None,
    };
    assert_eq!(
        body(answer),
        concat!(
            r#"{"UnprocessedItems":{"App":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},"#,
            r#"{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}}"#
        )
    );
    let capacity = ReturnConsumedCapacity::Total.report(&app(), CapacityUnits::halves(1)).unwrap();
    let answer = BatchGetItemOutput {
        responses: vec![(app(), vec![stored(&json!({"pk": {"S": "a"}})).into()])],
        unprocessed_keys: vec![UnprocessedKeys {
            table_name: app(),
            keys: vec![item(&json!({"pk": {"S": "b"}}))],
            parameters: ReadParameters {
                attributes_to_get: Some(vec!["a".to_owned()]),
                consistent_read: Some(true),
                names: vec![("#a".to_owned(), "b".to_owned())],
                projection_expression: Some("#a".to_owned()),
            },
        }],
        consumed_capacity: Some(vec![capacity]),
    };
    assert_eq!(
        body(answer),
        concat!(
            r#"{"Responses":{"App":[{"pk":{"S":"a"}}]},"UnprocessedKeys":{"App":{"Keys":[{"pk":{"S":"b"}}],"#,
            r##""AttributesToGet":["a"],"ConsistentRead":true,"ProjectionExpression":"#a","##,
            r##""ExpressionAttributeNames":{"#a":"b"}}},"ConsumedCapacity":[{"TableName":"App","CapacityUnits":0.5}]}"##
        )
    );
}
