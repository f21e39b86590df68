//! A damaged item is refused with a clear error, never returned as data, and the items beside it stay readable.

use std::sync::Arc;

use crate::support::{create, get, put, query};
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
