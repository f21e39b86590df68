//! `GET /`: healthy while requests can be served, and only then.

use std::sync::Arc;

use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, MemoryFiles};
use keywright_engine::{Engine, Options};

use crate::client::{call, head};
use crate::running::{Running, free_port};

#[test]
fn a_health_check_answers_as_the_service() {
    let server = Running::start();
    let answer = server.exchange(head("GET /", &[]));
    assert_eq!((answer.status, answer.text()), (200, "healthy: dynamodb.us-east-1.amazonaws.com "));
    assert_eq!(answer.header("x-amz-crc32"), Some("3128867991"));
    answer.assert_sound();
}

#[test]
fn a_health_check_of_another_path_is_not_healthy() {
    let server = Running::start();
    assert_eq!(server.exchange(head("GET /health", &[])).status, 404);
}

/// The disk had failed, every request was answered with 500, and `GET /` went on to say healthy: whatever watched it saw no
/// reason to act.
#[test]
fn a_store_that_has_stopped_is_not_healthy_and_the_cause_is_named() {
    let plan = FaultPlan { seed: 7, fault: Fault::SyncFails, at_operation: 100 };
    let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
    let server = Running::with(Engine::open(Options::files(Arc::new(files))).unwrap(), free_port());
    server.create_table("Things");
    assert_eq!(server.exchange(head("GET /", &[])).status, 200);
    let mut connection = server.connect();
    let failed = (0..1_000)
        .map(|number| connection.send(put(number)).receive())
        .find(|answer| answer.status != 200)
        .unwrap();
    assert_eq!((failed.status, failed.error_name().as_str()), (500, "InternalServerError"));
    let unhealthy = server.exchange(head("GET /", &[]));
    let text = unhealthy.text();
    assert_eq!(unhealthy.status, 503, "{text}");
    assert!(text.starts_with("unhealthy: the store has stopped: "), "{text}");
    assert!(text.contains("check the disk and start again"), "{text}");
    unhealthy.assert_sound();
}

#[test]
fn a_store_on_a_full_disk_is_not_healthy_until_there_is_room() {
    let files = FaultyFiles::counting(7);
    let engine = Engine::open(Options::files(Arc::new(files.clone()))).unwrap();
    let server = Running::with(engine, free_port());
    server.create_table("Things");
    files.limit_bytes(Some(0));
    let mut connection = server.connect();
    let refused = (0..10_000)
        .map(|number| connection.send(put(number)).receive())
        .find(|answer| answer.status != 200)
        .unwrap();
    assert_eq!((refused.status, refused.error_name().as_str()), (500, "InternalServerError"));
    let unhealthy = server.exchange(head("GET /", &[]));
    let text = unhealthy.text();
    assert_eq!(unhealthy.status, 503, "{text}");
    assert!(text.starts_with("unhealthy: the store is read-only because its disk is full"), "{text}");
    unhealthy.assert_sound();

    // A load balancer that was told so sends nothing any more: no write comes that would find out that there is room.
    files.limit_bytes(None);
    let healthy = server.exchange(head("GET /", &[]));
    assert_eq!(healthy.status, 200, "{}", healthy.text());
    assert_eq!(connection.send(put(10_000)).receive().status, 200);
}

/// A put of 10 KB, so that a disk is soon full.
fn put(number: usize) -> Vec<u8> {
    let filler = "x".repeat(10_000);
    let item = format!(r#"{{"id":{{"S":"{number}"}},"filler":{{"S":"{filler}"}}}}"#);
    call("PutItem", format!(r#"{{"TableName":"Things","Item":{item}}}"#))
}

#[test]
fn an_engine_that_takes_no_more_writes_is_not_healthy() {
    let engine = Engine::open(Options::memory()).unwrap();
    let server = Running::with(engine.clone(), free_port());
    engine.close().unwrap();
    assert_eq!(server.exchange(head("GET /", &[])).status, 503);
}
