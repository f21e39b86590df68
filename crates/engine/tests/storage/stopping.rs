//! After the first failure nothing is written, nothing is retried, and every call names that failure.

use crate::arms::{open, put};
use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, MemoryFiles};
use keywright_engine::storage::{Space, Storage, StorageError};
use std::sync::Arc;

/// A store whose disk fails as soon as it is written to, after it was opened.
fn store_that_will_fail(fault: Fault) -> (FaultyFiles, keywright_engine::storage::RedbStorage) {
    let created = MemoryFiles::new();
    drop(open(Arc::new(created.clone())).unwrap());
    let plan = FaultPlan { seed: 1, fault, at_operation: u64::MAX };
    let calm = FaultyFiles::over(&created, plan).unwrap();
    let storage = open(Arc::new(calm.clone())).unwrap();
    let operations_to_open = calm.operations();
    drop(storage);

    let plan = FaultPlan { seed: 1, fault, at_operation: operations_to_open + 1 };
    let files = FaultyFiles::over(&created, plan).unwrap();
    let storage = open(Arc::new(files.clone())).unwrap();
    (files, storage)
}

#[test]
fn a_failed_sync_stops_the_store_and_is_never_tried_again() {
    // A system may drop the pages of a failed sync and report the next sync as a success. A store that tried again
    // would acknowledge writes that are on no disk.
    let (files, storage) = store_that_will_fail(Fault::SyncFails);
    let first = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    let StorageError::Stopped { cause } = &first else { panic!("{first:?}") };
    assert!(cause.contains("syncing keywright.redb failed: injected: the sync failed"), "{cause}");

    assert_eq!(storage.commit(&put(Space::Items, b"other", b"value")).unwrap_err(), first);
    assert_eq!(storage.snapshot().map(drop).unwrap_err(), first);
    drop(storage);
    assert_eq!(files.operations_after_fault(), 0, "something was written or synced after the failure");
}

#[test]
fn a_full_disk_stops_the_store_and_says_what_to_do() {
    let (files, storage) = store_that_will_fail(Fault::DiskFull);
    let stopped = storage.commit(&put(Space::Items, b"key", &[1; 1 << 20])).unwrap_err();
    assert!(
        stopped.to_string().contains("no space left on the disk; free some space and start again"),
        "{stopped}"
    );
    drop(storage);
    assert_eq!(files.operations_after_fault(), 0);
}

#[test]
fn a_snapshot_taken_before_the_failure_stops_too() {
    let (_files, storage) = store_that_will_fail(Fault::SyncFails);
    let snapshot = storage.snapshot().unwrap();
    let stopped = storage.commit(&put(Space::Items, b"key", b"value")).unwrap_err();
    assert_eq!(snapshot.get(Space::Items, b"key", &mut |_| ()).unwrap_err(), stopped);
}

#[test]
fn an_empty_batch_writes_nothing() {
    let files = FaultyFiles::counting(1);
    let storage = open(Arc::new(files.clone())).unwrap();
    let before = files.operations();
    storage.commit(&keywright_engine::storage::Batch::default()).unwrap();
    assert_eq!(files.operations(), before);
}
