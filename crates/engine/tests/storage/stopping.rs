//! After the first failure nothing is written, nothing is retried, and every call names that failure; but a full disk is
//! waited out: reads go on, and writes do again once there is room.

use crate::arms::{SMALL, file_content, get, open, open_with, put, read_all};
use keywright_engine::files::{Fault, FaultyFiles, Files, MemoryFiles};
use keywright_engine::storage::{DurableOptions, DurableStorage, Space, Storage, StorageError, Workers};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

fn opened() -> (FaultyFiles, DurableStorage) {
    let files = FaultyFiles::counting(1);
    let storage = open(Arc::new(files.clone())).unwrap();
    (files, storage)
}

/// It said that redb had met pages that contradict each other, and nothing of where.
#[test]
fn damage_that_an_apply_meets_stops_the_store_with_file_and_offset() {
    let files = MemoryFiles::new();
    let storage = open(Arc::new(files.clone())).unwrap();
    for number in 0..60_u8 {
        storage.commit(&put(Space::Items, &[number], &[0xAB; 1_000])).unwrap();
    }
    drop(storage);
    let options = DurableOptions { cache_size_bytes: 0, workers: Workers::Caller, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    let tree = files.open_or_create("keywright.tree").unwrap();
    let bytes = file_content(&files, "keywright.tree");
    for place in (0..bytes.len()).step_by(4_096).filter(|place| bytes[place + 2_000..][..16] == [0xAB; 16]) {
        tree.write_at(place as u64 + 2_000, &[0xAA]).unwrap();
    }
    for number in 0..60_u8 {
        let _ = storage.commit(&put(Space::Items, &[number, 1], &[1; 3_000]));
    }
    let stopped = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    assert!(matches!(stopped, StorageError::Stopped { .. }), "{stopped:?}");
    assert!(stopped.to_string().contains("(keywright.tree at offset "), "{stopped}");
}

#[test]
fn a_failed_sync_stops_the_store_and_is_never_tried_again() {
    // A system may drop the pages of a failed sync and report the next sync as a success. A store that tried again
    // would acknowledge writes that are on no disk.
    let (files, storage) = opened();
    files.strike(Fault::SyncFails, 0);
    let first = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    let StorageError::Stopped { cause } = &first else { panic!("{first:?}") };
    assert!(cause.contains("syncing log-0000000000000001 failed: injected: the sync failed"), "{cause}");

    assert_eq!(storage.commit(&put(Space::Items, b"other", b"value")).unwrap_err(), first);
    assert_eq!(storage.snapshot().map(drop).unwrap_err(), first);
    assert_eq!(storage.writable().unwrap_err(), first);
    drop(storage);
    assert_eq!(files.operations_after_fault(), 0, "something was written or synced after the failure");
}

#[test]
fn a_sync_that_fails_while_the_log_is_applied_stops_the_store_too() {
    let (files, storage) = opened();
    storage.commit(&put(Space::Items, b"first", b"value")).unwrap();
    // The log is synced, and what comes next is the tree.
    files.strike(Fault::SyncFails, 2);
    storage.commit(&put(Space::Items, b"large", &[1; 40_000])).unwrap();
    let stopped = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    assert!(
        stopped.to_string().contains("syncing keywright.tree failed: injected: the sync failed"),
        "{stopped}"
    );
    drop(storage);
    assert_eq!(files.operations_after_fault(), 0);
    let survivor = open(Arc::new(files.restart().unwrap())).unwrap();
    assert_eq!(get(&survivor, Space::Items, b"large").unwrap(), [1; 40_000]);
}

#[test]
fn a_snapshot_taken_before_the_failure_stops_too() {
    let (files, storage) = opened();
    let snapshot = storage.snapshot().unwrap();
    files.strike(Fault::SyncFails, 0);
    let stopped = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    assert_eq!(snapshot.get(Space::Items, b"key", &mut |_| ()).unwrap_err(), stopped);
}

#[test]
fn a_disk_without_room_for_the_log_makes_the_store_read_only_until_there_is_room() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { workers: Workers::Threads, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    storage.commit(&put(Space::Items, b"before", b"value")).unwrap();
    files.limit_bytes(Some(files.used_bytes()));
    let mut accepted = 0_u8;
    let refused = loop {
        match storage.commit(&put(Space::Items, &[accepted], &[accepted; 900])) {
            Ok(()) => accepted += 1,
            Err(refused) => break refused,
        }
    };
    assert!(accepted > 0, "what is prepared is used first");
    assert!(matches!(refused, StorageError::DiskFull { .. }), "{refused:?}");
    let words = refused.to_string();
    assert!(words.contains("read-only because its disk is full, and nothing was written"), "{words}");
    assert!(words.contains("free some space and try again"), "{words}");

    assert_eq!(get(&storage, Space::Items, b"before").unwrap(), b"value");
    assert_eq!(get(&storage, Space::Items, &[accepted]), None);
    assert!(matches!(
        storage.commit(&put(Space::Items, b"x", &[0; 900])),
        Err(StorageError::DiskFull { .. })
    ));

    files.limit_bytes(None);
    for number in 0..accepted {
        storage.commit(&put(Space::Items, &[number, 1], &[number; 900])).unwrap();
    }
    let all = read_all(&storage).unwrap();
    assert_eq!(all.len(), 1 + 2 * usize::from(accepted));
    let survivors = files.restart().unwrap();
    drop(storage);
    assert_eq!(read_all(&open(Arc::new(survivors)).unwrap()).unwrap(), all);
}

#[test]
fn a_disk_without_room_for_the_tree_makes_the_store_read_only_until_there_is_room() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { workers: Workers::Threads, segment_bytes: 4 << 20, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    files.limit_bytes(Some(files.used_bytes() + (64 << 10)));
    let mut accepted = 0_u32;
    let refused = loop {
        match storage.commit(&put(Space::Items, &accepted.to_be_bytes(), &[7; 3_000])) {
            Ok(()) => accepted += 1,
            Err(refused) => break refused,
        }
    };
    assert!(matches!(refused, StorageError::DiskFull { .. }), "{refused:?}");
    let all = read_all(&storage).unwrap();
    assert_eq!(all.len(), accepted as usize, "reads go on, and see what was acknowledged");
    files.limit_bytes(None);
    storage.commit(&put(Space::Items, b"after", b"value")).unwrap();
    assert_eq!(storage.writable(), Ok(()));
    drop(storage);
    let reopened = open(Arc::new(files.clone())).unwrap();
    assert_eq!(read_all(&reopened).unwrap().len(), accepted as usize + 1);
}

#[test]
fn a_store_that_closes_on_a_full_disk_keeps_what_it_acknowledged() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { workers: Workers::Threads, segment_bytes: 4 << 20, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    files.limit_bytes(Some(files.used_bytes() + (64 << 10)));
    let mut accepted = 0_u32;
    while storage.commit(&put(Space::Items, &accepted.to_be_bytes(), &[7; 3_000])).is_ok() {
        accepted += 1;
    }
    drop(storage);
    let reopened = open_with(Arc::new(files.clone()), options).unwrap();
    assert_eq!(read_all(&reopened).unwrap().len(), accepted as usize);
    drop(reopened);
    files.limit_bytes(None);
    assert_eq!(read_all(&open(Arc::new(files)).unwrap()).unwrap().len(), accepted as usize);
}

/// A full disk, and then another failure when room was looked for: the thread that had waited for room ended without a word, the
/// commit that had asked waited for it for ever, and with it every writer and the close.
#[test]
fn a_disk_that_fails_after_it_was_full_stops_the_store_and_nobody_waits() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { workers: Workers::Threads, segment_bytes: 4 << 20, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    files.limit_bytes(Some(files.used_bytes() + (64 << 10)));
    let mut accepted = 0_u32;
    while storage.commit(&put(Space::Items, &accepted.to_be_bytes(), &[7; 3_000])).is_ok() {
        accepted += 1;
    }
    files.limit_bytes(None);
    files.strike(Fault::WriteFails, 0);
    let (answer, answered) = channel();
    std::thread::spawn(move || {
        let stopped = storage.commit(&put(Space::Items, b"next", b"value")).unwrap_err();
        let later = storage.writable();
        drop(storage);
        answer.send((stopped, later)).unwrap();
    });
    let (stopped, later) =
        answered.recv_timeout(Duration::from_secs(20)).expect("a writer or the close waits for ever");
    assert!(stopped.to_string().contains("injected: the write failed"), "{stopped}");
    assert_eq!(later, Err(stopped));
    assert_eq!(read_all(&open(Arc::new(files)).unwrap()).unwrap().len(), accepted as usize);
}
