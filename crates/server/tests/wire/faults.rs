//! Faults as a socket sees them: an answer that is a refusal, one that is late, and none at all.

use std::sync::Arc;
use std::time::Duration;

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::faults::{Fault, Faults, Moment, Rule, When};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use crate::client::call;
use crate::running::{Running, free_port};

fn serving(rule: Rule) -> Running {
    serving_on(Options::memory(), rule)
}

fn serving_on(options: Options, rule: Rule) -> Running {
    let engine = Engine::open(options.faults(Faults::new(7).rule(rule).unwrap())).unwrap();
    let server = Running::with(engine, free_port());
    server.create_table("Things");
    server
}

fn put() -> Vec<u8> {
    call("PutItem", json!({"TableName": "Things", "Item": {"id": {"S": "a"}}}).to_string())
}

fn is_stored(server: &Running) -> bool {
    let get = json!({"TableName": "Things", "Key": {"id": {"S": "a"}}}).to_string();
    server.exchange(call("GetItem", get)).text() != "{}"
}

#[test]
fn a_cut_connection_is_closed_without_a_byte() {
    for (moment, stored) in [(Moment::BeforeCommit, false), (Moment::AfterCommit, true)] {
        let rule = Rule::new(Fault::CutConnection(moment)).operation(Operation::PutItem).when(When::First(1));
        let server = serving(rule);
        let mut connection = server.connect();
        let mut bystander = server.connect();
        assert!(connection.send(put()).is_closed(), "{moment}");
        assert_eq!(is_stored(&server), stored, "{moment}");
        assert_eq!(bystander.send(put()).receive().status, 200, "only one connection is cut");
        assert_eq!(server.exchange(put()).status, 200);
    }
}

/// A connection is cut even when its client has sent the next request already, which is then not carried out.
#[test]
fn what_follows_on_a_connection_that_is_cut_is_not_answered() {
    let rule = Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(Operation::ListTables);
    let server = serving(rule);
    let mut connection = server.connect();
    assert!(connection.send([call("ListTables", "{}"), put()].concat()).is_closed());
    assert!(!is_stored(&server));
}

#[test]
fn a_throttled_answer_has_its_reasons_and_is_sound() {
    let limit = ThrottlingLimit::KeyRangeThroughput;
    let server = serving(Rule::new(Fault::Throttle(limit)).operation(Operation::PutItem));
    let answer = server.exchange(put());
    answer.assert_sound();
    assert_eq!((answer.status, answer.error_name().as_str()), (400, "ThrottlingException"));
    let body: Value = serde_json::from_slice(&answer.body).unwrap();
    let expected = json!([{
        "reason": "TableWriteKeyRangeThroughputExceeded",
        "resource": "arn:aws:dynamodb:us-east-1:000000000000:table/Things",
    }]);
    assert_eq!(body["throttlingReasons"], expected);
}

#[test]
fn a_500_is_an_answer() {
    let server =
        serving(Rule::new(Fault::InternalServerError(Moment::AfterCommit)).operation(Operation::PutItem));
    let answer = server.exchange(put());
    answer.assert_sound();
    assert_eq!((answer.status, answer.error_name().as_str()), (500, "InternalServerError"));
    assert!(is_stored(&server));
}

/// A client's timeout is over, the client hangs up; its write arrives later all the same.
#[test]
fn a_delayed_write_lands_though_its_connection_is_gone() {
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
    let delay = Fault::Delay(Moment::BeforeCommit, Duration::from_secs(60));
    let rule = Rule::new(delay).operation(Operation::PutItem);
    let faults = Faults::new(7).rule(rule).unwrap();
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
    let server = Running::with(engine.clone(), free_port());
    server.create_table("Things");
    let mut connection = server.connect();
    connection.send(put());
    while engine.faults().unwrap().rules[0].calls == 0 {
        std::thread::yield_now();
    }
    drop(connection);
    clock.advance(Duration::from_secs(60));
    while !is_stored(&server) {
        std::thread::yield_now();
    }
}

#[test]
fn a_delayed_answer_comes_when_the_clock_says_so() {
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
    let delay = Fault::Delay(Moment::AfterCommit, Duration::from_secs(60));
    let options = Options::memory().clock(Arc::new(clock.clone()));
    let server = serving_on(options, Rule::new(delay).operation(Operation::PutItem));
    let mut connection = server.connect();
    connection.send(put());
    while !is_stored(&server) {
        std::thread::yield_now();
    }
    let moving = std::thread::spawn(move || connection.receive().status);
    while !moving.is_finished() {
        clock.advance(Duration::from_secs(1));
        std::thread::yield_now();
    }
    assert_eq!(moving.join().unwrap(), 200);
}

/// Reads were carried out twice where memory was short, and the second one was another call to the rule.
#[test]
fn a_read_is_one_call_of_a_rule_however_large_its_answer_is() {
    let engine = Engine::open(
        Options::memory().faults(
            Faults::new(7)
                .rule(
                    Rule::new(Fault::InternalServerError(Moment::BeforeCommit))
                        .operation(Operation::Scan)
                        .when(When::Calls(vec![2])),
                )
                .unwrap(),
        ),
    )
    .unwrap();
    let mut options = free_port();
    options.limits.buffered_answer_bytes = 64 * 1024;
    let server = Running::with(engine.clone(), options);
    server.create_table("Things");
    for number in 0..4 {
        let item = json!({"id": {"S": number.to_string()}, "data": {"S": "x".repeat(200_000)}});
        let put = call("PutItem", json!({"TableName": "Things", "Item": item}).to_string());
        assert_eq!(server.exchange(put).status, 200);
    }
    let scan = call("Scan", json!({"TableName": "Things"}).to_string());
    let statuses: Vec<u16> = (0..3).map(|_| server.exchange(&scan).status).collect();
    assert_eq!(statuses, [200, 500, 200]);
    assert_eq!(engine.faults().unwrap().rules[0].calls, 3);
}
