//! What a store tells of itself in the log output is so.

use crate::arms::{SMALL, open, open_with, put};
use crate::watched::{Call, Told, Watched, field, listen};
use keywright_engine::files::{Fault, FaultyFiles, Files as _, MemoryFiles};
use keywright_engine::storage::{Durability, DurableOptions, Space, Storage, StorageError, Workers};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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

/// The longest moment was that of the whole life of a store, so that one slow sync hid all later ones; and what was told said nothing of
/// the tree's syncs, of the sizes of the files, and of a close.
#[test]
fn each_line_has_the_sizes_and_syncs_of_all_files_and_the_longest_since_the_line_before() {
    let counts: Arc<[AtomicU64; 2]> = Arc::default();
    let slow = Arc::new(AtomicU64::new(0));
    let (counted, slowed) = (Arc::clone(&counts), Arc::clone(&slow));
    let disk = MemoryFiles::new();
    let files = Watched::over(disk.clone(), move |name, call| {
        let is_tree = name == "keywright.tree";
        if call == Call::Sync {
            counted[usize::from(is_tree)].fetch_add(1, Ordering::Relaxed);
        }
        // The machine's time is what is told: a sync that takes long spins.
        let until = Instant::now() + Duration::from_millis(slowed.load(Ordering::Relaxed));
        while call == Call::Sync && is_tree && Instant::now() < until {
            std::thread::yield_now();
        }
    });
    let storage = open_with(files, SMALL).unwrap();
    let commit = |number: u8| storage.commit(&put(Space::Items, &[number], &[7; 40_000])).unwrap();
    slow.store(500, Ordering::Relaxed);
    let (_, first) = listen(|| commit(0));
    slow.store(0, Ordering::Relaxed);
    let (_, second) = listen(|| (1..4).for_each(commit));
    let (closed, last) = listen(|| storage.close());
    assert_eq!(closed, Ok(()));

    let longest = |told: &Told| field(told, "longest_tree_sync_ms").parse::<f64>().unwrap();
    let lines = || [&first, &second, &last].into_iter().flatten().filter(|told| has(told, "tree_syncs"));
    assert!(longest(applies(&first)[0]) >= 500.0, "{first:?}");
    assert!(second.iter().any(|told| field(told, "message") == "the log goes on in the next segment"));
    assert!(lines().skip(1).all(|told| longest(told) < 500.0), "{second:?}");
    for told in lines() {
        assert!(number(told, "log_bytes") > 0 && number(told, "tree_bytes") > 0, "{told:?}");
        // What waits for a segment waits: the committing thread prepares it.
        let rolled = number(told, "preparations") > 0;
        assert_eq!(number(told, "stalls") > 0, rolled, "{told:?}");
    }

    let close = last.iter().find(|told| field(told, "message") == "the store was closed").unwrap();
    let length = |name: &str| disk.open_or_create(name).unwrap().len().unwrap();
    let of_log =
        disk.list().unwrap().iter().filter(|name| name.starts_with("log-")).map(|name| length(name)).sum();
    assert_eq!((number(close, "log_bytes"), number(close, "tree_bytes")), (of_log, length("keywright.tree")));
    // Those of the open, and of the log's frames alone.
    assert_eq!(number(close, "fsyncs"), 4);
    assert_eq!(number(close, "tree_syncs"), counts[1].load(Ordering::Relaxed));
    assert!(number(close, "directory_syncs") > 0);
}

/// A full disk is asked once more for each write that waits for the answer: that is a stall.
#[test]
fn a_write_that_waits_for_another_attempt_on_a_full_disk_is_a_stall() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions { workers: Workers::Threads, most_held_bytes: 64 << 20, ..SMALL };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    files.limit_bytes(Some(files.used_bytes()));
    let commit = || storage.commit(&put(Space::Items, b"key", &[7; 40_000]));
    commit().unwrap();
    // Until the thread that applies has met the full disk. Who looks is no write.
    while storage.writable().is_ok() {
        std::thread::yield_now();
    }
    assert!(matches!(commit(), Err(StorageError::DiskFull { .. })));
    files.limit_bytes(None);
    storage.writable().unwrap();
    let (_, told) = listen(|| storage.close().unwrap());
    let close = told.iter().find(|told| field(told, "message") == "the store was closed").unwrap();
    assert_eq!(number(close, "stalls"), 1, "{close:?}");
}

fn has(told: &Told, name: &str) -> bool {
    told.iter().any(|(field, _)| field == name)
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
