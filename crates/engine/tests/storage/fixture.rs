//! Stores that earlier versions wrote still open and hold what they held.

use crate::arms::{Model, SMALL, get, open, open_with, put, read_all};
use keywright_engine::files::{FaultyFiles, Files, MemoryFiles};
use keywright_engine::storage::{DurableOptions, Space, Storage};
use std::sync::Arc;

const TREE: &str = "keywright.redb";

/// Written once by the first build of format version 1: a store created with the seed 42, one commit, closed. It is
/// never written again: a build that cannot read it must have another version.
const VERSION_1: &[u8] = include_bytes!("fixtures/version-1.redb");

/// Written once by the first build of format version 2: a store created with the seed 42, six commits, not closed. The
/// tree has the first three, the log all.
const VERSION_2_TREE: &[u8] = include_bytes!("fixtures/version-2.redb");
const VERSION_2_LOG: &[u8] = include_bytes!("fixtures/version-2.log");

fn version_1() -> MemoryFiles {
    let files = MemoryFiles::new();
    files.open_or_create(TREE).unwrap().write_at(0, VERSION_1).unwrap();
    files
}

#[test]
fn a_store_of_version_1_opens() {
    let storage = open(Arc::new(version_1())).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    assert_eq!(read_all(&storage).unwrap(), content());
}

#[test]
fn a_store_of_version_1_is_one_of_version_2_from_then_on() {
    let files = version_1();
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"new", b"value")).unwrap();
    assert_eq!(get(&storage, Space::Meta, b"format").unwrap()[..4], [0, 0, 0, 2]);
    drop(storage);
    let storage = open(Arc::new(files)).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    let mut expected = content();
    expected.insert((Space::Items, b"new".to_vec()), b"value".to_vec());
    assert_eq!(read_all(&storage).unwrap(), expected);
}

#[test]
fn a_migration_that_loses_power_at_any_operation_is_finished_by_the_next_start() {
    let calm = FaultyFiles::over(&version_1(), never()).unwrap();
    let storage = open(Arc::new(calm.clone())).unwrap();
    let operations = calm.operations();
    drop(storage);
    for at_operation in 1..=operations {
        for seed in 0..4 {
            let plan = keywright_engine::files::FaultPlan { seed, at_operation, ..never() };
            let files = FaultyFiles::over(&version_1(), plan).unwrap();
            drop(open(Arc::new(files.clone())));
            let survivors = files.restart().unwrap();
            let storage = open(Arc::new(survivors)).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
            assert_eq!(read_all(&storage).unwrap(), content(), "{plan:?}");
        }
    }
}

fn never() -> keywright_engine::files::FaultPlan {
    keywright_engine::files::FaultPlan {
        seed: 1,
        fault: keywright_engine::files::Fault::PowerLoss,
        at_operation: u64::MAX,
    }
}

#[test]
fn a_store_of_version_2_that_was_not_closed_opens() {
    let files = MemoryFiles::new();
    files.open_or_create(TREE).unwrap().write_at(0, VERSION_2_TREE).unwrap();
    files.open_or_create("log-0000000000000001").unwrap().write_at(0, VERSION_2_LOG).unwrap();
    let options = DurableOptions { segment_bytes: 16 << 10, ..SMALL };
    let storage = open_with(Arc::new(files), options).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    let mut expected = Model::new();
    for number in 0..6_u8 {
        expected.insert((Space::Items, vec![number]), vec![number; 200 * usize::from(5 - number)]);
    }
    expected.remove(&(Space::Items, vec![1]));
    expected.insert((Space::Index, b"index key".to_vec()), b"index value".to_vec());
    assert_eq!(read_all(&storage).unwrap(), expected);
}

fn content() -> Model {
    let mut content = Model::new();
    for number in 0..50_u8 {
        content.insert((Space::Items, vec![0, number]), vec![number; 30 * usize::from(number)]);
    }
    content.insert((Space::Index, b"index key".to_vec()), b"index value".to_vec());
    content.insert((Space::TimeToLive, b"moment".to_vec()), Vec::new());
    content.insert((Space::Meta, b"next_table_id".to_vec()), 7_u64.to_be_bytes().to_vec());
    content
}
