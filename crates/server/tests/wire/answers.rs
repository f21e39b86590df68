//! Large answers and those who do not read them.

use std::time::Duration;

use keywright_server::Limits;

use crate::client::{Answer, Connection, call};
use crate::running::Running;

const BRIEF: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(3600);

/// A server with room for one large answer, and the items `large` (300 KB) and `small`.
fn with_room_for_one(answer_stall_timeout: Duration) -> Running {
    let limits = Limits { buffered_answer_bytes: 400 * 1024, answer_stall_timeout, ..Limits::default() };
    let server = Running::with_limits(limits);
    server.create_table("Things");
    put(&server, "large", 300_000);
    put(&server, "small", 10);
    server
}

fn put(server: &Running, key: &str, filler: usize) {
    let filler = "x".repeat(filler);
    let put =
        format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"{key}"}},"filler":{{"S":"{filler}"}}}}}}"#);
    assert_eq!(server.exchange(call("PutItem", put)).status, 200);
}

fn get(key: &str) -> Vec<u8> {
    call("GetItem", format!(r#"{{"TableName":"Things","Key":{{"id":{{"S":"{key}"}}}}}}"#))
}

/// Asks for more than the buffers of both sockets hold, and reads nothing but the first byte.
fn deaf(server: &Running) -> Connection {
    let mut connection = server.connect();
    connection.send(get("large").repeat(200));
    connection
}

fn assert_large(answer: &Answer) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.body.len() > 300_000);
    answer.assert_sound();
}

/// Answers were in memory until their clients had read them, without a limit: 200 clients that read nothing held 1.4 GB. Now
/// they hold what there is for answers, and those who need some of it get it when the deaf are cut off.
#[test]
fn clients_that_do_not_read_lose_the_memory_to_those_who_do() {
    let server = with_room_for_one(BRIEF);
    let deaf: Vec<_> = (0..10).map(|_| deaf(&server)).collect();
    for _ in 0..3 {
        assert_large(&server.exchange(get("large")));
        let scan = server.exchange(call("Scan", r#"{"TableName":"Things"}"#));
        assert!(scan.text().contains(r#""Count":2"#));
        let key = r#""Key":{"id":{"S":"large"}}"#;
        let delete = format!(r#"{{"TableName":"Things",{key},"ReturnValues":"ALL_OLD"}}"#);
        assert_large(&server.exchange(call("DeleteItem", delete)));
        put(&server, "large", 300_000);
    }
    drop(deaf);
}

#[test]
fn a_small_answer_never_waits_behind_large_ones() {
    let server = with_room_for_one(LONG);
    let deaf: Vec<_> = (0..10).map(|_| deaf(&server)).collect();
    let scan = call("Scan", r#"{"TableName":"Things","FilterExpression":"attribute_not_exists(filler)"}"#);
    for _ in 0..50 {
        assert_eq!(server.exchange(get("small")).status, 200);
        assert_eq!(server.exchange(&scan).status, 200);
        put(&server, "other", 10);
    }
    drop(deaf);
}

/// The item in the refusal of a failed condition is an answer like others.
#[test]
fn an_item_in_a_refusal_takes_its_share_too() {
    let server = with_room_for_one(BRIEF);
    let refused = call(
        "PutItem",
        r#"{"TableName":"Things","Item":{"id":{"S":"large"}},"ConditionExpression":"attribute_not_exists(id)",
            "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}"#,
    );
    let mut deaf = server.connect();
    deaf.send(refused.repeat(200));
    for _ in 0..3 {
        let answer = server.exchange(&refused);
        assert_eq!(answer.status, 400);
        assert_eq!(answer.error_name(), "ConditionalCheckFailedException");
        assert!(answer.body.len() > 300_000);
    }
}

/// An answer that is larger than all the memory for answers is let through alone.
#[test]
fn an_answer_above_the_limit_is_given_in_its_turn() {
    let limits = Limits { buffered_answer_bytes: 1, ..Limits::default() };
    let server = Running::with_limits(limits);
    server.create_table("Things");
    put(&server, "large", 300_000);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_large(&server.exchange(get("large"))));
        }
    });
}

/// Whoever holds memory for a body may wait for that of an answer, never the other way round.
#[test]
fn large_bodies_with_large_answers_do_not_wait_for_each_other() {
    let limits = Limits {
        body_bytes: 2 * 1024 * 1024,
        buffered_body_bytes: 2 * 1024 * 1024,
        buffered_answer_bytes: 400 * 1024,
        ..Limits::default()
    };
    let server = Running::with_limits(limits);
    server.create_table("Things");
    put(&server, "large", 300_000);
    std::thread::scope(|scope| {
        for ignored in [100_000, 1_500_000].repeat(8) {
            let server = &server;
            scope.spawn(move || {
                let ignored = "x".repeat(ignored);
                let get = format!(
                    r#"{{"Unknown":"{ignored}","TableName":"Things","Key":{{"id":{{"S":"large"}}}}}}"#
                );
                let mut connection = server.connect();
                for _ in 0..3 {
                    assert_large(&connection.send(call("GetItem", &get)).receive());
                }
            });
        }
    });
}
