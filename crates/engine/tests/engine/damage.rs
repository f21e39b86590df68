//! A damaged item is refused with a clear error, never returned as data, and the items beside it stay readable.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{call, create, get, key, put, query};
use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::{File, Files, MemoryFiles};
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

const MARKER: &[u8] = b"a-text-that-stands-in-no-other-place";

fn open(files: &Arc<MemoryFiles>) -> Engine {
    Engine::open(Options::files(files.clone())).unwrap()
}

/// Flips one bit of the marker in every copy of it that the store holds.
fn damage(files: &MemoryFiles) {
    let file: Arc<dyn File> = files.open_or_create("keywright.redb").unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - MARKER.len()).filter(|place| bytes[*place..].starts_with(MARKER)).collect();
    assert!(!places.is_empty(), "the item's text is in the file");
    for place in places {
        file.write_at(place as u64 + 5, &[MARKER[5] ^ 1]).unwrap();
    }
}

/// The tree under the engine verifies nothing when it reads: a flipped bit came back as data in every trial. The item's own
/// checksum is what notices.
#[test]
fn a_flipped_bit_in_an_item_is_an_error_that_names_the_table() {
    let files = Arc::new(MemoryFiles::new());
    let engine = open(&files);
    create(&engine, "items", "pk:S", Some("sk:N"));
    let marker = String::from_utf8(MARKER.to_vec()).unwrap();
    put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "data": {"S": "whole"}})).unwrap();
    put(&engine, "items", json!({"pk": {"S": "a"}, "sk": {"N": "2"}, "data": {"S": marker}})).unwrap();
    engine.close();
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

/// Makes nonsense of the pages on which an entry of the `ttl` table lies.
fn damage_page_of(files: &MemoryFiles, entry: &[u8]) {
    const PAGE_BYTES: usize = 4_096;
    /// What a page of entries begins with; those that lead to other pages begin otherwise.
    const LEAF: u8 = 1;
    let file: Arc<dyn File> = files.open_or_create("keywright.redb").unwrap();
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
    engine.close();
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
