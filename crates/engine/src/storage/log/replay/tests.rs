use super::*;
use crate::files::{Fault, FaultyFiles, MemoryFiles};
use crate::random::SeededRandom;
use crate::storage::counters::Counters;
use crate::storage::health::Health;
use crate::storage::log::frame::encode;
use crate::storage::log::{self, Directory, Log, LogSettings};
use crate::storage::{Durability, Space, Workers};
use std::sync::Arc;

const SEGMENT_BYTES: u64 = 8 << 10;

fn id() -> StoreId {
    StoreId::draw(&SeededRandom::new(1))
}

fn settings(durability: Durability) -> LogSettings {
    LogSettings { durability, segment_bytes: SEGMENT_BYTES, workers: Workers::Caller }
}

/// What one frame holds.
fn batch(number: u64) -> Batch {
    let mut batch = Batch::default();
    // Zeros, and lengths from a part of a sector to several.
    let length = usize::try_from(number * 397 % 1_900).unwrap();
    batch.put(Space::Items, &number.to_be_bytes(), vec![0; length]);
    batch
}

/// Opens the log, and answers what is replayed beside it.
fn open(
    files: &(impl Files + Clone + 'static),
    position: Position,
    durability: Durability,
) -> Result<(Log, Vec<Batch>), LogRefusal> {
    let mut replayed = Vec::new();
    let directory = Directory { files: Arc::new(files.clone()), id: id(), position };
    let log = Log::open(
        directory,
        settings(durability),
        Health::default(),
        Arc::new(Counters::default()),
        &mut |batch| replayed.push(batch),
    )?;
    Ok((log, replayed))
}

/// A log of frames 1 to `frames`, which was not closed.
fn written(frames: u64, durability: Durability) -> MemoryFiles {
    let files = MemoryFiles::new();
    log::create(&files, id(), settings(durability)).unwrap();
    let (mut log, replayed) = open(&files, Position::START, durability).unwrap();
    assert!(replayed.is_empty());
    for number in 1..=frames {
        assert_eq!(log.append(&batch(number)).unwrap().sequence, number);
    }
    files
}

fn batches(numbers: std::ops::RangeInclusive<u64>) -> Vec<Batch> {
    numbers.map(batch).collect()
}

fn segments(files: &MemoryFiles) -> Vec<String> {
    files.list().unwrap().into_iter().filter(|name| name.starts_with("log-")).collect()
}

fn content(files: &MemoryFiles, name: &str) -> Vec<u8> {
    let file = files.open_or_create(name).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

/// Where each frame is: the segment, the offset, the bytes.
fn places(files: &MemoryFiles) -> Vec<(String, usize, usize)> {
    let mut places = Vec::new();
    for name in segments(files) {
        let bytes = content(files, &name);
        let mut offset = SECTOR_BYTES;
        while let Some(rest) = bytes.get(offset..)
            && let Found::Frame(head) = frame::look(Seal::of(id()), rest)
        {
            places.push((name.clone(), offset, head.frame_bytes()));
            offset += head.frame_bytes();
        }
    }
    places
}

fn write(files: &MemoryFiles, name: &str, offset: usize, bytes: &[u8]) {
    files.open_or_create(name).unwrap().write_at(offset as u64, bytes).unwrap();
}

fn copy(files: &MemoryFiles) -> MemoryFiles {
    let copy = MemoryFiles::new();
    for name in files.list().unwrap() {
        write(&copy, &name, 0, &content(files, &name));
    }
    copy
}

/// The words with which a log is refused.
fn refusal(files: &MemoryFiles, position: Position) -> String {
    match open(files, position, Durability::Fsync) {
        Err(LogRefusal::Damaged(words) | LogRefusal::Unknown(words)) => words,
        Err(LogRefusal::Io(error)) => panic!("{error}"),
        Ok((_, replayed)) => panic!("it opened, with {} frames", replayed.len()),
    }
}

#[test]
fn every_frame_behind_the_position_is_replayed_in_order_across_segments() {
    let files = written(30, Durability::Fsync);
    assert!(segments(&files).len() > 3);
    let (log, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(1..=30));
    assert_eq!(log.last_sequence(), 30);
    let (_, replayed) = open(&files, Position { applied: 12, first_segment: 1 }, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(13..=30));
}

#[test]
fn a_log_that_was_opened_again_goes_on_behind_its_last_frame() {
    let files = written(7, Durability::Fsync);
    let (mut log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
    for number in 8..=20 {
        assert_eq!(log.append(&batch(number)).unwrap().sequence, number);
    }
    drop(log);
    let (_, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(1..=20));
}

#[test]
fn segments_are_needed_until_the_tree_has_their_last_frame() {
    let files = written(30, Durability::Fsync);
    let places = places(&files);
    let (log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
    for (frame, (name, ..)) in places.iter().enumerate() {
        let first = log.kept().first_needed(frame as u64);
        assert_eq!(&segment::name(first), name, "frame {} is needed", frame + 1);
    }
    assert_eq!(log.kept().first_needed(30), log.segment());
}

#[test]
fn what_a_tree_needs_no_more_is_removed_and_nothing_else() {
    let files = written(30, Durability::Fsync);
    let (log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
    let position = Position { applied: 17, first_segment: log.kept().first_needed(17) };
    let removed = log.kept().remove_before(position.first_segment, &files).unwrap();
    assert_eq!(removed as u64, position.first_segment - 1);
    drop(log);
    let (_, replayed) = open(&files, position, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(18..=30));
}

#[test]
fn segments_that_came_back_after_their_removal_are_removed_again() {
    let files = written(30, Durability::Fsync);
    let first_segment =
        files.list().unwrap().iter().filter_map(|name| segment::ordinal_of(name)).max().unwrap();
    let in_last =
        places(&files).iter().filter(|(name, ..)| *name == segment::name(first_segment)).count() as u64;
    let position = Position { applied: 30 - in_last, first_segment };
    let (_, replayed) = open(&files, position, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(31 - in_last..=30));
    assert_eq!(segments(&files), [segment::name(first_segment)]);
}

#[test]
fn a_last_frame_that_was_not_written_wholly_is_cut_off() {
    let original = written(30, Durability::Fsync);
    let (name, offset, length) = places(&original).pop().unwrap();
    let frame = content(&original, &name)[offset..offset + length].to_vec();
    for seed in 0..200 {
        let random = SeededRandom::new(seed);
        let mut torn = frame.clone();
        let sure = usize::try_from(random.below((length / SECTOR_BYTES) as u64)).unwrap();
        for (place, sector) in torn.chunks_mut(SECTOR_BYTES).enumerate() {
            if place == sure || random.below(2) == 0 {
                sector.fill(0);
            }
        }
        let files = copy(&original);
        write(&files, &name, offset, &torn);
        let (mut log, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=29), "{random}");
        assert!(sector::is_zero(&content(&files, &name)[offset..]), "{random}");
        assert_eq!(log.append(&batch(30)).unwrap().sequence, 30);
        drop(log);
        let (_, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=30), "{random}");
    }
}

#[test]
fn a_frame_that_is_not_whole_before_another_one_refuses_to_open_and_names_its_place() {
    let original = written(30, Durability::Fsync);
    let places = places(&original);
    for (frame, (name, offset, length)) in places.iter().enumerate().take(29) {
        for missing in (0..*length).step_by(SECTOR_BYTES) {
            let files = copy(&original);
            write(&files, name, offset + missing, &[0; SECTOR_BYTES]);
            let words = refusal(&files, Position::START);
            let is_last_of_segment = places[frame + 1].0 != *name;
            if missing == 0 && *length == SECTOR_BYTES && is_last_of_segment {
                assert!(words.contains(&format!("where frame {} belongs", frame + 1)), "{words}");
            } else {
                assert!(words.starts_with(&format!("{name} at offset {offset}: ")), "{words}");
                assert!(words.contains(&format!("frame {} is not whole", frame + 1)), "{words}");
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_a_frame_refuses_to_open_the_last_frame_included() {
    let original = written(12, Durability::Fsync);
    let places = places(&original);
    let random = SeededRandom::new(3);
    for (name, offset, length) in &places {
        for _ in 0..60 {
            let bit = usize::try_from(random.below((length * 8) as u64)).unwrap();
            let files = copy(&original);
            let byte = content(&files, name)[offset + bit / 8];
            write(&files, name, offset + bit / 8, &[byte ^ (1 << (bit % 8))]);
            let words = refusal(&files, Position::START);
            assert!(words.starts_with(&format!("{name} at offset {offset}: ")), "{words}");
        }
    }
}

/// Two faults at once: the last frame of a segment lost a sector, and the next segment a bit of its header, or its end. What
/// is in the next segment was not looked at then, and the segment was removed with frames that had been acknowledged.
#[test]
fn a_segment_whose_header_is_damaged_refuses_to_open_behind_a_frame_that_is_not_whole_too() {
    let original = written(30, Durability::Fsync);
    let places = places(&original);
    let mut ends_of_segments = 0;
    for (frame, (name, offset, length)) in places.iter().enumerate().take(29) {
        let next = &places[frame + 1].0;
        if next == name {
            continue;
        }
        ends_of_segments += 1;
        for words in ["its header cannot be read", "its end is missing"] {
            let damaged = copy(&original);
            write(&damaged, name, offset + length - SECTOR_BYTES, &[0; SECTOR_BYTES]);
            let file = damaged.open_or_create(next).unwrap();
            match words {
                "its end is missing" => file.set_len(SEGMENT_BYTES - 1).unwrap(),
                _ => file.write_at(20, b"!").unwrap(),
            }
            let files = copy(&damaged);
            assert_eq!(refusal(&files, Position::START), format!("{next} at offset 0: {words}"));
            assert_eq!(segments(&files), segments(&damaged));
            for name in segments(&damaged) {
                assert!(content(&files, &name) == content(&damaged, &name), "{name} was changed");
            }
        }
    }
    assert!(ends_of_segments > 2, "{ends_of_segments}");
}

/// The other case: the next segment was being prepared when the power went.
#[test]
fn a_frame_that_is_not_whole_is_cut_off_before_a_segment_whose_preparation_was_cut_off() {
    let files = written(30, Durability::Fsync);
    let (name, offset, length) = places(&files).pop().unwrap();
    write(&files, &name, offset + length - SECTOR_BYTES, &[0; SECTOR_BYTES]);
    let next = segment::name(segment::ordinal_of(&name).unwrap() + 1);
    files.open_or_create(&next).unwrap().set_len(2_000).unwrap();
    let (mut log, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
    assert_eq!(replayed, batches(1..=29));
    assert!(!files.exists(&next).unwrap());
    assert_eq!(log.append(&batch(30)).unwrap().sequence, 30);
}

#[test]
fn bytes_that_no_write_leaves_behind_the_last_frame_refuse_to_open() {
    let original = written(5, Durability::Fsync);
    let (name, offset, length) = places(&original).pop().unwrap();
    let end = offset + length;
    for place in [end, end + 1, end + 700] {
        let files = copy(&original);
        write(&files, &name, place, b"x");
        let words = refusal(&files, Position::START);
        let sector = place / SECTOR_BYTES * SECTOR_BYTES;
        assert!(words.starts_with(&format!("{name} at offset {sector}: ")), "{words}");
    }
}

#[test]
fn a_missing_segment_refuses_to_open() {
    let original = written(30, Durability::Fsync);
    let all = segments(&original);
    let (_, needed) = all.split_last().unwrap();
    for name in needed {
        let files = copy(&original);
        files.remove(name).unwrap();
        assert_eq!(refusal(&files, Position::START), format!("{name} is missing"));
    }
    let files = MemoryFiles::new();
    assert_eq!(refusal(&files, Position::START), "log-0000000000000001 is missing");
}

/// The last frame, which the tree has, lost a sector: what was left of it was overwritten by zeros, and a segment behind it was
/// removed, before the log was refused.
#[test]
fn a_log_that_is_refused_for_want_of_the_trees_last_frame_is_left_as_it_was() {
    let original = written(30, Durability::Fsync);
    let (name, offset, length) = places(&original).pop().unwrap();
    assert!(length > SECTOR_BYTES);
    let next = segment::ordinal_of(&name).unwrap() + 1;
    Segment::create(&original, id(), next, SEGMENT_BYTES).unwrap();
    write(&original, &name, offset + length - SECTOR_BYTES, &[0; SECTOR_BYTES]);
    // Those before the last one may be needed, or have come back after their removal.
    for first_segment in [1, next - 1] {
        let files = copy(&original);
        let words = refusal(&files, Position { applied: 30, first_segment });
        assert_eq!(
            words,
            format!("{name} at offset {offset}: frames 30 to 30, which the tree has, are missing")
        );
        assert_eq!(segments(&files), segments(&original));
        for name in segments(&original) {
            assert!(content(&files, &name) == content(&original, &name), "{name} was changed");
        }
    }
}

#[test]
fn a_gap_in_the_numbers_refuses_to_open() {
    let files = written(5, Durability::Fsync);
    let (name, offset, length) = places(&files).pop().unwrap();
    let mut bytes = Vec::new();
    encode(Seal::of(id()), 7, Earlier::Durable, &batch(7), &mut bytes);
    write(&files, &name, offset + length, &bytes);
    let words = refusal(&files, Position::START);
    assert!(words.contains("frame 7 lies where frame 6 belongs"), "{words}");
    let words = refusal(&written(5, Durability::Fsync), Position { applied: 9, first_segment: 1 });
    assert!(words.contains("frames 6 to 9, which the tree has, are missing"), "{words}");
}

#[test]
fn a_segment_of_another_store_or_place_refuses_to_open() {
    let original = written(30, Durability::Fsync);
    let names = segments(&original);
    let files = copy(&original);
    write(&files, &names[1], 0, &content(&original, &names[2]));
    assert!(refusal(&files, Position::START).contains("its header is of another store, place or format"));

    let files = copy(&original);
    let other = StoreId::draw(&SeededRandom::new(2));
    files.remove(&names[0]).unwrap();
    Segment::create(&files, other, 1, SEGMENT_BYTES).unwrap();
    assert!(refusal(&files, Position::START).contains("its header is of another store, place or format"));

    let files = copy(&original);
    write(&files, &names[0], 20, b"!");
    let words = refusal(&files, Position::START);
    assert_eq!(words, format!("{} at offset 0: its header cannot be read", names[0]));
}

#[test]
fn a_segment_whose_preparation_was_cut_off_is_nothing() {
    let original = written(5, Durability::Fsync);
    let next = segment::name(segments(&original).len() as u64 + 1);
    for (length, header_bytes) in [(0, 0), (512, 0), (512, 512), (3_000, 512), (4_096, 30)] {
        let files = copy(&original);
        let mut bytes = vec![0; length];
        let whole = content(&original, "log-0000000000000001");
        bytes[..header_bytes].copy_from_slice(&whole[..header_bytes]);
        // The header of another place, half written.
        if header_bytes == 512 {
            files.remove(&next).unwrap_or_default();
            Segment::create(&files, id(), segment::ordinal_of(&next).unwrap(), length as u64).unwrap();
        } else {
            write(&files, &next, 0, &bytes);
            files.open_or_create(&next).unwrap().set_len(length as u64).unwrap();
        }
        let (mut log, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=5), "{length} {header_bytes}");
        for number in 6..=20 {
            log.append(&batch(number)).unwrap();
        }
        drop(log);
        let (_, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=20), "{length} {header_bytes}");
    }
}

#[test]
fn a_buffered_log_that_lost_any_frames_opens_with_those_before_them() {
    let original = written(30, Durability::Buffered);
    let places = places(&original);
    for seed in 0..300 {
        let random = SeededRandom::new(seed);
        let files = copy(&original);
        let mut first_lost = 31;
        for (frame, (name, offset, length)) in places.iter().enumerate() {
            for at in (*offset..offset + length).step_by(SECTOR_BYTES) {
                if random.below(40) == 0 {
                    write(&files, name, at, &[0; SECTOR_BYTES]);
                    first_lost = first_lost.min(frame as u64 + 1);
                }
            }
        }
        let (mut log, replayed) = open(&files, Position::START, Durability::Buffered).unwrap();
        assert_eq!(replayed, batches(1..=first_lost - 1), "{random}");
        for number in first_lost..=40 {
            log.append(&batch(number)).unwrap();
        }
        drop(log);
        let (_, replayed) = open(&files, Position::START, Durability::Buffered).unwrap();
        assert_eq!(replayed, batches(1..=40), "{random}");
    }
}

#[test]
fn a_frame_larger_than_a_segment_gets_a_longer_one() {
    let files = written(3, Durability::Fsync);
    let (mut log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
    let mut large = Batch::default();
    large.put(Space::Items, b"large", vec![7; 100_000]);
    log.append(&large).unwrap();
    log.append(&batch(5)).unwrap();
    drop(log);
    let (_, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
    assert_eq!(replayed, [batches(1..=3), vec![large], batches(5..=5)].concat());
}

#[test]
fn a_log_that_starts_over_is_one_small_segment_and_its_numbers_go_on() {
    let files = written(30, Durability::Fsync);
    let (mut log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
    let position = log.start_over().unwrap();
    assert_eq!(position.applied, 30);
    log.kept().remove_before(position.first_segment, &files).unwrap();
    drop(log);
    assert_eq!(segments(&files), [segment::name(position.first_segment)]);
    let (mut log, replayed) = open(&files, position, Durability::Fsync).unwrap();
    assert!(replayed.is_empty());
    assert_eq!(log.start_over().unwrap(), position, "an empty log stays as it is");
    drop(log);
    let (mut log, _) = open(&files, position, Durability::Fsync).unwrap();
    assert_eq!(log.append(&batch(31)).unwrap().sequence, 31);
}

#[test]
fn what_a_failed_sync_may_have_left_out_is_written_again_by_the_next_process() {
    // The system went on showing a frame that it had failed to sync, and took it for written. The next process read it,
    // appended and synced another one behind it, and then the power went: a frame was missing before one that had been
    // acknowledged, and the store refused to open.
    for seed in 0..60 {
        let files = FaultyFiles::counting(seed);
        log::create(&files, id(), settings(Durability::Fsync)).unwrap();
        let (mut log, _) = open(&files, Position::START, Durability::Fsync).unwrap();
        log.append(&batch(1)).unwrap();
        files.strike(Fault::SyncFails, 0);
        log.append(&batch(2)).unwrap_err();
        drop(log);
        let (mut log, replayed) = open(&files, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=2), "seed {seed}");
        log.append(&batch(3)).unwrap();
        let survivors = files.restart().unwrap();
        let (_, replayed) = open(&survivors, Position::START, Durability::Fsync).unwrap();
        assert_eq!(replayed, batches(1..=3), "seed {seed}");
    }
}
