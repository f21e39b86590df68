//! Bodies that nobody would send: each is answered with an error that has a body, and none panics.

use keywright_api::{Error, Operation, Request};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Valid bodies, to be damaged.
fn bodies() -> Vec<(Operation, String)> {
    let table = json!({
        "TableName": "App", "BillingMode": "PROVISIONED",
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
        "Tags": [{"Key": "a", "Value": "b"}], "StreamSpecification": {"StreamEnabled": false},
    });
    let item = json!({
        "pk": {"S": "a"}, "n": {"N": "1.5E2"}, "b": {"B": "YQ=="}, "m": {"M": {"l": {"L": [{"NULL": true}, {"BOOL": false}]}}},
        "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["YQ==", ""]},
    });
    let query = json!({
        "TableName": "App", "KeyConditionExpression": "#pk = :pk AND sk BETWEEN :lo AND :hi",
        "ExpressionAttributeNames": {"#pk": "pk"},
        "ExpressionAttributeValues": {":pk": {"S": "a"}, ":lo": {"N": "1"}, ":hi": {"N": "2"}},
        "ExclusiveStartKey": item, "Limit": 5, "ScanIndexForward": false, "Select": "COUNT", "ConsistentRead": true,
    });
    [
        (Operation::CreateTable, table),
        (Operation::DescribeTable, json!({"TableName": "App"})),
        (
            Operation::UpdateTable,
            json!({
                "TableName": "App", "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
                "GlobalSecondaryIndexUpdates": [{
                    "Update": {
                        "IndexName": "by_a", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
                    },
                }],
            }),
        ),
        (Operation::DeleteTable, json!({"TableName": "arn:aws:dynamodb:eu-west-2:0:table/App"})),
        (Operation::ListTables, json!({"ExclusiveStartTableName": "App", "Limit": 5})),
        (
            Operation::PutItem,
            json!({
                "TableName": "App", "Item": item, "ReturnValues": "ALL_OLD", "ConditionExpression": "size(#pk) < :n",
                "ExpressionAttributeNames": {"#pk": "pk"}, "ExpressionAttributeValues": {":n": {"N": "3"}},
            }),
        ),
        (
            Operation::GetItem,
            json!({"TableName": "App", "Key": item, "ConsistentRead": false, "ProjectionExpression": "a, m.l[0]"}),
        ),
        (
            Operation::DeleteItem,
            json!({
                "TableName": "App", "Key": item, "ReturnConsumedCapacity": "TOTAL", "ConditionalOperator": "OR",
                "Expected": {"a": {"Exists": false}, "b": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}},
            }),
        ),
        (
            Operation::UpdateItem,
            json!({
                "TableName": "App", "Key": item, "UpdateExpression": "SET #a = if_not_exists(#a, :one) + :one REMOVE b",
                "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":one": {"N": "1"}},
                "ReturnValues": "UPDATED_NEW",
            }),
        ),
        (
            Operation::UpdateItem,
            json!({
                "TableName": "App", "Key": item, "Expected": {"a": {"Value": {"S": "b"}}},
                "AttributeUpdates": {"a": {"Action": "ADD", "Value": {"N": "1"}}, "b": {"Action": "DELETE"}},
            }),
        ),
        (
            Operation::Scan,
            json!({
                "TableName": "App", "FilterExpression": "a = :v", "ExpressionAttributeValues": {":v": {"S": "x"}},
                "Segment": 0, "TotalSegments": 2, "ProjectionExpression": "a", "ExclusiveStartKey": item,
            }),
        ),
        (
            Operation::Scan,
            json!({
                "TableName": "App", "AttributesToGet": ["a", "b"],
                "ScanFilter": {"a": {"ComparisonOperator": "IN", "AttributeValueList": [{"S": "a"}, {"S": "b"}]}},
            }),
        ),
        (Operation::Query, query),
        (
            Operation::BatchGetItem,
            json!({"RequestItems": {"App": {
                "Keys": [item, {"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}], "ConsistentRead": true,
                "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "a"},
            }}}),
        ),
        (
            Operation::BatchWriteItem,
            json!({"RequestItems": {"App": [{"PutRequest": {"Item": item}}, {"DeleteRequest": {"Key": item}}]}}),
        ),
        (
            Operation::TransactGetItems,
            json!({"TransactItems": [{"Get": {"TableName": "App", "Key": item, "ProjectionExpression": "a"}}]}),
        ),
        (
            Operation::TransactWriteItems,
            json!({"ClientRequestToken": "t", "TransactItems": [
                {"Put": {"TableName": "App", "Item": item}},
                {"Update": {
                    "TableName": "App", "Key": item, "UpdateExpression": "ADD #a :one",
                    "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":one": {"N": "1"}},
                }},
                {"ConditionCheck": {"TableName": "App", "Key": item, "ConditionExpression": "attribute_exists(a)"}},
            ]}),
        ),
    ]
    .into_iter()
    .map(|(operation, body)| (operation, body.to_string()))
    .collect()
}

/// Parses, and writes the error if there is one.
fn answer(operation: Operation, body: &[u8]) -> Result<Request, Error> {
    let parsed = Request::parse(operation, body);
    if let Err(error) = &parsed {
        let mut out = Vec::new();
        error.write_json(&mut out);
        let written: Value = serde_json::from_slice(&out).unwrap();
        assert!(written.get("__type").is_some());
    }
    parsed
}

#[test]
fn the_bodies_are_valid_before_they_are_damaged() {
    for (operation, body) in bodies() {
        let parsed = answer(operation, body.as_bytes());
        assert!(parsed.is_ok(), "{parsed:?}");
        assert_eq!(parsed.unwrap().operation(), operation);
    }
}

#[test]
fn a_body_that_is_cut_off_anywhere_is_refused() {
    for (operation, body) in bodies() {
        for length in 0..body.len() {
            let cut = body.as_bytes().get(..length).unwrap();
            assert!(
                matches!(answer(operation, cut), Err(Error::Serialization(_))),
                "{operation:?} cut to {length}"
            );
        }
    }
}

#[test]
fn deep_nesting_anywhere_is_answered() {
    let deep = 200_000;
    let arrays = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let objects = format!("{}1{}", r#"{"M":{"a":"#.repeat(deep), "}}".repeat(deep));
    let lists = format!("{}{}", r#"{"L":["#.repeat(deep), "]}".repeat(deep));
    for operation in Operation::ALL {
        for nested in [&arrays, &objects, &lists] {
            for member in [
                "TableName",
                "Item",
                "Key",
                "ExclusiveStartKey",
                "ExpressionAttributeValues",
                "KeySchema",
                "Tags",
                "Expected",
                "QueryFilter",
                "ScanFilter",
                "KeyConditions",
                "AttributeUpdates",
                "AttributesToGet",
                "GlobalSecondaryIndexes",
                "StreamSpecification",
                "RequestItems",
                "TransactItems",
                "Unknown",
            ] {
                let _ = answer(*operation, format!(r#"{{"{member}":{nested}}}"#).as_bytes());
                let _ = answer(*operation, format!(r#"{{"{member}":{{"a":{nested}}}}}"#).as_bytes());
            }
            let _ = answer(*operation, nested.as_bytes());
        }
    }
}

/// A message repeats what was sent, but it does not grow with it.
#[test]
fn a_message_does_not_repeat_megabytes() {
    let large = "x;".repeat(1 << 20);
    let bodies = [
        (Operation::PutItem, json!({"TableName": large, "Item": {}, "ReturnValues": large})),
        (Operation::DescribeTable, json!({"TableName": large})),
        (Operation::ListTables, json!({"ExclusiveStartTableName": large})),
        (Operation::Query, json!({"TableName": "App", "KeyConditionExpression": large})),
        (
            Operation::Query,
            json!({
                "TableName": "App", "KeyConditionExpression": "a = :v",
                "ExpressionAttributeNames": {&large: "a"}, "ExpressionAttributeValues": {":v": {"S": "x"}},
            }),
        ),
    ];
    for (operation, body) in bodies {
        let error = answer(operation, body.to_string().as_bytes()).unwrap_err();
        assert!(error.message().unwrap().len() < 10_000);
    }
}

#[test]
fn lists_of_millions_of_elements_are_counted_and_not_kept() {
    let elements = vec!["{}"; 1_000_000].join(",");
    let body = format!(
        r#"{{"TableName":"App","KeySchema":[{elements}],"AttributeDefinitions":[{elements}],"Tags":[{elements}]}}"#
    );
    let error = answer(Operation::CreateTable, body.as_bytes()).unwrap_err();
    assert!(error.message().unwrap().starts_with("10 validation errors detected: "));
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for operation in Operation::ALL {
            let _ = answer(*operation, &bytes);
        }
    }

    /// Bytes of a valid body are replaced, taken away, doubled or swapped.
    #[test]
    fn a_damaged_body_is_answered(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4_u8, any::<u8>()), 1..6),
    ) {
        let mut bodies = bodies();
        let which = which.index(bodies.len());
        let (operation, body) = bodies.swap_remove(which);
        let mut bytes = body.into_bytes();
        for (place, other, kind, byte) in damage {
            let (place, other) = (place.index(bytes.len()), other.index(bytes.len()));
            match kind {
                0 => bytes.splice(place..=place, [byte]).for_each(drop),
                1 => bytes.splice(place..=place, []).for_each(drop),
                2 => {
                    let part: Vec<u8> = bytes.get(place.min(other)..place.max(other)).unwrap().to_vec();
                    bytes.splice(place..place, part).for_each(drop);
                }
                _ => bytes.swap(place, other),
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        let _ = answer(operation, &bytes);
    }

    /// A valid body whose members have values of each other.
    #[test]
    fn a_body_with_exchanged_values_is_answered(
        which in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), rotate in 0..8_usize,
    ) {
        let all = bodies();
        let (operation, body) = which.get(&all);
        let (_, donor) = other.get(&all);
        let body: Value = serde_json::from_str(body).unwrap();
        let donor: Value = serde_json::from_str(donor).unwrap();
        let values: Vec<&Value> = donor.as_object().unwrap().values().collect();
        let exchanged: serde_json::Map<String, Value> = body
            .as_object()
            .unwrap()
            .keys()
            .enumerate()
            .map(|(index, name)| (name.clone(), (*values.get((index + rotate) % values.len()).unwrap()).clone()))
            .collect();
        let _ = answer(*operation, Value::Object(exchanged).to_string().as_bytes());
    }
}
