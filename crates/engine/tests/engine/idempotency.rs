//! Client request tokens of TransactWriteItems.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;
use std::time::Duration;

use crate::support::{Refusal, call, create, get, key, memory, put};
use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::MemoryFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Direction, DurableOptions, DurableStorage, Space, Storage};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

const START: Timestamp = Timestamp::from_milliseconds(1_700_000_000_000);

/// Adds to the counter of `a`, under this token.
fn add(engine: &Engine, token: &str, step: &str) -> Result<Value, Refusal> {
    let body = json!({
        "ClientRequestToken": token, "ReturnConsumedCapacity": "TOTAL",
        "TransactItems": [{"Update": {
            "TableName": "counters", "Key": key("a"), "UpdateExpression": "ADD n :step",
            "ExpressionAttributeValues": {":step": {"N": step}},
        }}],
    });
    call(engine, Operation::TransactWriteItems, &body)
}

fn counter(engine: &Engine) -> String {
    get(engine, "counters", key("a")).unwrap()["n"]["N"].as_str().unwrap().to_owned()
}

/// C30. Emulators ignored tokens, so that a client which sent a transaction again after a lost answer counted twice;
/// DynamoDB Local refused one of five requests that were the same. Within ten minutes the same request is a success that
/// changes nothing, and costs what reading its items costs; the token with another request is refused.
#[test]
fn a_token_stands_for_one_transaction() {
    let engine = memory();
    create(&engine, "counters", "pk:S", None);
    // 1.5 KB: two units to write, one to read.
    put(&engine, "counters", json!({"pk": {"S": "a"}, "data": {"S": "x".repeat(1500)}})).unwrap();
    let first = add(&engine, "token", "1").unwrap();
    assert_eq!(
        first["ConsumedCapacity"],
        json!([{"TableName": "counters", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}])
    );
    let again = add(&engine, "token", "1").unwrap();
    assert_eq!(
        again["ConsumedCapacity"],
        json!([{"TableName": "counters", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}])
    );
    assert_eq!(counter(&engine), "1");
    assert_eq!(add(&engine, "token", "2").unwrap_err().name, "IdempotentParameterMismatchException");
    add(&engine, "other token", "2").unwrap();
    assert_eq!(counter(&engine), "3");
}

/// C30. A replay is charged by what the first request read and wrote, even if there is nothing left of it.
#[test]
fn the_replay_of_a_delete_costs_what_reading_the_deleted_item_cost() {
    let engine = memory();
    create(&engine, "counters", "pk:S", None);
    put(&engine, "counters", json!({"pk": {"S": "a"}, "data": {"S": "x".repeat(9000)}})).unwrap();
    let body = json!({
        "ClientRequestToken": "token", "ReturnConsumedCapacity": "TOTAL",
        "TransactItems": [{"Delete": {"TableName": "counters", "Key": key("a")}}],
    });
    call(&engine, Operation::TransactWriteItems, &body).unwrap();
    let again = call(&engine, Operation::TransactWriteItems, &body).unwrap();
    assert_eq!(again["ConsumedCapacity"][0]["ReadCapacityUnits"], 6.0);
}

/// C30. SDKs write the members of a map in whatever order, and a client may ask about the capacity or not: the request
/// is the same.
#[test]
fn requests_are_compared_by_value() {
    let engine = memory();
    create(&engine, "counters", "pk:S", None);
    let send = |body: &str| {
        engine
            .call_wire(Operation::TransactWriteItems, body.as_bytes())
            .wait()
            .map_err(|error| error.to_string())
    };
    let same = [
        r##"{"ClientRequestToken": "t", "TransactItems": [{"Put": {"TableName": "counters",
            "Item": {"pk": {"S": "a"}, "n": {"N": "10"}, "s": {"SS": ["x", "y"]}},
            "ConditionExpression": "attribute_not_exists(#p) AND :v = :v", "ExpressionAttributeNames": {"#p": "pk"},
            "ExpressionAttributeValues": {":v": {"N": "1"}}}}]}"##,
        r##"{"ReturnConsumedCapacity": "INDEXES", "TransactItems": [{"Put": {"ExpressionAttributeNames": {"#p": "pk"},
            "ExpressionAttributeValues": {":v": {"N": "1.0"}},
            "ConditionExpression": "attribute_not_exists(#p) AND :v = :v",
            "Item": {"s": {"SS": ["y", "x"]}, "n": {"N": "1e1"}, "pk": {"S": "a"}}, "TableName": "counters"}}],
            "ClientRequestToken": "t"}"##,
    ];
    for body in same {
        send(body).unwrap();
    }
    let others = [
        same[0].replace("\"10\"", "\"11\""),
        same[0].replace("#p", "#q"),
        same[0].replace("\"1\"", "\"2\""),
        same[0].replace(" AND ", " and "),
        same[0].replace("\"Item\"", "\"ReturnValuesOnConditionCheckFailure\": \"ALL_OLD\", \"Item\""),
    ];
    for body in others {
        assert!(send(&body).unwrap_err().starts_with("IdempotentParameterMismatchException"), "{body}");
    }
}

/// A client that sends a cancelled transaction again wants to know whether it can be carried out now.
#[test]
fn a_transaction_that_was_cancelled_is_tried_again_under_its_token() {
    let engine = memory();
    create(&engine, "counters", "pk:S", None);
    let body = json!({
        "ClientRequestToken": "token",
        "TransactItems": [{"ConditionCheck": {
            "TableName": "counters", "Key": key("a"), "ConditionExpression": "attribute_exists(pk)",
        }}],
    });
    let send = || call(&engine, Operation::TransactWriteItems, &body);
    assert_eq!(send().unwrap_err().name, "TransactionCanceledException");
    put(&engine, "counters", key("a")).unwrap();
    send().unwrap();
}

/// C30. The ten minutes are those of the engine's clock, and a restart does not shorten them.
#[test]
fn a_token_is_kept_for_ten_minutes_across_restarts() {
    let directory = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(START);
    let open = || Engine::open(Options::directory(directory.path()).clock(Arc::new(clock.clone()))).unwrap();
    let engine = open();
    create(&engine, "counters", "pk:S", None);
    add(&engine, "token", "1").unwrap();
    drop(engine);

    let engine = open();
    clock.advance(Duration::from_millis(10 * 60 * 1000 - 1));
    add(&engine, "token", "1").unwrap();
    assert_eq!(add(&engine, "token", "5").unwrap_err().name, "IdempotentParameterMismatchException");
    assert_eq!(counter(&engine), "1");

    clock.advance(Duration::from_millis(1));
    add(&engine, "token", "5").unwrap();
    assert_eq!(counter(&engine), "6");
    drop(engine);
    let engine = open();
    add(&engine, "token", "5").unwrap();
    assert_eq!(counter(&engine), "6");
}

/// Two calls at once with one token are one transaction.
#[test]
fn calls_at_once_under_one_token_count_once() {
    let engine = memory();
    create(&engine, "counters", "pk:S", None);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| add(&engine, "token", "1").unwrap());
        }
    });
    assert_eq!(counter(&engine), "1");
}

/// Tokens whose time is over leave the store while others come, so that it does not grow with every transaction that
/// ever was.
#[test]
fn tokens_that_are_over_are_removed() {
    let files = MemoryFiles::new();
    let clock = ManualClock::new(START);
    let open =
        || Engine::open(Options::files(Arc::new(files.clone())).clock(Arc::new(clock.clone()))).unwrap();
    let engine = open();
    create(&engine, "counters", "pk:S", None);
    for number in 0..60 {
        add(&engine, &format!("first {number}"), "1").unwrap();
    }
    clock.advance(Duration::from_secs(10 * 60));
    // One of them comes again, the others make room for new ones.
    add(&engine, "first 0", "1").unwrap();
    for number in 0..30 {
        add(&engine, &format!("second {number}"), "1").unwrap();
    }
    assert_eq!(counter(&engine), "91");
    drop(engine);
    assert_eq!(entries(&files, Space::TimeToLive), 2 * 31);

    let engine = open();
    add(&engine, "first 0", "1").unwrap();
    add(&engine, "second 29", "1").unwrap();
    assert_eq!(counter(&engine), "91");
}

/// How many keys a store has in one of its spaces.
fn entries(files: &MemoryFiles, space: Space) -> usize {
    let storage =
        DurableStorage::open(Arc::new(files.clone()), DurableOptions::default(), &SeededRandom::new(1))
            .unwrap();
    let snapshot = storage.snapshot().unwrap();
    let mut entries = 0;
    let mut count = |_: &[u8], _: &[u8]| {
        entries += 1;
        ControlFlow::Continue(())
    };
    snapshot.scan(space, (Bound::Unbounded, Bound::Unbounded), Direction::Forward, &mut count).unwrap();
    entries
}
