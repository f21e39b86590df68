//! CreateTable: what it accepts, and the order of its refusals as tables of cases.

use keywright_api::{
    BillingMode, CreateTableInput, DeletionProtection, KeyAttribute, KeySchema, Operation, Request,
    ScalarType, TableClass, Tag,
};
use serde_json::{Value, json};

use crate::{app, assert_refusals, parse, refusal};

pub(crate) fn accepted(body: &Value) -> CreateTableInput {
    match parse(Operation::CreateTable, body) {
        Ok(Request::CreateTable(input)) => input,
        other => panic!("{body} should have been accepted, not be {other:?}"),
    }
}

/// A valid body with these members instead of its own; a null takes one away.
pub(crate) fn body(changes: &Value) -> Value {
    let mut body = json!({
        "TableName": "App",
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    for (name, value) in changes.as_object().unwrap() {
        body.as_object_mut().unwrap().insert(name.clone(), value.clone());
    }
    body
}

pub(crate) fn definitions(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"AttributeName": name, "AttributeType": "S"})).collect()
}

pub(crate) fn keys(keys: &[(&str, &str)]) -> Value {
    keys.iter().map(|(name, role)| json!({"AttributeName": name, "KeyType": role})).collect()
}

#[test]
fn keys_of_every_type_and_both_billing_modes_are_accepted() {
    for (name, kind) in [("S", ScalarType::S), ("N", ScalarType::N), ("B", ScalarType::B)] {
        let input = accepted(&json!({
            "TableName": "App",
            "AttributeDefinitions": [
                {"AttributeName": "sk", "AttributeType": name},
                {"AttributeName": "pk", "AttributeType": "S"},
            ],
            "KeySchema": keys(&[("pk", "HASH"), ("sk", "RANGE")]),
            "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7},
            "Tags": [{"Key": "team", "Value": ""}],
        }));
        let expected = CreateTableInput {
            table_name: app(),
            key_schema: KeySchema {
                partition_key: KeyAttribute { name: "pk".to_owned(), kind: ScalarType::S },
                sort_key: Some(KeyAttribute { name: "sk".to_owned(), kind }),
            },
            indexes: Vec::new(),
            billing_mode: BillingMode::Provisioned { read_units: 5, write_units: 7 },
            table_class: None,
            deletion_protection: DeletionProtection::Off,
            tags: vec![Tag { key: "team".to_owned(), value: String::new() }],
        };
        assert_eq!(input, expected);
    }
    assert_eq!(accepted(&body(&json!({}))).billing_mode, BillingMode::OnDemand);
}

#[test]
fn members_that_change_nothing_are_accepted() {
    let input = accepted(&body(&json!({
        "TableClass": "STANDARD_INFREQUENT_ACCESS",
        "StreamSpecification": {"StreamEnabled": false},
        "SSESpecification": {"Enabled": false},
        "DeletionProtectionEnabled": false,
        "LocalSecondaryIndexes": null,
        "GlobalSecondaryIndexes": null,
        "Whatever": [{"comes": "later"}],
    })));
    assert_eq!(input.table_class, Some(TableClass::StandardInfrequentAccess));
}

#[test]
fn a_table_can_be_named_by_its_resource_name() {
    let arn = "arn:aws:dynamodb:eu-west-2:123456789012:table/App";
    assert_eq!(accepted(&body(&json!({"TableName": arn}))).table_name, app());
    // A table `xy` was created this way, which no client could name otherwise.
    let short = refusal(Operation::CreateTable, &body(&json!({"TableName": arn.replace("App", "xy")})));
    assert!(short.contains(" at 'tableName' failed to satisfy constraint: "), "{short}");
}

#[test]
fn violated_constraints_are_listed_together_before_anything_else() {
    assert_refusals(
        Operation::CreateTable,
        &[
            (json!({}), "The parameter 'TableName' is required but was not present in the request"),
            (
                json!({"TableName": "abc;"}),
                "3 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy constraint: Member \
                 must not be null; Value 'abc;' at 'tableName' failed to satisfy constraint: Member must satisfy regular \
                 expression pattern: [a-zA-Z0-9_.-]+; Value null at 'keySchema' failed to satisfy constraint: Member must \
                 not be null",
            ),
            (
                body(&json!({"TableName": "ab"})),
                "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have \
                 length greater than or equal to 3",
            ),
            (
                body(&json!({"TableName": "", "KeySchema": [], "AttributeDefinitions": []})),
                "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member must have \
                 length greater than or equal to 3; Value '[]' at 'keySchema' failed to satisfy constraint: Member must \
                 have length greater than or equal to 1",
            ),
            (
                body(&json!({"BillingMode": "A", "ProvisionedThroughput": {"ReadCapacityUnits": 0}})),
                "3 validation errors detected: Value 'A' at 'billingMode' failed to satisfy constraint: Member must \
                 satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value null at \
                 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null; Value \
                 '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value \
                 greater than or equal to 1",
            ),
            (
                body(&json!({"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "INVALID"}]})),
                "1 validation error detected: Value 'INVALID' at 'attributeDefinitions.1.member.attributeType' failed to \
                 satisfy constraint: Member must satisfy enum value set: [B, N, S]",
            ),
            (
                body(&json!({"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}, {}]})),
                "2 validation errors detected: Value null at 'attributeDefinitions.2.member.attributeName' failed to \
                 satisfy constraint: Member must not be null; Value null at \
                 'attributeDefinitions.2.member.attributeType' failed to satisfy constraint: Member must not be null",
            ),
            (
                body(&json!({"KeySchema": keys(&[("a", "INVALID")])})),
                "1 validation error detected: Value 'INVALID' at 'keySchema.1.member.keyType' failed to satisfy \
                 constraint: Member must satisfy enum value set: [HASH, RANGE]",
            ),
            (
                body(&json!({"Tags": [{"Key": ""}]})),
                "2 validation errors detected: Value '' at 'tags.1.member.key' failed to satisfy constraint: Member must \
                 have length greater than or equal to 1; Value null at 'tags.1.member.value' failed to satisfy \
                 constraint: Member must not be null",
            ),
        ],
    );
}

#[test]
fn no_more_than_ten_violations_are_listed() {
    let refused = refusal(Operation::CreateTable, &body(&json!({"KeySchema": vec![json!({}); 50]})));
    assert!(refused.starts_with("10 validation errors detected: "), "{refused}");
}

/// C52: a local emulator accepted definitions that no key uses, so that templates failed only when they were deployed.
/// Each of these shapes is refused by CreateTable.
#[test]
fn throughput_keys_and_definitions_are_checked_in_this_order() {
    let invalid = "One or more parameter values were invalid: ";
    let missing = format!(
        "{invalid}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
    );
    let unused = format!(
        "{invalid}Number of attributes in KeySchema does not exactly match number of attributes defined in \
         AttributeDefinitions"
    );
    let three = keys(&[("pk", "HASH"), ("sk", "RANGE"), ("extra", "RANGE")]);
    let no_definition = "Invalid KeySchema: Some index key attribute have no definition";
    assert_refusals(
        Operation::CreateTable,
        &[
            (body(&json!({"BillingMode": null, "KeySchema": three})), &missing),
            (body(&json!({"BillingMode": "PROVISIONED"})), &missing),
            (
                body(&json!({
                    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
                    "KeySchema": keys(&[("x", "RANGE")]),
                })),
                &format!(
                    "{invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
                     PAY_PER_REQUEST"
                ),
            ),
            (
                body(&json!({
                    "BillingMode": "PROVISIONED",
                    "ProvisionedThroughput": {"ReadCapacityUnits": 1_000_000_000_001_u64, "WriteCapacityUnits": 1_000_000_000_001_u64},
                })),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
            ),
            (
                body(&json!({
                    "BillingMode": "PROVISIONED",
                    "ProvisionedThroughput": {"ReadCapacityUnits": 1_000_000_000_000_u64, "WriteCapacityUnits": 1_000_000_000_001_u64},
                })),
                "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
            ),
            (
                body(
                    &json!({"KeySchema": three, "AttributeDefinitions": definitions(&["pk", "sk", "extra"])}),
                ),
                "1 validation error detected: Value '[KeySchemaElement(attributeName=pk, keyType=HASH), \
                 KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=extra, \
                 keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal \
                 to 2",
            ),
            (body(&json!({"AttributeDefinitions": []})), no_definition),
            (body(&json!({"KeySchema": keys(&[("a", "HASH"), ("a", "RANGE")])})), no_definition),
            (body(&json!({"KeySchema": keys(&[("x", "HASH"), ("a", "RANGE")])})), no_definition),
            (
                body(&json!({"KeySchema": keys(&[("b", "HASH")])})),
                &format!(
                    "{invalid}Some index key attributes are not defined in AttributeDefinitions. Keys: [b], \
                     AttributeDefinitions: [a]"
                ),
            ),
            (
                body(&json!({
                    "AttributeDefinitions": definitions(&["a", "b"]), "KeySchema": keys(&[("a", "HASH"), ("a", "HASH")]),
                })),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name",
            ),
            (
                body(&json!({
                    "AttributeDefinitions": definitions(&["a", "b"]), "KeySchema": keys(&[("a", "RANGE"), ("b", "HASH")]),
                })),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
            ),
            (
                body(&json!({
                    "AttributeDefinitions": definitions(&["a", "b"]), "KeySchema": keys(&[("a", "HASH"), ("b", "HASH")]),
                })),
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
            ),
            (body(&json!({"AttributeDefinitions": definitions(&["a", "b"])})), &unused),
            (
                body(&json!({"AttributeDefinitions": definitions(&["a", "a"])})),
                "Attribute Name is duplicated: a",
            ),
            (
                body(&json!({
                    "AttributeDefinitions": definitions(&["a", "c", "b"]),
                    "KeySchema": keys(&[("a", "HASH"), ("b", "RANGE")]),
                })),
                &unused,
            ),
        ],
    );
}
