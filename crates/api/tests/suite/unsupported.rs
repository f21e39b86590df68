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

fn update(members: Value) -> Value {
    let mut body = json!({"TableName": "App"});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

#[test]
fn a_member_that_is_not_supported_is_named() {
    let index = |member: &str| {
        json!([{
            "IndexName": "by_b", "KeySchema": [{"AttributeName": "b", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"}, member: {"MaxReadRequestUnits": 5},
        }])
    };
    let cases = [
        (
            Operation::CreateTable,
            "OnDemandThroughput",
            table("GlobalSecondaryIndexes", &index("OnDemandThroughput")),
        ),
        (Operation::CreateTable, "WarmThroughput", table("GlobalSecondaryIndexes", &index("WarmThroughput"))),
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
            "OnDemandThroughput",
            table("OnDemandThroughput", &json!({"MaxReadRequestUnits": 5})),
        ),
        (Operation::CreateTable, "ResourcePolicy", table("ResourcePolicy", &json!("{}"))),
        (
            Operation::UpdateTable,
            "StreamSpecification",
            update(json!({"StreamSpecification": {"StreamEnabled": false}})),
        ),
        (Operation::UpdateTable, "SSESpecification", update(json!({"SSESpecification": {}}))),
        (Operation::UpdateTable, "ReplicaUpdates", update(json!({"ReplicaUpdates": []}))),
        (Operation::UpdateTable, "TableClass", update(json!({"TableClass": "STANDARD"}))),
        (Operation::UpdateTable, "OnDemandThroughput", update(json!({"OnDemandThroughput": {}}))),
        (Operation::UpdateTable, "WarmThroughput", update(json!({"WarmThroughput": {}}))),
        (
            Operation::UpdateTable,
            "AttributeDefinitions",
            update(json!({"AttributeDefinitions": [], "BillingMode": "PAY_PER_REQUEST"})),
        ),
        (
            Operation::UpdateTable,
            "GlobalSecondaryIndexUpdates.Create",
            update(json!({"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_b"}}]})),
        ),
        (
            Operation::UpdateTable,
            "GlobalSecondaryIndexUpdates.Delete",
            update(json!({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_b"}}]})),
        ),
        (
            Operation::UpdateTable,
            "OnDemandThroughput",
            update(
                json!({"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "by_b", "OnDemandThroughput": {}}}]}),
            ),
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
