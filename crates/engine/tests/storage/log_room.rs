//! What the log takes of the disk: bounded, however few changes its frames leave, and freed when there is no room.

use keywright_engine::files::{FaultyFiles, Files, MemoryFiles};
use keywright_engine::storage::{DurableOptions, DurableStorage, Space, Storage, StorageError, Workers};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::arms::{Arm, SMALL, get, open_with, put};

const SEGMENT_BYTES: u64 = SMALL.segment_bytes;

fn segments(files: &dyn Files) -> Vec<String> {
    files.list().unwrap().into_iter().filter(|name| name.starts_with("log-")).collect()
}

/// Writes one key over, `times` times, with a KB.
fn write_over(storage: &DurableStorage, times: u64) -> Result<(), StorageError> {
    (0..times).try_for_each(|number| {
        let value = [number.to_be_bytes().as_slice(), &[0; 1_000]].concat();
        storage.commit(&put(Space::Items, b"counter", &value))
    })
}

/// Ten thousand writes a second of a few keys left a terabyte of log a day: little was in memory, so nothing was applied, and no
/// segment removed.
#[test]
fn keys_that_are_written_over_and_over_leave_a_small_log() {
    for arm in [Arm::Memory(MemoryFiles::new()), Arm::Faulty(FaultyFiles::counting(1))] {
        let options = DurableOptions { freeze_log_bytes: 2 * SEGMENT_BYTES, ..SMALL };
        let storage = open_with(arm.files(), options).unwrap();
        let mut most = 0;
        for _ in 0..60 {
            write_over(&storage, 20).unwrap();
            most = most.max(segments(arm.files().as_ref()).len());
        }
        // Those behind what was frozen last, the one that is written to, and the one of which only the end is needed.
        assert!(most <= 4, "{most} segments");
    }
}

#[test]
fn a_disk_that_the_log_has_filled_is_freed_by_the_tree() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions {
        freeze_log_bytes: u64::MAX,
        freeze_bytes: usize::MAX,
        workers: Workers::Threads,
        ..SMALL
    };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    write_over(&storage, 1).unwrap();
    // The last bit is too little for a segment, and enough for what the tree takes.
    files.limit_bytes(Some(files.used_bytes() + 7 * SEGMENT_BYTES - 4_096));
    let refused = write_over(&storage, 2_000).unwrap_err();
    assert!(matches!(refused, StorageError::DiskFull { .. }), "{refused}");
    // Nobody makes room, but what the tree has taken is room: a write that is tried again goes through before long.
    let began = Instant::now();
    while let Err(error) = write_over(&storage, 1) {
        assert!(matches!(error, StorageError::DiskFull { .. }), "{error}");
        assert!(began.elapsed() < Duration::from_secs(60), "{error}: {:?}", segments(&files));
        std::thread::yield_now();
    }
    assert!(segments(&files).len() <= 3, "{:?}", segments(&files));
}

#[test]
fn a_disk_without_room_for_a_whole_segment_takes_smaller_ones() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions {
        segment_bytes: 8 << 20,
        freeze_log_bytes: u64::MAX,
        freeze_bytes: usize::MAX,
        ..SMALL
    };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    let room = 400 << 10;
    files.limit_bytes(Some(files.used_bytes() + room));
    let mut written = 0;
    while let Ok(()) = write_over(&storage, 1) {
        written += 1;
        assert!(written < 10_000, "the disk is not full");
        if segments(&files).len() > 2 {
            break;
        }
    }
    let names = segments(&files);
    let lengths: Vec<u64> =
        names.iter().map(|name| files.open_or_create(name).unwrap().len().unwrap()).collect();
    assert_eq!(lengths.first(), Some(&(1 << 20)), "{names:?}");
    assert_eq!(lengths.get(1), Some(&(64 << 10)), "{names:?}");
    assert!(written > 700, "{written} writes");
}

/// Nobody else could ask for another attempt: what a commit of [`Workers::Caller`] says of a full disk.
#[test]
fn a_disk_that_is_full_while_the_committing_thread_applies_keeps_the_commit_and_stops_the_store() {
    let files = FaultyFiles::counting(1);
    let storage =
        open_with(Arc::new(files.clone()), DurableOptions { segment_bytes: 4 << 20, ..SMALL }).unwrap();
    files.limit_bytes(Some(files.used_bytes()));
    let commit = |storage: &DurableStorage, key: &[u8]| storage.commit(&put(Space::Items, key, &[7; 40_000]));
    assert_eq!(commit(&storage, b"kept"), Ok(()));
    let refused = commit(&storage, b"refused").unwrap_err();
    assert!(
        matches!(&refused, StorageError::Stopped { cause } if cause.contains("free some space")),
        "{refused}"
    );
    files.limit_bytes(None);
    assert!(matches!(storage.close(), Err(StorageError::Stopped { .. })));
    drop(storage);
    let storage = open_with(Arc::new(files), SMALL).unwrap();
    assert!(
        get(&storage, Space::Items, b"kept").is_some() && get(&storage, Space::Items, b"refused").is_none()
    );
}

/// With no room in memory at all, whoever wrote while the tree took something waited for ever.
#[test]
fn a_store_whose_settings_are_all_zero_is_slow_and_works() {
    let options = DurableOptions {
        cache_size_bytes: 0,
        segment_bytes: 0,
        freeze_bytes: 0,
        freeze_log_bytes: 0,
        most_held_bytes: 0,
        ..DurableOptions::default()
    };
    for workers in [Workers::Threads, Workers::Caller] {
        let files: Arc<dyn Files> = Arc::new(MemoryFiles::new());
        let storage = open_with(Arc::clone(&files), DurableOptions { workers, ..options }).unwrap();
        for number in 0..50_u8 {
            storage.commit(&put(Space::Items, &[number], &[7; 2_000])).unwrap();
        }
        assert_eq!(storage.close(), Ok(()));
        assert!(storage.commit(&put(Space::Items, b"late", b"")).is_err());
        assert_eq!(get(&storage, Space::Items, &[49]), Some(vec![7; 2_000]));
        drop(storage);
        let storage = open_with(files, options).unwrap();
        assert_eq!(get(&storage, Space::Items, &[0]), Some(vec![7; 2_000]));
    }
}
