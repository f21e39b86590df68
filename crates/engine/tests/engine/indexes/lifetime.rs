//! Indexes across restarts, and the end of their entries.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::MemoryFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Direction, DurableOptions, DurableStorage, Space, Storage};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

use super::{item, query, strings};
use crate::support::{call, create_indexed, index, merged, put};

/// A table with an index of each kind of projection, one of them of two attributes a part.
fn create_all_kinds(engine: &Engine) -> Value {
    let local = json!([index("local", &["pk", "l"], json!(["p", "q"]))]);
    let mut wide = index("wide", &["g", "l"], json!("KEYS_ONLY"));
    wide["KeySchema"] = json!([
        {"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "p", "KeyType": "HASH"},
        {"AttributeName": "l", "KeyType": "RANGE"}, {"AttributeName": "q", "KeyType": "RANGE"},
    ]);
    let global = json!([index("by_g", &["g"], json!("ALL")), wide]);
    create_indexed(engine, "items", &["pk:S", "sk:S"], &local, &global, &["l:S", "g:S", "p:S", "q:S"])
}

#[test]
fn descriptions_entries_and_figures_survive_a_restart() {
    let files = Arc::new(MemoryFiles::new());
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
    let open = || Engine::open(Options::files(files.clone()).clock(Arc::new(clock.clone()))).unwrap();
    let describe = |engine: &Engine| {
        call(engine, Operation::DescribeTable, &json!({"TableName": "items"})).unwrap()["Table"].clone()
    };

    let engine = open();
    create_all_kinds(&engine);
    clock.advance(Duration::from_secs(60));
    put(&engine, "items", item("a", "1", &[("l", "l"), ("g", "g"), ("p", "p"), ("q", "q")])).unwrap();
    put(&engine, "items", item("a", "2", &[("g", "g")])).unwrap();
    let described = describe(&engine);
    engine.close().unwrap();
    drop(engine);

    let engine = open();
    assert_eq!(describe(&engine), described);
    assert_eq!(strings(&query(&engine, "by_g", "g = :a", &["g"], json!({})).unwrap(), "sk"), ["1", "2"]);
    let one = query(&engine, "wide", "g = :a AND p = :b AND l = :c", &["g", "p", "l"], json!({})).unwrap();
    assert_eq!(strings(&one, "sk"), ["1"]);
    clock.advance(Duration::from_secs(6 * 60 * 60));
    let figures = |kind: &str, place: usize| describe(&engine)[kind][place]["ItemCount"].clone();
    assert_eq!(
        [figures("GlobalSecondaryIndexes", 0), figures("GlobalSecondaryIndexes", 1)],
        [json!(2), json!(1)]
    );
    assert_eq!(figures("LocalSecondaryIndexes", 0), 1);
}

fn stored_keys(files: &Arc<MemoryFiles>, space: Space) -> usize {
    let storage =
        DurableStorage::open(files.clone(), DurableOptions::default(), &SeededRandom::new(1)).unwrap();
    let mut keys = 0;
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let mut count = |_: &[u8], _: &[u8]| {
        keys += 1;
        ControlFlow::Continue(())
    };
    storage.snapshot().unwrap().scan(space, everything, Direction::Forward, &mut count).unwrap();
    keys
}

/// A table of the same name sees nothing of the one before, and the bytes of that one go away.
#[test]
fn the_entries_of_a_dropped_table_are_out_of_sight_at_once_and_gone_later() {
    let files = Arc::new(MemoryFiles::new());
    let open = || Engine::open(Options::files(files.clone())).unwrap();
    let engine = open();
    create_all_kinds(&engine);
    for sk in 0..10 {
        put(&engine, "items", item("a", &sk.to_string(), &[("l", "l"), ("g", "g")])).unwrap();
    }
    engine.close().unwrap();
    drop(engine);
    assert_eq!((stored_keys(&files, Space::Items), stored_keys(&files, Space::Index)), (10, 20));

    let engine = open();
    call(&engine, Operation::DeleteTable, &json!({"TableName": "items"})).unwrap();
    create_all_kinds(&engine);
    for members in [json!({"IndexName": "by_g"}), json!({"IndexName": "local"}), json!({})] {
        let scan = merged(json!({"TableName": "items"}), &members);
        assert_eq!(call(&engine, Operation::Scan, &scan).unwrap()["Count"], 0);
    }
    drop(engine);

    // They are removed while nothing else is to do; an engine that is closed before goes on when it opens.
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let left = (stored_keys(&files, Space::Items), stored_keys(&files, Space::Index));
        if left == (0, 0) {
            break;
        }
        assert!(Instant::now() < until, "still there: {left:?}");
        let engine = open();
        std::thread::sleep(Duration::from_millis(20));
        drop(engine);
    }
}
