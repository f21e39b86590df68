//! Stores that earlier versions wrote still open and hold what they held.

use crate::arms::{Model, SMALL, file_content, get, open, put, read_all};
use keywright_engine::files::{FaultyFiles, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{DurableStorage, OpenError, Space, Storage};
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
fn a_store_of_version_1_is_one_of_this_version_from_then_on() {
    let files = version_1();
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"new", b"value")).unwrap();
    assert_eq!(get(&storage, Space::Meta, b"format").unwrap()[..4], [0, 0, 0, 3]);
    assert_eq!(files.list().unwrap(), ["keywright.tree", "log-0000000000000001"]);
    drop(storage);
    let storage = open(Arc::new(files)).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    let mut expected = content();
    expected.insert((Space::Items, b"new".to_vec()), b"value".to_vec());
    assert_eq!(read_all(&storage).unwrap(), expected);
}

#[test]
fn a_migration_that_loses_power_at_any_operation_is_finished_by_the_next_start() {
    for (version, content) in [(version_1(), content()), (version_2(), content_of_version_2())] {
        let calm = FaultyFiles::over(&version, never()).unwrap();
        let storage = open(Arc::new(calm.clone())).unwrap();
        let operations = calm.operations();
        drop(storage);
        for at_operation in 1..=operations {
            for seed in 0..4 {
                let plan = keywright_engine::files::FaultPlan { seed, at_operation, ..never() };
                let files = FaultyFiles::over(&version, plan).unwrap();
                drop(open(Arc::new(files.clone())));
                let survivors = files.restart().unwrap();
                let storage = open(Arc::new(survivors)).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
                assert_eq!(read_all(&storage).unwrap(), content, "{plan:?}");
            }
        }
    }
}

#[test]
fn a_migration_that_finds_no_room_leaves_the_store_as_it_was() {
    let files = FaultyFiles::over(&version_2(), never()).unwrap();
    files.limit_bytes(Some(files.used_bytes() + 40_000));
    for _ in 0..2 {
        let refused = open(Arc::new(files.clone())).unwrap_err();
        assert!(matches!(refused, OpenError::DiskFull { .. }), "{refused:?}");
    }
    files.limit_bytes(None);
    assert_eq!(read_all(&open(Arc::new(files)).unwrap()).unwrap(), content_of_version_2());
}

#[test]
fn a_tree_of_an_older_version_beside_that_of_another_store_is_refused_and_both_are_kept() {
    let files = MemoryFiles::new();
    drop(DurableStorage::open(Arc::new(files.clone()), SMALL, &SeededRandom::new(43)).unwrap());
    files.open_or_create(TREE).unwrap().write_at(0, VERSION_2_TREE).unwrap();
    let before = files.list().unwrap();
    let refused = open(Arc::new(files.clone())).unwrap_err();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused:?}");
    let words = "its keywright.redb is of another store than its keywright.tree";
    assert!(refused.to_string().contains(words), "{refused}");
    assert_eq!(files.list().unwrap(), before);
}

/// What is copied gets checksums that fit: a bit that had flipped in the old file would have been sealed in, and its evidence removed.
#[test]
fn a_flipped_bit_in_a_tree_of_an_older_version_is_refused_and_the_file_is_kept_or_it_is_harmless() {
    let (mut refused, random) = (0, SeededRandom::new(8));
    for _ in 0..400 {
        let files = version_2();
        let place = random.below(VERSION_2_TREE.len() as u64);
        let mut byte = [VERSION_2_TREE[usize::try_from(place).unwrap()]];
        byte[0] ^= 1 << random.below(8);
        files.open_or_create(TREE).unwrap().write_at(place, &byte).unwrap();
        match open(Arc::new(files.clone())) {
            Ok(storage) => assert!(read_all(&storage).unwrap() == content_of_version_2(), "offset {place}"),
            Err(OpenError::Damaged { .. } | OpenError::NotAStore { .. }) => {
                assert!(files.exists(TREE).unwrap(), "offset {place}: the file is gone");
                refused += 1;
            }
            Err(other) => panic!("offset {place}: {other:?}"),
        }
    }
    println!("{refused} of 400 flips refused");
    assert!(refused > 20, "{refused}");
}

fn copy_file(from: &MemoryFiles, to: &MemoryFiles, name: &str) {
    let bytes = file_content(from, name);
    let file = to.open_or_create(name).unwrap();
    file.set_len(0).unwrap();
    file.write_at(0, &bytes).unwrap();
}

/// A copy whose old file could not be removed, and an older build that went on with that: the copy won, and the newer file was removed.
#[test]
fn a_copy_that_is_older_than_the_file_it_is_of_is_made_again() {
    let (copied, files) = (version_2(), version_2());
    drop(open(Arc::new(copied.clone())).unwrap());
    // The copy knows of all frames; one that knows of none is older than the file.
    let first = MemoryFiles::new();
    first.open_or_create(TREE).unwrap().write_at(0, VERSION_1).unwrap();
    drop(open(Arc::new(first.clone())).unwrap());
    copy_file(&first, &files, "keywright.tree");
    assert_eq!(read_all(&open(Arc::new(files.clone())).unwrap()).unwrap(), content_of_version_2());
    assert_eq!(files.list().unwrap()[0], "keywright.tree");
    assert!(!files.exists(TREE).unwrap());
}

/// A copy was made of a tree without a log, and before that was removed an older build went on with it and gave it a log.
#[test]
fn a_copy_without_a_log_is_made_again_of_a_tree_that_has_one_by_now() {
    let mut met = 0;
    for at_operation in 1..60 {
        let plan = keywright_engine::files::FaultPlan { seed: 1, at_operation, ..never() };
        let files = FaultyFiles::over(&version_1(), plan).unwrap();
        drop(open(Arc::new(files.clone())));
        let survivors = files.restart().unwrap();
        if !survivors.exists("keywright.tree").unwrap() || !survivors.exists(TREE).unwrap() {
            continue;
        }
        met += 1;
        for name in survivors.list().unwrap().iter().filter(|name| name.starts_with("log-")) {
            survivors.remove(name).unwrap();
        }
        copy_file(&version_2(), &survivors, TREE);
        copy_file(&version_2(), &survivors, "log-0000000000000001");
        let storage = open(Arc::new(survivors)).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
        assert!(read_all(&storage).unwrap() == content_of_version_2(), "{plan:?}");
    }
    assert!(met > 5, "{met}");
}

#[test]
fn an_older_tree_put_beside_the_present_one_is_refused_and_both_are_kept() {
    let files = version_2();
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"new", b"value")).unwrap();
    drop(storage);
    files.open_or_create(TREE).unwrap().write_at(0, VERSION_2_TREE).unwrap();
    let refused = open(Arc::new(files.clone())).unwrap_err();
    assert!(
        refused.to_string().contains("its keywright.redb is an older state of its keywright.tree"),
        "{refused}"
    );
    files.remove(TREE).unwrap();
    assert_eq!(get(&open(Arc::new(files)).unwrap(), Space::Items, b"new").unwrap(), b"value");
}

#[test]
fn a_file_with_checksums_under_the_old_name_is_refused_and_not_changed() {
    let (store, files) = (MemoryFiles::new(), MemoryFiles::new());
    drop(open(Arc::new(store.clone())).unwrap());
    let before = file_content(&store, "keywright.tree");
    files.open_or_create(TREE).unwrap().write_at(0, &before).unwrap();
    let refused = open(Arc::new(files.clone())).unwrap_err();
    assert!(
        refused.to_string().contains("its keywright.redb has checksums: its name is keywright.tree"),
        "{refused}"
    );
    assert!(file_content(&files, TREE) == before);
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
    let files = version_2();
    let storage = open(Arc::new(files.clone())).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    assert_eq!(read_all(&storage).unwrap(), content_of_version_2());
    assert_eq!(get(&storage, Space::Meta, b"format").unwrap()[..4], [0, 0, 0, 3]);
    assert_eq!(files.list().unwrap()[0], "keywright.tree");
}

fn version_2() -> MemoryFiles {
    let files = MemoryFiles::new();
    files.open_or_create(TREE).unwrap().write_at(0, VERSION_2_TREE).unwrap();
    files.open_or_create("log-0000000000000001").unwrap().write_at(0, VERSION_2_LOG).unwrap();
    files
}

fn content_of_version_2() -> Model {
    let mut content = Model::new();
    for number in 0..6_u8 {
        content.insert((Space::Items, vec![number]), vec![number; 200 * usize::from(5 - number)]);
    }
    content.remove(&(Space::Items, vec![1]));
    content.insert((Space::Index, b"index key".to_vec()), b"index value".to_vec());
    content
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
