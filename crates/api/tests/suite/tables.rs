//! DescribeTable, DeleteTable and ListTables, and the names of tables.

use keywright_api::{ListTablesInput, Operation, Request};
use serde_json::json;

use crate::{app, assert_refusals, parse};

#[test]
fn a_table_is_named_by_name_or_by_resource_name() {
    for name in [
        "App",
        "arn:aws:dynamodb:us-east-1:000000000000:table/App",
        "arn:aws-cn:dynamodb:cn-north-1:1:table/App",
    ] {
        let Ok(Request::DescribeTable(input)) = parse(Operation::DescribeTable, &json!({"TableName": name}))
        else {
            panic!("{name} names a table")
        };
        assert_eq!(input.table_name, app());
        assert!(parse(Operation::DeleteTable, &json!({"TableName": name, "Unknown": {}})).is_ok());
    }
}

#[test]
fn a_name_that_no_table_can_have_is_refused() {
    let too_long = "a".repeat(256);
    for operation in [Operation::DescribeTable, Operation::DeleteTable, Operation::UpdateTable] {
        assert_refusals(
            operation,
            &[
                (json!({}), "The parameter 'TableName' is required but was not present in the request"),
                (
                    json!({"TableName": null}),
                    "The parameter 'TableName' is required but was not present in the request",
                ),
                (
                    json!({"TableName": "abc;"}),
                    "1 validation error detected: Value 'abc;' at 'tableName' failed to satisfy constraint: Member must \
                     satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
                ),
                (
                    json!({"TableName": "arn:aws:s3:::table/App"}),
                    "1 validation error detected: Value 'arn:aws:s3:::table/App' at 'tableName' failed to satisfy \
                     constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
                ),
                (
                    json!({"TableName": too_long}),
                    &format!(
                        "1 validation error detected: Value '{too_long}' at 'tableName' failed to satisfy constraint: \
                         Member must have length less than or equal to 255"
                    ),
                ),
            ],
        );
    }
}

#[test]
fn list_tables_takes_a_limit_of_1_to_100_and_any_name_as_a_start() {
    let input = |body| match parse(Operation::ListTables, &body) {
        Ok(Request::ListTables(input)) => input,
        other => panic!("{body} should have been accepted, not be {other:?}"),
    };
    let whole = ListTablesInput { exclusive_start_table_name: None, limit: 100 };
    assert_eq!(input(json!({})), whole);
    assert_eq!(input(json!({"ExclusiveStartTableName": null, "Limit": null, "hi": "yo"})), whole);
    let page = ListTablesInput { exclusive_start_table_name: Some("aaa".to_owned()), limit: 1 };
    assert_eq!(input(json!({"ExclusiveStartTableName": "aaa", "Limit": 1})), page);
    assert_refusals(
        Operation::ListTables,
        &[
            (
                json!({"Limit": 0}),
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value \
                 greater than or equal to 1",
            ),
            (
                json!({"ExclusiveStartTableName": "a;", "Limit": 101}),
                "3 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: \
                 Member must have length greater than or equal to 3; Value 'a;' at 'exclusiveStartTableName' failed to \
                 satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '101' at \
                 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
            ),
        ],
    );
}
