//! Error bodies, byte for byte: SDKs check the CRC32 of what they receive.

use keywright_api::{Error, Operation, Request, ResourceInUse, ResourceNotFound};
use serde_json::json;

use crate::{app, stored};

fn body(error: &Error) -> String {
    let mut out = Vec::new();
    error.write_json(&mut out);
    String::from_utf8(out).unwrap()
}

fn crc32(error: &Error) -> u32 {
    crc32fast::hash(body(error).as_bytes())
}

/// C43: clients of one emulator saw an error named `400`, clients of another one no prefix, and those of a third a
/// checksum of other bytes. The service's own bodies have these checksums.
#[test]
fn bodies_of_refused_envelopes_have_the_service_s_checksums() {
    let not_json = Request::parse(Operation::ListTables, b"hi").unwrap_err();
    assert_eq!(crc32(&not_json), 3_948_637_019);
    assert_eq!(body(&not_json), r#"{"__type":"com.amazon.coral.service#SerializationException"}"#);
    assert_eq!(crc32(&Error::UnknownOperation), 1_368_724_161);
    assert_eq!(crc32(&Error::MissingAuthenticationToken), 2_088_342_776);
    let both = "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";
    assert_eq!(crc32(&Error::InvalidSignature { message: both.to_owned() }), 2_139_606_068);
    let incomplete = "Authorization header requires 'SignedHeaders' parameter. \
                      Authorization=AWS4- Signature=b Credential=a";
    assert_eq!(crc32(&Error::IncompleteSignature { message: incomplete.to_owned() }), 15_336_762);
}

#[test]
fn a_body_that_is_cut_off_or_followed_by_more_is_not_json() {
    for text in ["", " ", "{", r#"{"TableName""#, r#"{"TableName":"App"} x"#, "[]", "1", "null", r#""App""#] {
        let error = Request::parse(Operation::DescribeTable, text.as_bytes()).unwrap_err();
        assert_eq!(body(&error), r#"{"__type":"com.amazon.coral.service#SerializationException"}"#, "{text}");
    }
}

#[test]
fn every_error_carries_its_prefix_and_its_message() {
    let wrong_type = Request::parse(Operation::ListTables, br#"{"Limit":"5"}"#).unwrap_err();
    let missing = Request::parse(Operation::DescribeTable, b"{}").unwrap_err();
    let cases = [
        (
            wrong_type,
            400,
            r#"{"__type":"com.amazon.coral.service#SerializationException","Message":"STRING_VALUE cannot be converted to Integer"}"#,
        ),
        (
            missing,
            400,
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"The parameter 'TableName' is required but was not present in the request"}"#,
        ),
        (
            Error::ConditionalCheckFailed { item: None },
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#,
        ),
        (
            Error::ConditionalCheckFailed { item: Some(stored(&json!({"pk": {"S": "a"}}))) },
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"pk":{"S":"a"}},"message":"The conditional request failed"}"#,
        ),
        (
            Error::ResourceNotFound(ResourceNotFound::Resource),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}"#,
        ),
        (
            Error::ResourceNotFound(ResourceNotFound::Table(app())),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: App not found"}"#,
        ),
        (
            Error::ResourceInUse(ResourceInUse::TableExists(app())),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"Table already exists: App"}"#,
        ),
        (
            Error::ResourceInUse(ResourceInUse::BeingCreated(app())),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"Attempt to change a resource which is still in use: Table is being created: App"}"#,
        ),
        (
            Error::InternalServerError { reason: "the disk is \"full\"".to_owned() },
            500,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error: the disk is \"full\""}"#,
        ),
        (
            Error::RequestTooLarge,
            413,
            r#"{"__type":"com.amazon.coral.service#RequestEntityTooLargeException"}"#,
        ),
    ];
    for (error, status, expected) in cases {
        assert_eq!(body(&error), expected);
        assert_eq!(error.status(), status);
    }
}

#[test]
fn the_list_of_operations_drives_targets_and_policy_actions() {
    for operation in Operation::ALL {
        let target = format!("DynamoDB_20120810.{}", operation.name());
        assert_eq!(Operation::from_target(&target), Some(*operation));
        assert_eq!(operation.iam_action(), format!("dynamodb:{}", operation.name()));
    }
    for target in
        ["", "ListTables", "DynamoDB_20120810.", "DynamoDB_20120810.ListTable", "DynamoDB_20111205.Query"]
    {
        assert_eq!(Operation::from_target(target), None, "{target}");
    }
}
