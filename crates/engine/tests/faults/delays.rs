//! Delays pass on the engine's clock, and nobody has to wait for what is delayed.

use std::sync::Arc;
use std::time::Duration;

use keywright_api::{Operation, Request};
use keywright_engine::clock::{Clock, ManualClock, Timestamp};
use keywright_engine::faults::{Fault, Moment, Rule, When};
use keywright_engine::{Engine, Options, Outcome, Reply};
use serde_json::{Value, json};

use crate::fixture::faults;
use crate::support::{create, get, key};

const MINUTE: Duration = Duration::from_secs(60);

fn engine(clock: &ManualClock, rule: Rule) -> Engine {
    let options = Options::memory().clock(Arc::new(clock.clone())).faults(faults([rule]));
    let engine = Engine::open(options).unwrap();
    create(&engine, "app", "pk:S", None);
    engine
}

fn clock() -> ManualClock {
    ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000))
}

fn delayed(moment: Moment) -> Rule {
    Rule::new(Fault::Delay(moment, MINUTE)).operation(Operation::PutItem).when(When::First(1))
}

fn put(engine: &Engine) -> Reply {
    let body = json!({"TableName": "app", "Item": key("a")}).to_string();
    engine.call(Request::parse(Operation::PutItem, body.as_bytes()).unwrap())
}

fn item(engine: &Engine) -> Value {
    get(engine, "app", key("a")).unwrap()
}

/// Waits on another thread while this one moves the clock; how far it had to be moved.
fn moved_until_answered(clock: &ManualClock, reply: Reply) -> (Duration, Outcome) {
    let start = clock.now();
    let waiting = std::thread::spawn(move || reply.wait());
    while !waiting.is_finished() {
        clock.advance(Duration::from_secs(1));
        std::thread::yield_now();
    }
    (clock.now().since(start), waiting.join().unwrap())
}

#[test]
fn a_call_that_is_delayed_before_its_commit_is_carried_out_when_its_time_comes() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::BeforeCommit));
    let reply = put(&engine);
    clock.advance(MINUTE - Duration::from_millis(1));
    assert_eq!(item(&engine), Value::Null);
    clock.advance(Duration::from_millis(1));
    reply.wait().unwrap();
    assert_eq!(item(&engine), key("a"));
    put(&engine).wait().unwrap();
}

#[test]
fn a_call_that_is_delayed_after_its_commit_is_carried_out_at_once() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::AfterCommit));
    let (took, outcome) = moved_until_answered(&clock, put(&engine));
    outcome.unwrap();
    assert!(took >= MINUTE, "{took:?}");
    assert_eq!(item(&engine), key("a"));
    put(&engine).wait().unwrap();
}

/// A client gives up and writes again; then its first write arrives. The service's network does that.
#[test]
fn a_delayed_write_lands_though_its_client_has_gone() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::BeforeCommit));
    drop(put(&engine));
    assert_eq!(item(&engine), Value::Null);
    clock.advance(MINUTE);
    // The write is queued by another thread at that moment.
    while item(&engine) == Value::Null {
        std::thread::yield_now();
    }
}

#[test]
fn what_is_delayed_when_the_engine_closes_is_refused() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::BeforeCommit));
    let reply = put(&engine);
    engine.close().unwrap();
    clock.advance(MINUTE);
    assert!(reply.wait().unwrap_err().to_string().contains("the engine is closed"));
}

#[test]
fn what_is_delayed_when_the_engine_is_gone_is_refused() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::BeforeCommit));
    let reply = put(&engine);
    drop(engine);
    assert!(reply.wait().unwrap_err().to_string().contains("the engine is closed"));
}

#[test]
fn delays_of_several_rules_add_up_and_a_refusal_waits_for_them() {
    let clock = clock();
    let rules = [
        delayed(Moment::BeforeCommit),
        Rule::new(Fault::Delay(Moment::BeforeCommit, MINUTE)).operation(Operation::PutItem),
        Rule::new(Fault::InternalServerError(Moment::BeforeCommit)).operation(Operation::PutItem),
    ];
    let engine =
        Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults(rules))).unwrap();
    create(&engine, "app", "pk:S", None);
    let (took, outcome) = moved_until_answered(&clock, put(&engine));
    assert!(took >= 2 * MINUTE, "{took:?}");
    assert!(outcome.is_err());
    assert_eq!(item(&engine), Value::Null);
}

#[test]
fn a_table_that_was_deleted_meanwhile_is_not_written() {
    let clock = clock();
    let engine = engine(&clock, delayed(Moment::BeforeCommit));
    let reply = put(&engine);
    engine.call_wire(Operation::DeleteTable, br#"{"TableName": "app"}"#).wait().unwrap();
    clock.advance(MINUTE);
    assert!(reply.wait().unwrap_err().to_string().starts_with("ResourceNotFoundException"));
}
