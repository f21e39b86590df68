//! A panic within the store's own work stops it: what was acknowledged is in the log, and the log stays.
//!
//! Whoever listens to what a store tells can panic in the middle of its work, as can the files that a program gives to it.

use crate::arms::{SMALL, get, open, open_with, put};
use crate::watched::{Call, Watched};
use keywright_engine::files::{FaultyFiles, Files};
use keywright_engine::storage::{DurableOptions, DurableStorage, Space, Storage, StorageError, Workers};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

const THREADS: DurableOptions = DurableOptions { workers: Workers::Threads, ..SMALL };

/// Files on which a thread of this name panics when it removes a segment, or creates one.
fn panicking(files: &FaultyFiles, thread: &'static str, at: Call) -> Arc<dyn Files> {
    Watched::over(files.clone(), move |name, call| {
        let is_here = std::thread::current().name() == Some(thread);
        assert!(!(is_here && call == at && name.starts_with("log-")), "a panic of the test's");
    })
}

fn stops(storage: &DurableStorage) -> StorageError {
    let begun = Instant::now();
    loop {
        match storage.writable() {
            Ok(()) if begun.elapsed() < Duration::from_secs(20) => std::thread::yield_now(),
            Ok(()) => panic!("the store goes on"),
            Err(error) => return error,
        }
    }
}

/// Commits until the store has filled some segments or has stopped; answers how many commits were acknowledged.
fn write(storage: &DurableStorage) -> u8 {
    (0..100).take_while(|number| storage.commit(&put(Space::Items, &[*number], &[7; 3_000])).is_ok()).count()
        as u8
}

fn check(files: &FaultyFiles, acknowledged: u8) {
    let storage = open(Arc::new(files.clone())).unwrap();
    for number in 0..acknowledged {
        assert!(get(&storage, Space::Items, &[number]).is_some(), "{number} of {acknowledged} is gone");
    }
}

/// The thread that applies the log panicked outside the tree: in what listened to its events. The store took itself for
/// well, went on in memory, and its close removed the log with all that had been acknowledged since.
#[test]
fn a_panic_of_the_thread_that_applies_stops_the_store_and_its_log_is_kept() {
    let files = FaultyFiles::counting(1);
    let storage = open_with(panicking(&files, "keywright-applier", Call::Remove), THREADS).unwrap();
    let acknowledged = write(&storage);
    assert!(acknowledged > 0);
    let stopped = stops(&storage);
    assert!(stopped.to_string().contains("ended by a panic"), "{stopped}");
    assert_eq!(storage.commit(&put(Space::Items, b"later", b"value")).unwrap_err(), stopped);
    drop(storage);
    check(&files, acknowledged);
}

/// The same while the store closes: nobody is there to be told, and the log must stay.
#[test]
fn a_panic_while_the_store_closes_keeps_the_log() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { freeze_bytes: usize::MAX, most_held_bytes: usize::MAX, ..THREADS };
    let storage = open_with(panicking(&files, "keywright-applier", Call::Remove), options).unwrap();
    let acknowledged = write(&storage);
    assert_eq!(acknowledged, 100);
    drop(storage);
    check(&files, acknowledged);
}

/// The close took the log, and the drop found none and panicked again, which ends the process.
#[test]
fn a_panic_within_a_close_stops_the_store_and_its_drop_goes_on() {
    let files = FaultyFiles::counting(1);
    let kept = files.clone();
    let run = move || {
        let options = DurableOptions { freeze_bytes: usize::MAX, most_held_bytes: usize::MAX, ..SMALL };
        let storage = open_with(panicking(&kept, "closing", Call::Remove), options).unwrap();
        let acknowledged = write(&storage);
        assert!(catch_unwind(AssertUnwindSafe(|| storage.close())).is_err());
        let stopped = storage.close().unwrap_err();
        assert!(stopped.to_string().contains("the close ended by a panic"), "{stopped}");
        acknowledged
    };
    let acknowledged =
        std::thread::Builder::new().name("closing".to_owned()).spawn(run).unwrap().join().unwrap();
    check(&files, acknowledged);
}

#[test]
fn a_panic_of_the_thread_that_prepares_the_log_stops_the_store_at_once() {
    let files = FaultyFiles::counting(1);
    let storage =
        open_with(panicking(&files, "keywright-log-preparer", Call::OpenOrCreate), THREADS).unwrap();
    // More than half of a segment, so that the next one is wanted, and less than a whole one. The thread may be as fast as that.
    let commit = |number| storage.commit(&put(Space::Items, &[number], &[7; 3_000]));
    let acknowledged =
        (0..12_u8).take_while(|number| commit(*number).is_ok()).map(|number| number + 1).last().unwrap_or(0);
    let stopped = stops(&storage);
    assert!(stopped.to_string().contains("ended by a panic"), "{stopped}");
    drop(storage);
    check(&files, acknowledged);
}

/// A commit that was left by a panic may be in the log and not in memory: what came after it would be decided without it, and
/// found with it after a restart.
#[test]
fn a_panic_within_a_commit_stops_the_store() {
    let files = FaultyFiles::counting(1);
    let caller = std::thread::Builder::new().name("committing".to_owned());
    let kept = files.clone();
    let run = move || {
        let storage = open_with(panicking(&kept, "committing", Call::Remove), SMALL).unwrap();
        let mut acknowledged = 0;
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            for number in 0..100 {
                storage.commit(&put(Space::Items, &[number], &[7; 3_000])).unwrap();
                acknowledged = number + 1;
            }
        }));
        assert!(panicked.is_err(), "nothing was removed");
        let stopped = storage.writable().unwrap_err();
        assert!(stopped.to_string().contains("ended by a panic"), "{stopped}");
        acknowledged
    };
    let acknowledged = caller.spawn(run).unwrap().join().unwrap();
    check(&files, acknowledged);
}
