//! What a store tells of itself in the log output is so.

use crate::arms::{SMALL, open, open_with, put};
use crate::watched::{Call, Told, Watched, field, listen};
use keywright_engine::files::{Fault, FaultyFiles, MemoryFiles};
use keywright_engine::storage::{Durability, DurableOptions, Space, Storage, StorageError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn messages(told: &[Told]) -> Vec<&str> {
    told.iter().map(|told| field(told, "message")).collect()
}

fn applies(told: &[Told]) -> Vec<&Told> {
    told.iter().filter(|told| field(told, "message") == "the tree has what the log held").collect()
}

fn number(told: &Told, name: &str) -> u64 {
    field(told, name).parse().unwrap()
}

/// A disk was full, somebody made room, and then it failed: the store stopped, and said "the store goes on writing".
#[test]
fn a_store_that_stops_after_its_disk_was_full_does_not_say_that_it_goes_on() {
    let files = FaultyFiles::counting(1);
    let storage = open(Arc::new(files.clone())).unwrap();
    files.limit_bytes(Some(files.used_bytes()));
    let commit = |storage: &dyn Storage| storage.commit(&put(Space::Items, b"key", &[7; 900]));
    let (refused, told) = listen(|| (0..100).find_map(|_| commit(&storage).err()));
    assert!(matches!(refused, Some(StorageError::DiskFull { .. })), "{refused:?}");
    assert_eq!(messages(&told).iter().filter(|told| told.starts_with("the disk is full")).count(), 1);

    files.limit_bytes(None);
    files.strike(Fault::WriteFails, 0);
    let (stopped, told) = listen(|| commit(&storage).unwrap_err());
    assert!(matches!(stopped, StorageError::Stopped { .. }), "{stopped:?}");
    assert!(!messages(&told).contains(&"the store goes on writing"), "{told:?}");
}

#[test]
fn a_store_whose_disk_has_room_again_says_that_it_goes_on() {
    let files = FaultyFiles::counting(1);
    let storage = open(Arc::new(files.clone())).unwrap();
    files.limit_bytes(Some(files.used_bytes()));
    let commit = |storage: &dyn Storage| storage.commit(&put(Space::Items, b"key", &[7; 900]));
    while commit(&storage).is_ok() {}
    files.limit_bytes(None);
    let (_, told) = listen(|| commit(&storage).unwrap());
    assert!(messages(&told).contains(&"the store goes on writing"), "{told:?}");
}

/// Who watches the sizes and syncs sees whether the tree follows. The syncs of a buffered log were not counted.
#[test]
fn an_apply_tells_how_much_it_was_and_how_often_the_log_was_synced() {
    for durability in [Durability::Fsync, Durability::Buffered] {
        let syncs = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&syncs);
        let files = Watched::over(MemoryFiles::new(), move |name, call| {
            let is_sync_of_log = call == Call::Sync && name.starts_with("log-");
            counted.fetch_add(u64::from(is_sync_of_log), Ordering::Relaxed);
        });
        let options = DurableOptions { durability, segment_bytes: 1 << 20, ..SMALL };
        let storage = open_with(files, options).unwrap();
        syncs.store(0, Ordering::Relaxed);
        let (_, told) = listen(|| {
            for number in 0..40_u8 {
                storage.commit(&put(Space::Items, &[number], &[7; 2_000])).unwrap();
            }
        });
        let applies = applies(&told);
        assert!(applies.len() > 1, "{told:?}");
        let mut last = 0;
        for apply in &applies {
            let frames = number(apply, "last_frame") - last;
            last = number(apply, "last_frame");
            assert_eq!(number(apply, "keys"), frames, "each frame is another key");
            let bytes = number(apply, "bytes");
            assert!(bytes >= frames * 2_000 && bytes < frames * 2_200, "{bytes} of {frames} frames");
            // The committing thread applies at once.
            assert_eq!((number(apply, "frames_behind"), number(apply, "bytes_behind")), (0, 0));
            assert_eq!(number(apply, "stalls"), 0);
        }
        let fsyncs: Vec<u64> = applies.iter().map(|apply| number(apply, "fsyncs")).collect();
        let expected: Vec<u64> = match durability {
            Durability::Fsync => applies.iter().map(|apply| number(apply, "last_frame")).collect(),
            Durability::Buffered => (1..=applies.len() as u64).collect(),
        };
        assert_eq!(fsyncs, expected, "{durability:?}");
        let (behind_last, all) = (40 - last, syncs.load(Ordering::Relaxed));
        let after_last = if durability == Durability::Fsync { behind_last } else { 0 };
        assert_eq!(
            fsyncs.last().copied(),
            Some(all - after_last),
            "those that were made are those that are told"
        );
    }
}
