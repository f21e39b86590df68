//! A damaged item is refused with a clear error, never returned as data, and the items beside it stay readable.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;
use std::time::Duration;

use crate::support::{call, create, get, key, put, query};
use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::{File, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Batch, Direction, DurableOptions, DurableStorage, Space, Storage as _};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

const TREE: &str = "keywright.tree";

const MARKER: &[u8] = b"a-text-that-stands-in-no-other-place";

fn open(files: &Arc<MemoryFiles>) -> Engine {
    Engine::open(Options::files(files.clone())).unwrap()
}

/// Flips one bit of the marker in the stored item, in a page that fits its checksum: what a fault in memory leaves.
fn damage(files: &Arc<MemoryFiles>) {
    let settings = DurableOptions::default();
    let storage = DurableStorage::open(files.clone(), settings, &SeededRandom::new(1)).unwrap();
    let mut batch = Batch::default();
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let mut flip = |key: &[u8], value: &[u8]| {
        if let Some(place) = value.windows(MARKER.len()).position(|window| window == MARKER) {
            let mut flipped = value.to_vec();
            flipped[place + 5] ^= 1;
            batch.put(Space::Items, key, flipped);
        }
        ControlFlow::Continue(())
    };
    storage.snapshot().unwrap().scan(Space::Items, everything, Direction::Forward, &mut flip).unwrap();
    assert_eq!(batch.len(), 1, "the item's text is in the store");
    storage.commit(&batch).unwrap();
}

/// The item's own checksum notices what the tree's file cannot.
#[test]
fn a_flipped_bit_in_an_item_is_an_error_that_names_the_table() {
    let files = Arc::new(MemoryFiles::new());
    let engine = open(&files);
    create(&engine, "items", "pk:S", Some("sk:N"));
    let marker = String::from_utf8(MARKER.to_vec()).unwrap();
    put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "data": {"S": "whole"}})).unwrap();
    put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"N": "2"}, "data": {"S": marker}})).unwrap();
    engine.close().unwrap();
    drop(engine);
    damage(&files);

    let engine = open(&files);
    let whole = get(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"N": "1"}})).unwrap();
    assert_eq!(whole["data"]["S"], "whole");

    let damaged = json!({"pk": {"S": "a"}, "sk": {"N": "2"}});
    let values = json!({":p": {"S": "a"}});
    for outcome in [
        get(&engine, "items", damaged.clone()),
        query(&engine, "items", "pk = :p", values, json!({})),
        put(&engine, "items", damaged),
    ] {
        let refused = outcome.unwrap_err();
        assert_eq!(refused.name, "InternalServerError");
        assert!(refused.message.contains("an item of table items is damaged on disk"), "{}", refused.message);
        assert!(refused.message.contains("restore the data directory from a backup"), "{}", refused.message);
    }
    // A page that ends before the damage is whole.
    let first = query(&engine, "items", "pk = :p", json!({":p": {"S": "a"}}), json!({"Limit": 1})).unwrap();
    assert_eq!(first["Items"][0]["data"], json!({"S": "whole"}));
    assert_eq!(get(&engine, "items", json!({"pk": {"S": "b"}, "sk": {"N": "1"}})).unwrap(), Value::Null);
}

/// Pages were read as they were found: a flipped bit in a key hid items without an error.
#[test]
fn a_flipped_bit_in_a_key_is_an_error_of_the_calls_that_need_the_page_and_of_no_others() {
    let files = Arc::new(MemoryFiles::new());
    let engine = open(&files);
    create(&engine, "items", "pk:S", None);
    let filler = "x".repeat(3_000);
    let names: Vec<String> = (0..40).map(|number| format!("the key number {number:02}")).collect();
    for name in &names {
        put(&engine, "items", json!({"pk": {"S": name}, "data": {"S": filler}})).unwrap();
    }
    engine.close().unwrap();
    drop(engine);

    // Nothing is kept in memory of what is damaged below the open store.
    let engine = Engine::open(Options::files(files.clone()).cache_size_bytes(0)).unwrap();
    let file: Arc<dyn File> = files.open_or_create(TREE).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    for place in 0..bytes.len() - names[7].len() {
        if bytes[place..].starts_with(names[7].as_bytes()) {
            file.write_at(place as u64 + 3, &[bytes[place + 3] ^ 4]).unwrap();
        }
    }
    let (readable, refused): (Vec<_>, Vec<_>) =
        names.iter().map(|name| get(&engine, "items", key(name))).partition(Result::is_ok);
    assert!((1..=4).contains(&refused.len()), "{} of 40 share its pages", refused.len());
    assert!(readable.iter().all(|item| item.as_ref().unwrap()["data"]["S"] == filler.as_str()));
    for refused in refused {
        let refused = refused.unwrap_err();
        assert_eq!(refused.name, "InternalServerError");
        let (place, advice) = ("(keywright.tree at offset ", "restore the data directory from a backup");
        assert!(refused.message.contains(place) && refused.message.contains(advice), "{}", refused.message);
    }
    assert_eq!(engine.failure(), None);
}

/// Makes nonsense of the pages on which an entry of the `ttl` table lies.
fn damage_page_of(files: &MemoryFiles, entry: &[u8]) {
    const PAGE_BYTES: usize = 4_096;
    /// What a page of entries begins with; those that lead to other pages begin otherwise.
    const LEAF: u8 = 1;
    let file: Arc<dyn File> = files.open_or_create(TREE).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    let mut damaged = 0;
    for (number, page) in bytes.chunks(PAGE_BYTES).enumerate() {
        if page[0] == LEAF && page.windows(entry.len()).any(|window| window == entry) {
            file.write_at((number * PAGE_BYTES) as u64, &[0xFF; 4]).unwrap();
            damaged += 1;
        }
    }
    assert!(damaged > 0, "the entry is in the file");
}

/// Whoever records a token removes some whose time is over. Where these could not be read, that failed: every transaction with a
/// token, and whatever other writes were decided together with it, got a 500, and the items of dropped tables stayed.
#[test]
fn tokens_that_are_over_and_cannot_be_read_fail_no_write() {
    const START: u64 = 1_700_000_000_000;
    const TEN_MINUTES: u64 = 10 * 60 * 1000;
    let files = Arc::new(MemoryFiles::new());
    let clock = ManualClock::new(Timestamp::from_milliseconds(START));
    // Nothing is kept in memory of what is damaged below the open store.
    let options = || Options::files(files.clone()).clock(Arc::new(clock.clone())).cache_size_bytes(0);
    let open = || Engine::open(options()).unwrap();
    let add = |engine: &Engine, token: &str| {
        let body = json!({
            "ClientRequestToken": token,
            "TransactItems": [{"Update": {
                "TableName": "counters", "Key": key("a"), "UpdateExpression": "ADD n :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}},
            }}],
        });
        call(engine, Operation::TransactWriteItems, &body)
    };
    let counter = |engine: &Engine| get(engine, "counters", key("a")).unwrap()["n"]["N"].clone();
    let engine = open();
    create(&engine, "counters", "pk:S", None);
    for number in 0..400 {
        add(&engine, &format!("old {number:03}")).unwrap();
    }
    engine.close().unwrap();
    drop(engine);
    let first_that_ends = [b"x".as_slice(), &(START + TEN_MINUTES).to_be_bytes(), b"old 000"].concat();
    let engine = open();
    damage_page_of(&files, &first_that_ends);
    clock.advance(Duration::from_millis(TEN_MINUTES));
    for number in 0..3 {
        add(&engine, &format!("new {number}")).unwrap();
        put(&engine, "counters", key(&format!("put {number}"))).unwrap();
    }
    add(&engine, "new 0").unwrap();
    assert_eq!(counter(&engine), "403");
    assert_eq!(engine.failure(), None);
}
