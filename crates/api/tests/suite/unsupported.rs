//! What this version does not do yet is said, never ignored.

use keywright_api::Operation;
use serde_json::{Value, json};

use crate::refusal;

fn table(member: &str, value: &Value) -> Value {
    json!({
        "TableName": "App", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        member: value,
    })
}

fn query(member: &str, value: &Value) -> Value {
    json!({
        "TableName": "App", "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "a"}}, member: value,
    })
}

#[test]
fn a_member_that_is_not_supported_is_named() {
    let index = json!([{"IndexName": "by_user"}]);
    let cases = [
        (Operation::CreateTable, "LocalSecondaryIndexes", table("LocalSecondaryIndexes", &index)),
        (Operation::CreateTable, "GlobalSecondaryIndexes", table("GlobalSecondaryIndexes", &index)),
        (
            Operation::CreateTable,
            "StreamSpecification",
            table("StreamSpecification", &json!({"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"})),
        ),
        (
            Operation::CreateTable,
            "StreamSpecification",
            table("StreamSpecification", &json!({"StreamEnabled": false, "StreamViewType": "NEW_IMAGE"})),
        ),
        (Operation::CreateTable, "SSESpecification", table("SSESpecification", &json!({"Enabled": true}))),
        (
            Operation::CreateTable,
            "DeletionProtectionEnabled",
            table("DeletionProtectionEnabled", &json!(true)),
        ),
        (
            Operation::CreateTable,
            "OnDemandThroughput",
            table("OnDemandThroughput", &json!({"MaxReadRequestUnits": 5})),
        ),
        (Operation::CreateTable, "ResourcePolicy", table("ResourcePolicy", &json!("{}"))),
        (Operation::Query, "IndexName", query("IndexName", &json!("by_user"))),
        (
            Operation::Scan,
            "IndexName",
            json!({"TableName": "App", "IndexName": "by_user", "Select": "ALL_PROJECTED_ATTRIBUTES"}),
        ),
    ];
    for (operation, member, body) in cases {
        assert_eq!(
            refusal(operation, &body),
            format!("{member} is not supported by this version of keywright yet"),
            "{body}"
        );
    }
}
