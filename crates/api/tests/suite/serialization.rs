//! Members of the wrong kind of JSON: a SerializationException with the service's text, before any validation.

use keywright_api::{Error, Operation};
use serde_json::{Value, json};

use crate::parse;

fn text(operation: Operation, body: &Value) -> String {
    match parse(operation, body) {
        Err(error @ Error::Serialization(_)) => error.message().unwrap(),
        other => panic!("{body} should not fit the types of the operation, but is {other:?}"),
    }
}

#[test]
fn a_scalar_of_the_wrong_kind_is_named() {
    let texts = [
        (Operation::CreateTable, vec!["TableName", "BillingMode", "TableClass"]),
        (Operation::DescribeTable, vec!["TableName"]),
        (Operation::ListTables, vec!["ExclusiveStartTableName"]),
        (
            Operation::PutItem,
            vec!["TableName", "ReturnValues", "ReturnConsumedCapacity", "ConditionExpression"],
        ),
        (Operation::GetItem, vec!["TableName", "ProjectionExpression", "ReturnConsumedCapacity"]),
        (Operation::DeleteItem, vec!["TableName", "ReturnItemCollectionMetrics", "ConditionalOperator"]),
        (Operation::UpdateItem, vec!["TableName", "UpdateExpression", "ReturnValues"]),
        (Operation::Scan, vec!["TableName", "FilterExpression", "ProjectionExpression"]),
        (
            Operation::Query,
            vec!["TableName", "Select", "IndexName", "KeyConditionExpression", "FilterExpression"],
        ),
    ];
    for (operation, members) in texts {
        for member in members {
            for (value, expected) in [
                (json!(true), "TRUE_VALUE cannot be converted to String"),
                (json!(false), "FALSE_VALUE cannot be converted to String"),
                (json!(23), "NUMBER_VALUE cannot be converted to String"),
                (json!(34.56), "DECIMAL_VALUE cannot be converted to String"),
                (json!([]), "Unrecognized collection type class java.lang.String"),
                (json!({}), "Start of structure or map found where not expected"),
            ] {
                assert_eq!(text(operation, &json!({member: value})), expected, "{member}");
            }
        }
    }
}

#[test]
fn lists_maps_and_structures_of_the_wrong_kind_are_named() {
    let model = "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.";
    let values = "Unrecognized collection type java.util.Map<java.lang.String, \
                  com.amazonaws.dynamodb.v20120810.AttributeValue>";
    let cases = [
        (Operation::CreateTable, json!({"KeySchema": "a"}), "Unexpected field type".to_owned()),
        (Operation::CreateTable, json!({"KeySchema": {}}), "Start of structure or map found where not expected".to_owned()),
        (Operation::CreateTable, json!({"KeySchema": [1]}), "Unexpected value type in payload".to_owned()),
        (Operation::CreateTable, json!({"KeySchema": [[]]}), format!("{model}KeySchemaElement")),
        (Operation::CreateTable, json!({"AttributeDefinitions": [[]]}), format!("{model}AttributeDefinition")),
        (Operation::CreateTable, json!({"ProvisionedThroughput": 1}), "Unexpected field type".to_owned()),
        (Operation::CreateTable, json!({"ProvisionedThroughput": []}), format!("{model}ProvisionedThroughput")),
        (
            Operation::CreateTable,
            json!({"ProvisionedThroughput": {"ReadCapacityUnits": "5"}}),
            "STRING_VALUE cannot be converted to Long".to_owned(),
        ),
        (Operation::CreateTable, json!({"LocalSecondaryIndexes": true}), "Unexpected field type".to_owned()),
        (Operation::PutItem, json!({"Item": "a"}), "Unexpected field type".to_owned()),
        (Operation::PutItem, json!({"Item": []}), values.to_owned()),
        (Operation::PutItem, json!({"Item": {"a": 1}}), "Unexpected value type in payload".to_owned()),
        (Operation::PutItem, json!({"Item": {"a": {"N": 1}}}), "NUMBER_VALUE cannot be converted to String".to_owned()),
        (Operation::GetItem, json!({"ConsistentRead": "x"}), "Unexpected token received from parser".to_owned()),
        (Operation::GetItem, json!({"AttributesToGet": {}}), "Start of structure or map found where not expected".to_owned()),
        (Operation::GetItem, json!({"AttributesToGet": [1]}), "NUMBER_VALUE cannot be converted to String".to_owned()),
        (Operation::Scan, json!({"TotalSegments": "5"}), "STRING_VALUE cannot be converted to Integer".to_owned()),
        (Operation::Scan, json!({"ScanFilter": {"a": 1}}), "Unexpected value type in payload".to_owned()),
        (Operation::Scan, json!({"ScanFilter": {"a": []}}), format!("{model}Condition")),
        (
            Operation::Scan,
            json!({"ScanFilter": {"a": {"AttributeValueList": "a"}}}),
            "Unexpected field type".to_owned(),
        ),
        (
            Operation::Scan,
            json!({"ScanFilter": {"a": {"AttributeValueList": ["a"]}}}),
            "Unexpected value type in payload".to_owned(),
        ),
        (Operation::PutItem, json!({"Expected": {"a": []}}), format!("{model}ExpectedAttributeValue")),
        (
            Operation::PutItem,
            json!({"Expected": {"a": {"Exists": 1}}}),
            "NUMBER_VALUE cannot be converted to Boolean".to_owned(),
        ),
        (Operation::PutItem, json!({"Expected": {"a": {"Value": 1}}}), "Unexpected value type in payload".to_owned()),
        (Operation::UpdateItem, json!({"AttributeUpdates": {"a": []}}), format!("{model}AttributeValueUpdate")),
        (Operation::Query, json!({"Limit": "5"}), "STRING_VALUE cannot be converted to Integer".to_owned()),
        (Operation::Query, json!({"ExpressionAttributeValues": []}), values.to_owned()),
        (
            Operation::Query,
            json!({"ExpressionAttributeNames": []}),
            "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>".to_owned(),
        ),
        (
            Operation::Query,
            json!({"ExpressionAttributeNames": {"#a": 1}}),
            "NUMBER_VALUE cannot be converted to String".to_owned(),
        ),
        (
            Operation::Query,
            json!({"KeyConditions": []}),
            "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.Condition>"
                .to_owned(),
        ),
    ];
    for (operation, body, expected) in cases {
        assert_eq!(text(operation, &body), expected, "{body}");
    }
}

#[test]
fn a_wrong_kind_further_on_comes_before_a_refused_value() {
    let body = r#"{"Item": {"a": {"SS": []}}, "TableName": 5}"#;
    let error = keywright_api::Request::parse(Operation::PutItem, body.as_bytes()).unwrap_err();
    assert_eq!(error.message().unwrap(), "NUMBER_VALUE cannot be converted to String");
}
