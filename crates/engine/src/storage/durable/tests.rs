use super::*;
use crate::files::FaultyFiles;
use crate::random::SeededRandom;
use crate::storage::Space;
use std::time::{Duration, Instant};

/// The disk was full for a while: how fast the tree takes changes was taken to be as slow as that, and writers were held up by
/// it long after there was room.
#[test]
fn the_time_without_room_is_no_part_of_the_pace_of_writers() {
    let files = FaultyFiles::counting(1);
    let options =
        DurableOptions { freeze_bytes: 32 << 10, segment_bytes: 4 << 20, ..DurableOptions::default() };
    let storage = DurableStorage::open(Arc::new(files.clone()), options, &SeededRandom::new(1)).unwrap();
    let shared = &storage.shared;
    files.limit_bytes(Some(files.used_bytes()));
    let began = Instant::now();
    let mut batch = Batch::default();
    batch.put(Space::Items, b"key", vec![7; 40_000]);
    storage.commit(&batch).unwrap();
    let bytes = shared.generations.held_bytes() as f64;
    while shared.room.check().is_ok() {
        std::thread::yield_now();
    }
    let full = Instant::now();
    while full.elapsed() < Duration::from_millis(50) {
        std::thread::yield_now();
    }
    let waited = full.elapsed();
    files.limit_bytes(None);
    storage.writable().unwrap();
    while !shared.generations.is_applied() {
        std::thread::yield_now();
    }
    let rest = (began.elapsed() - waited).max(Duration::from_millis(1));
    let took = bytes / shared.generations.rate();
    assert!(took <= rest.as_secs_f64() * 1.001, "{took} s, and all but the waiting took {rest:?}");
}
