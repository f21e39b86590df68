//! Throttling of single operations, with the service's reasons.

use keywright_api::{Error, Operation, Request, ThrottlingLimit};
use keywright_engine::Engine;
use keywright_engine::faults::{Fault, Rule, When};
use serde_json::{Value, json};

use crate::fixture::{empty, engine, indexed, name_of, put_outcome};
use crate::support::{call, get, key, scan};

fn throttle(limit: ThrottlingLimit) -> Rule {
    Rule::new(Fault::Throttle(limit))
}

/// The exception, and its first reason.
fn reason(engine: &Engine, operation: Operation, body: &Value) -> (String, String, String) {
    let request = Request::parse(operation, body.to_string().as_bytes()).unwrap();
    let error = engine.call(request).wait().unwrap_err();
    let Error::Throttled(throttling) = &error else { panic!("{error}") };
    let reason = &throttling.reasons[0];
    (error.to_string().split(':').next().unwrap().to_owned(), reason.name(), reason.resource.arn().to_owned())
}

#[test]
fn an_operation_is_throttled_for_its_table_as_the_service_words_it() {
    let engine = engine([throttle(ThrottlingLimit::KeyRangeThroughput)]);
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
    let expected = |reason: &str| ("ThrottlingException".to_owned(), reason.to_owned(), arn.to_owned());
    let write = json!({"TableName": "app", "Item": key("a")});
    assert_eq!(reason(&engine, Operation::PutItem, &write), expected("TableWriteKeyRangeThroughputExceeded"));
    let read = json!({"TableName": "app", "Key": key("a")});
    assert_eq!(reason(&engine, Operation::GetItem, &read), expected("TableReadKeyRangeThroughputExceeded"));
}

#[test]
fn nothing_is_written_by_a_write_that_is_throttled() {
    let engine =
        engine([throttle(ThrottlingLimit::AccountLimit).operation(Operation::PutItem).when(When::First(1))]);
    assert_eq!(put_outcome(&engine, "a"), "RequestLimitExceeded");
    assert_eq!(get(&engine, "app", key("a")).unwrap(), Value::Null);
    assert_eq!(put_outcome(&engine, "a"), "ok");
}

/// Whoever looks for the cause in the table looks at the wrong place: the index was too small.
#[test]
fn the_reason_names_the_index_that_is_read_or_written_through() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/app/index/by_user";
    let write = json!({"TableName": "app", "Item": {"pk": {"S": "a"}, "sk": {"S": "a"}}});
    let read = json!({"TableName": "app", "IndexName": "by_user"});
    let by_rule = indexed([throttle(ThrottlingLimit::KeyRangeThroughput).index("by_user")]);
    let by_call = indexed([throttle(ThrottlingLimit::MaxOnDemandThroughput).operation(Operation::Scan)]);
    let (_, name, resource) = reason(&by_rule, Operation::PutItem, &write);
    assert_eq!((name.as_str(), resource.as_str()), ("IndexWriteKeyRangeThroughputExceeded", arn));
    let (_, name, resource) = reason(&by_rule, Operation::Scan, &read);
    assert_eq!((name.as_str(), resource.as_str()), ("IndexReadKeyRangeThroughputExceeded", arn));
    let (_, name, resource) = reason(&by_call, Operation::Scan, &read);
    assert_eq!((name.as_str(), resource.as_str()), ("IndexReadMaxOnDemandThroughputExceeded", arn));
    // A local index uses the capacity of its table.
    let local = json!({"TableName": "app", "IndexName": "by_time"});
    let (_, name, _) = reason(&by_call, Operation::Scan, &local);
    assert_eq!(name, "TableReadMaxOnDemandThroughputExceeded");
}

#[test]
fn a_provisioned_table_is_throttled_by_its_own_exception() {
    let engine = empty([throttle(ThrottlingLimit::KeyRangeThroughput).operation(Operation::Scan)]);
    let create = json!({
        "TableName": "app",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    });
    call(&engine, Operation::CreateTable, &create).unwrap();
    assert_eq!(name_of(scan(&engine, "app", &json!({}))), "ProvisionedThroughputExceededException");
}
