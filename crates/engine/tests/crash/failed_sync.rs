//! A sync that fails ends the engine: it is never tried again, and what was answered before is there afterwards.

use std::sync::Arc;

use keywright_api::Operation;
use keywright_engine::files::{Fault, MemoryFiles};
use serde_json::{Value, json};

use crate::in_process::{Handle, calm, clock, open};
use crate::life::until;
use crate::suite::client::{Answer, Client};
use crate::suite::log::Log;
use crate::suite::schema::{THINGS, set_up};

fn put(number: i64) -> Value {
    json!({"TableName": THINGS, "Item": Log::new(0).thing(number).bare_item()})
}

#[test]
fn an_engine_whose_sync_failed_answers_nothing_more_and_has_everything_it_answered() {
    for seed in 0..20 {
        let clock = clock();
        let files = calm(&MemoryFiles::new(), seed);
        let engine = open(Arc::new(files.clone()), &clock).unwrap();
        let mut handle = Handle(&engine);
        set_up(&mut handle).unwrap();
        handle.must(Operation::PutItem, &put(1)).unwrap();
        files.strike(Fault::SyncFails, 0);
        let Answer::Unknown(first) = handle.call(Operation::PutItem, &put(2)) else {
            panic!("it was answered")
        };
        assert!(first.contains("the store has stopped"), "{first}");
        assert!(first.contains("injected: the sync failed"), "{first}");
        for (operation, body) in [
            (Operation::PutItem, put(3)),
            (Operation::GetItem, json!({"TableName": THINGS, "Key": Log::new(0).thing(1).key()})),
        ] {
            let Answer::Unknown(later) = handle.call(operation, &body) else { panic!("it was answered") };
            assert_eq!(later, first, "the first cause is told");
        }
        assert!(engine.failure().is_some_and(|failure| failure.contains("injected: the sync failed")));
        let disk = files.restart().unwrap();
        drop(engine);
        assert_eq!(files.retried_syncs(), 0);

        let engine = open(Arc::new(disk), &clock).unwrap();
        let items = Handle(&engine).scan(THINGS).unwrap();
        let is_there = |number: i64| {
            items.iter().any(|item| {
                item["sk"] == json!({"N": number.to_string()}) && item["pk"] == json!({"S": "client 0"})
            })
        };
        assert!(is_there(1) && !is_there(3), "seed {seed}");
    }
}

/// The threads behind the writes sync too: what they prepare, and the directory in which they create and remove. When such a
/// sync failed, the store once went on until a frame needed what was being prepared; and a close before that began a segment
/// whose name the failed sync had dropped, so that the store did not open after a power loss.
#[test]
fn whichever_sync_fails_the_engine_stops_and_everything_it_answered_is_there() {
    let mut struck = 0;
    for after in 0..80 {
        let clock = clock();
        let files = calm(&MemoryFiles::new(), after);
        let engine = open(Arc::new(files.clone()), &clock).unwrap();
        let mut handle = Handle(&engine);
        set_up(&mut handle).unwrap();
        files.strike(Fault::SyncFails, after);
        let mut answered = Vec::new();
        for number in 0..40 {
            let mut item = put(number);
            item["Item"]["filler"] = json!({"S": "x".repeat(6_000)});
            match handle.call(Operation::PutItem, &item) {
                Answer::Done(_) => answered.push(number),
                _ => break,
            }
            // Nothing more needs what could not be synced.
            if files.has_failed() {
                break;
            }
        }
        if files.has_failed() {
            struck += 1;
            until(|| engine.failure().is_some(), "the engine goes on")
                .unwrap_or_else(|failure| panic!("{after}: {failure}"));
        }
        assert_eq!(engine.close().is_err(), files.has_failed(), "after {after} operations");
        drop(engine);
        assert_eq!(files.retried_syncs(), 0, "after {after} operations");
        let disk = files.restart().unwrap();
        let engine =
            open(Arc::new(disk), &clock).unwrap_or_else(|error| panic!("after {after} operations: {error}"));
        for number in answered {
            let get = json!({"TableName": THINGS, "Key": Log::new(0).thing(number).key()});
            let found = Handle(&engine).must(Operation::GetItem, &get).unwrap();
            assert!(found.get("Item").is_some(), "after {after} operations {number} is gone");
        }
    }
    assert!(struck > 40, "{struck} syncs failed");
}
