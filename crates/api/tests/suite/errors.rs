//! Error bodies, byte for byte: SDKs check the CRC32 of what they receive.

use keywright_api::{
    BillingMode, CancellationReason, CapacityKind, DecreaseLimit, Error, IndexName, Operation, Request,
    ResourceInUse, ResourceNotFound, ThrottledResource, Throttling, ThrottlingLimit, ThrottlingReason,
};
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
            Error::LimitExceeded(DecreaseLimit {
                decreases: 4,
                last: "Friday, October 9, 2026 at 12:21:34 AM".to_owned(),
                next: "Friday, October 9, 2026 at 1:21:34 AM".to_owned(),
            }),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":"Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: 4. Last decrease at Friday, October 9, 2026 at 12:21:34 AM Coordinated Universal Time. Next decrease can be made at Friday, October 9, 2026 at 1:21:34 AM Coordinated Universal Time"}"#,
        ),
        (
            Error::ResourceInUse(ResourceInUse::IndexBeingUpdated {
                table: app(),
                index: IndexName::new("by_a").unwrap(),
            }),
            400,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"Attempt to change a resource which is still in use: Index is being updated. Table: App Index: by_a"}"#,
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

const PROVISIONED: BillingMode = BillingMode::Provisioned { read_units: 1, write_units: 1 };

fn reason(limit: ThrottlingLimit, billing_mode: BillingMode) -> ThrottlingReason {
    let resource = ThrottledResource::Table("arn:t".to_owned());
    ThrottlingReason { resource, capacity: CapacityKind::Write, limit, billing_mode }
}

/// The member with the reasons has another name in one of the three exceptions, which clients read by the model: an SDK
/// would see no reason in the other one.
#[test]
fn throttling_names_its_reasons_as_each_exception_does() {
    let cases = [
        (ThrottlingLimit::ProvisionedThroughput, PROVISIONED, "ProvisionedThroughputExceededException", "T"),
        (ThrottlingLimit::KeyRangeThroughput, PROVISIONED, "ProvisionedThroughputExceededException", "T"),
        (ThrottlingLimit::KeyRangeThroughput, BillingMode::OnDemand, "ThrottlingException", "t"),
        (ThrottlingLimit::MaxOnDemandThroughput, BillingMode::OnDemand, "ThrottlingException", "t"),
        (ThrottlingLimit::AccountLimit, BillingMode::OnDemand, "RequestLimitExceeded", "T"),
    ];
    for (limit, billing_mode, name, first_letter) in cases {
        let error = Error::Throttled(Throttling::of_request(reason(limit, billing_mode)));
        let expected = format!(
            r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{name}","{first_letter}hrottlingReasons":[{{"reason":"TableWrite{}","resource":"arn:t"}}],"message":"#,
            limit.wire_name()
        );
        assert!(body(&error).starts_with(&expected), "{}", body(&error));
        assert_eq!(error.status(), 400);
    }
}

#[test]
fn a_batch_is_throttled_by_the_exception_of_its_reasons() {
    let of =
        |reasons| Throttling::of_batch(reasons).map(|throttling| Error::Throttled(throttling).to_string());
    let name = |reasons| of(reasons).unwrap().split(':').next().unwrap().to_owned();
    let provisioned = reason(ThrottlingLimit::ProvisionedThroughput, PROVISIONED);
    let hot = reason(ThrottlingLimit::KeyRangeThroughput, PROVISIONED);
    assert_eq!(name(vec![provisioned.clone()]), "ProvisionedThroughputExceededException");
    assert_eq!(name(vec![provisioned, hot]), "ThrottlingException");
    assert_eq!(of(Vec::new()), None);
}

#[test]
fn a_cancelled_transaction_says_who_conflicts_and_who_is_throttled() {
    let index = ThrottledResource::Index("arn:t/index/i".to_owned());
    let throttled = ThrottlingReason {
        resource: index,
        ..reason(ThrottlingLimit::KeyRangeThroughput, BillingMode::OnDemand)
    };
    assert_eq!(throttled.name(), "IndexWriteKeyRangeThroughputExceeded");
    let reasons = vec![
        CancellationReason::None,
        CancellationReason::TransactionConflict,
        CancellationReason::Throttled(throttled),
        CancellationReason::Throttled(reason(ThrottlingLimit::ProvisionedThroughput, PROVISIONED)),
    ];
    let text = body(&Error::TransactionCanceled { reasons });
    assert!(
        text.contains(r#"{"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"}"#)
    );
    assert!(
        text.contains("[None, TransactionConflict, ThrottlingError, ProvisionedThroughputExceeded]"),
        "{text}"
    );
    assert_eq!(
        body(&Error::TransactionConflict),
        r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"Transaction is ongoing for the item"}"#
    );
}

#[test]
fn the_list_of_operations_drives_targets_and_policy_actions() {
    for operation in Operation::ALL {
        let target = format!("DynamoDB_20120810.{}", operation.name());
        assert_eq!(Operation::from_target(&target), Some(*operation));
        let own = format!("dynamodb:{}", operation.name());
        match operation {
            Operation::TransactGetItems => assert_eq!(operation.iam_actions(), ["dynamodb:GetItem"]),
            Operation::TransactWriteItems => assert_eq!(
                operation.iam_actions(),
                [
                    "dynamodb:ConditionCheckItem",
                    "dynamodb:DeleteItem",
                    "dynamodb:PutItem",
                    "dynamodb:UpdateItem"
                ]
            ),
            _ => assert_eq!(operation.iam_actions(), [own]),
        }
    }
    for target in
        ["", "ListTables", "DynamoDB_20120810.", "DynamoDB_20120810.ListTable", "DynamoDB_20111205.Query"]
    {
        assert_eq!(Operation::from_target(target), None, "{target}");
    }
}
