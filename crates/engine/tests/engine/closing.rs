//! What a close does and answers.

use std::sync::Arc;

use keywright_engine::files::{Fault, FaultyFiles, Files as _};
use keywright_engine::storage::StorageError;
use keywright_engine::{CloseError, Engine, Options};
use serde_json::json;

use crate::support::{create, get, key, put};

/// Whoever closed an engine waited for the queue alone: the tree followed in the drop of the last handle, wherever that was, and
/// nobody learned whether it could.
#[test]
fn a_close_brings_everything_into_the_tree_and_reads_go_on() {
    let files = FaultyFiles::counting(1);
    let open = || Engine::open(Options::files(Arc::new(files.clone())));
    let engine = open().unwrap();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}, "filler": {"S": "x".repeat(300_000)}})).unwrap();
    assert_eq!(engine.close(), Ok(()));

    let segments = files.list().unwrap().into_iter().filter(|name| name.starts_with("log-"));
    let used: u64 = segments.map(|name| used_bytes(&files, &name)).sum();
    assert_eq!(used, 512, "the log has a header, and no frames");
    assert!(get(&engine, "items", key("a")).unwrap()["filler"].is_object());
    assert!(put(&engine, "items", json!({"pk": {"S": "b"}})).is_err());
    assert_eq!(engine.close(), Ok(()));
    assert!(open().unwrap_err().to_string().contains("is in use by another"), "it has the directory");

    drop(engine);
    assert!(get(&open().unwrap(), "items", key("a")).unwrap()["filler"].is_object());
}

/// How much of a file is no zeros, in sectors.
fn used_bytes(files: &FaultyFiles, name: &str) -> u64 {
    let file = files.open_or_create(name).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| (last as u64 / 512 + 1) * 512)
}

#[test]
fn a_close_that_fails_says_why_each_time_and_the_next_open_has_everything() {
    let files = FaultyFiles::counting(1);
    let engine = Engine::open(Options::files(Arc::new(files.clone()))).unwrap();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}})).unwrap();
    files.strike(Fault::SyncFails, 0);
    let failed = engine.close().unwrap_err();
    let CloseError::Storage(StorageError::Stopped { cause }) = &failed else { panic!("{failed:?}") };
    assert!(cause.contains("syncing keywright.tree"), "{cause}");
    assert_eq!(engine.close(), Err(failed.clone()));
    assert_eq!(engine.failure(), Some(failed.to_string()));
    drop(engine);
    assert_eq!(files.retried_syncs(), 0);

    let engine = Engine::open(Options::files(Arc::new(files.restart().unwrap()))).unwrap();
    assert_eq!(get(&engine, "items", key("a")).unwrap(), key("a"));
}
