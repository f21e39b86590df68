//! Damage to the files never panics: the store refuses to open, a call reports it, or the values' own checksums do; of
//! what the log holds nothing is lost without a refusal.

use crate::arms::{SMALL, everything, file_content, open, open_with, put, read_all};
use keywright_engine::files::{FaultyFiles, Files, MemoryFiles};
use keywright_engine::random::{Random, SeededRandom};
use keywright_engine::storage::{
    Batch, Direction, DurableOptions, DurableStorage, OpenError, Space, Storage, StorageError,
};
use std::ops::ControlFlow;
use std::sync::Arc;

const FILE: &str = "keywright.tree";

#[test]
fn a_damaged_store_that_was_closed_is_refused_or_read_without_a_panic() {
    let files = MemoryFiles::new();
    drop(filled(Arc::new(files.clone())));
    damage_and_use("closed", &files);
}

#[test]
fn a_damaged_store_that_was_not_closed_is_refused_or_read_without_a_panic() {
    let files = FaultyFiles::counting(1);
    let storage = filled(Arc::new(files.clone()));
    let survivors = files.restart().unwrap();
    drop(storage);
    damage_and_use("not closed", &survivors);
}

fn filled(files: Arc<dyn Files>) -> DurableStorage {
    let storage = open(files).unwrap();
    let random = SeededRandom::new(5);
    for round in 0..8 {
        let mut batch = Batch::default();
        for _ in 0..80 {
            let key = random.next_u64().to_be_bytes();
            batch.put(Space::Items, &key, sealed(&vec![round; usize::try_from(random.below(700)).unwrap()]));
            batch.put(Space::Index, &key[..4], sealed(b"entry"));
        }
        storage.commit(&batch).unwrap();
    }
    storage
}

fn damage_and_use(state: &str, original: &MemoryFiles) {
    let seeds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 3_000 } else { 300 };
    let (mut refused, mut reported, mut noticed_above) = (0, 0, 0);
    for seed in 0..seeds {
        let random = SeededRandom::new(seed);
        let files = copy(original);
        damage(&files, &random);
        let outcome = std::panic::catch_unwind(|| use_store(&files));
        match outcome.unwrap_or_else(|_| panic!("a panic got out: {state}, {random}")) {
            Outcome::Refused => refused += 1,
            Outcome::Reported => reported += 1,
            Outcome::Used { wrong_values } => noticed_above += i32::from(wrong_values > 0),
        }
    }
    println!(
        "{state}: {refused} refused, {reported} reported by a call, {noticed_above} noticed by a value's checksum"
    );
    assert!(
        refused > 0 && refused < seeds,
        "{refused} of {seeds} refused: the damage is too small or too large"
    );
}

enum Outcome {
    Refused,
    Reported,
    Used { wrong_values: usize },
}

fn use_store(files: &MemoryFiles) -> Outcome {
    let storage = match open(Arc::new(files.clone())) {
        Ok(storage) => storage,
        Err(OpenError::Damaged { .. } | OpenError::NotAStore { .. } | OpenError::UnknownVersion { .. }) => {
            return Outcome::Refused;
        }
        Err(other) => panic!("damage was taken for something else: {other:?}"),
    };
    read_and_write(&storage).map_or(Outcome::Reported, |wrong_values| Outcome::Used { wrong_values })
}

fn read_and_write(storage: &DurableStorage) -> Result<usize, StorageError> {
    let mut wrong_values = 0;
    let snapshot = storage.snapshot()?;
    let mut first_error = None;
    for space in [Space::Items, Space::Index] {
        for direction in [Direction::Forward, Direction::Backward] {
            let mut visit = |_: &[u8], value: &[u8]| {
                wrong_values += usize::from(!is_sound(value));
                ControlFlow::Continue(())
            };
            let scanned = snapshot.scan(space, everything(), direction, &mut visit);
            first_error = first_error.or(scanned.err());
        }
    }
    drop(snapshot);
    for round in 0..4_u8 {
        let mut batch = put(Space::Items, &[round], &[round; 3_000]);
        batch.delete(Space::Index, &[round]);
        first_error = first_error.or(storage.commit(&batch).err());
    }
    first_error.map_or(Ok(wrong_values), Err)
}

/// Damage of any kind but two that leave the last segment as it was before its last frames: zeros in whole sectors, and a file that
/// ends before its first frame.
fn damage_log(files: &MemoryFiles, name: &str, random: &SeededRandom) {
    let file = files.open_or_create(name).unwrap();
    let length = file.len().unwrap();
    let offset = random.below(length);
    let up_to = |bytes: u64| usize::try_from(bytes.min(length - offset)).unwrap();
    match random.below(4) {
        0 => file.set_len(offset.max(600)).unwrap(),
        1 => file.write_at(offset, &vec![0xFF; up_to(1 + random.below(64))]).unwrap(),
        2 => {
            let noise: Vec<u8> = (0..up_to(512)).map(|_| random.next_u64().to_be_bytes()[0]).collect();
            file.write_at(offset, &noise).unwrap();
        }
        _ => {
            let mut byte = [0];
            file.read_at(offset, &mut byte).unwrap();
            file.write_at(offset, &[byte[0] ^ (1 << random.below(8))]).unwrap();
        }
    }
}

/// One of the ways in which disks and people damage files.
fn damage(files: &MemoryFiles, random: &SeededRandom) {
    let file = files.open_or_create(FILE).unwrap();
    let length = file.len().unwrap();
    let offset = random.below(length);
    let up_to = |bytes: u64| usize::try_from(bytes.min(length - offset)).unwrap();
    match random.below(6) {
        0 => file.set_len(offset).unwrap(),
        1 => file.write_at(offset, &vec![0; up_to(4096)]).unwrap(),
        2 => file.write_at(offset, &vec![0xFF; up_to(1 + random.below(64))]).unwrap(),
        3 => {
            let noise: Vec<u8> = (0..up_to(512)).map(|_| random.next_u64().to_be_bytes()[0]).collect();
            file.write_at(offset, &noise).unwrap();
        }
        4 => {
            let mut page = vec![0; up_to(4096)];
            file.read_at(offset, &mut page).unwrap();
            file.write_at(random.below(length) / 4096 * 4096, &page).unwrap();
        }
        _ => {
            for _ in 0..1 + random.below(20) {
                let mut byte = [0];
                let offset = random.below(length);
                file.read_at(offset, &mut byte).unwrap();
                file.write_at(offset, &[byte[0] ^ (1 << random.below(8))]).unwrap();
            }
        }
    }
}

fn copy(files: &MemoryFiles) -> MemoryFiles {
    let copy = MemoryFiles::new();
    for name in files.list().unwrap() {
        copy.open_or_create(&name).unwrap().write_at(0, &file_content(files, &name)).unwrap();
    }
    copy
}

#[test]
fn a_damaged_log_refuses_to_open_naming_segment_and_offset_or_nothing_of_it_is_lost() {
    let files = FaultyFiles::counting(1);
    let options = DurableOptions {
        freeze_bytes: usize::MAX,
        freeze_log_bytes: u64::MAX,
        most_held_bytes: usize::MAX,
        ..SMALL
    };
    let storage = open_with(Arc::new(files.clone()), options).unwrap();
    let random = SeededRandom::new(6);
    for number in 0..150_u8 {
        let value = vec![number; usize::try_from(random.below(2_000)).unwrap()];
        storage.commit(&put(Space::Items, &[number], &sealed(&value))).unwrap();
    }
    let written = read_all(&storage).unwrap();
    let original = files.restart().unwrap();
    drop(storage);
    let segments: Vec<_> =
        original.list().unwrap().into_iter().filter(|name| name.starts_with("log-")).collect();
    assert!(segments.len() > 2);
    let mut refused = 0;
    for seed in 0..200 {
        let random = SeededRandom::new(seed);
        let files = copy(&original);
        let name = &segments[usize::try_from(random.below(segments.len() as u64)).unwrap()];
        damage_log(&files, name, &random);
        match open_with(Arc::new(files), options) {
            Ok(storage) => assert!(read_all(&storage).unwrap() == written, "{random}: writes were lost"),
            Err(OpenError::Damaged { place, .. }) => {
                refused += 1;
                assert!(place.contains("log-0") && place.contains(" at offset "), "{place}");
            }
            Err(other) => panic!("damage was taken for something else: {other:?}"),
        }
    }
    println!("{refused} of 200 refused");
    assert!(refused > 190, "{refused}");
}

/// A value that carries its checksum, as the engine's items do.
fn sealed(content: &[u8]) -> Vec<u8> {
    [&crc32fast::hash(content).to_be_bytes(), content].concat()
}

fn is_sound(value: &[u8]) -> bool {
    value
        .split_first_chunk()
        .is_some_and(|(checksum, content)| crc32fast::hash(content).to_be_bytes() == *checksum)
}
