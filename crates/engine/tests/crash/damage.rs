//! Damage to a store's files is never served as data: it refuses to open and names the file and the place, or a call reports
//! it, or what was damaged is not needed and everything is there.
//!
//! Two kinds of damage cannot be told from a log that ended earlier: a last frame some of whose sectors are zeros, and a last
//! segment that is not there.

use std::fmt::{self, Display};
use std::sync::Arc;

use keywright_engine::files::{File, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{DurableOptions, Workers};
use keywright_engine::{Engine, Options};

use crate::in_process::{Handle, open, settings};
use crate::outcomes::Outcomes;
use crate::past::{End, Past};

const TREE: &str = "keywright.tree";
const SECTOR_BYTES: u64 = 512;

/// What a store made of its damage.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// It does not open, in these words.
    Refused(String),
    /// Everything is there.
    Whole,
    /// A check found something, which may be a call's report of the damage.
    Noticed(String),
}

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Refused(words) => write!(formatter, "refused: {words}"),
            Outcome::Whole => formatter.write_str("not needed"),
            Outcome::Noticed(words) => write!(formatter, "reported: {words}"),
        }
    }
}

/// Opens a copy of the store's disk to which something was done.
fn outcome(past: &Past, damage: impl FnOnce(&MemoryFiles)) -> Outcome {
    let disk = copy(&past.disk);
    damage(&disk);
    match open(Arc::new(disk), &past.clock) {
        Ok(engine) => checked(past, &engine),
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

/// Does something to the disk of a store that is open and keeps nothing of its tree in memory.
fn outcome_in_use(past: &Past, damage: impl FnOnce(&MemoryFiles)) -> Outcome {
    let disk = copy(&past.disk);
    let settings = DurableOptions { cache_size_bytes: 0, ..settings(Workers::Threads) };
    let options = Options::files(Arc::new(disk.clone())).clock(Arc::new(past.clock.clone()));
    let engine = Engine::open(options.storage(settings)).unwrap();
    damage(&disk);
    checked(past, &engine)
}

fn checked(past: &Past, engine: &Engine) -> Outcome {
    match past.world.clone().check(&mut Handle(engine)) {
        Ok(_) => Outcome::Whole,
        Err(violation) => Outcome::Noticed(violation.to_string()),
    }
}

fn copy(disk: &MemoryFiles) -> MemoryFiles {
    let copy = MemoryFiles::new();
    for name in disk.list().unwrap() {
        let content = content(disk, &name);
        let file = copy.open_or_create(&name).unwrap();
        file.set_len(content.len() as u64).unwrap();
        file.write_at(0, &content).unwrap();
    }
    copy
}

fn content(disk: &MemoryFiles, name: &str) -> Vec<u8> {
    let file: Arc<dyn File> = disk.open_or_create(name).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

fn flip(disk: &MemoryFiles, name: &str, offset: u64, bit: u64) {
    let file = disk.open_or_create(name).unwrap();
    let mut byte = [0];
    file.read_at(offset, &mut byte).unwrap();
    file.write_at(offset, &[byte[0] ^ 1 << bit]).unwrap();
}

fn segments(past: &Past) -> Vec<String> {
    past.disk.list().unwrap().into_iter().filter(|name| name.starts_with("log-")).collect()
}

/// A store that was cut off with frames in its log, in several segments.
fn past_with_log() -> Past {
    let past = (0..50).map(|seed| Past::new(seed, End::Cut)).find(|past| used_bytes(past).len() >= 3);
    past.unwrap()
}

/// How much of each segment is no zeros.
fn used_bytes(past: &Past) -> Vec<(String, u64)> {
    let used = |name: String| {
        let bytes = content(&past.disk, &name);
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1);
        (name, end)
    };
    segments(past).into_iter().map(used).filter(|(_, used)| *used > SECTOR_BYTES).collect()
}

/// In its header, in frames in its middle, and in the last, acknowledged one.
#[test]
fn a_flipped_bit_in_the_log_is_refused_with_segment_and_offset() {
    let past = past_with_log();
    let random = SeededRandom::new(11);
    let rounds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 3_000 } else { 300 };
    let used = used_bytes(&past);
    let (mut refused, mut told) = (0, Outcomes::new("flips-log"));
    for round in 0..rounds {
        let (name, end) = &used[usize::try_from(random.below(used.len() as u64)).unwrap()];
        // Every fourth one in a header.
        let offset = random.below(if round % 4 == 0 { SECTOR_BYTES } else { *end });
        let bit = random.below(8);
        let part = format!("{name} at offset {offset}, bit {bit}");
        let outcome = told.run(&part, || match outcome(&past, |disk| flip(disk, name, offset, bit)) {
            Outcome::Refused(words) => {
                let names_it = words.contains("is damaged") && words.contains(name.as_str());
                match offset_in(&words) {
                    Some(named) if names_it && named <= offset => Ok(Outcome::Refused(words)),
                    _ => Err(format!(
                        "the place that is named is not that of the damage, or behind it: {words}"
                    )),
                }
            }
            // What the tree has already.
            Outcome::Whole => Ok(Outcome::Whole),
            Outcome::Noticed(words) => Err(format!("it was served: {words}")),
        });
        refused += usize::from(matches!(outcome, Some(Outcome::Refused(_))));
    }
    told.say(&format!("{refused} of {rounds} flips refused; the others were in what is needed no more"));
    told.finish();
    assert!(refused > rounds / 2, "{refused} of {rounds}");
}

/// The number behind the word "offset".
fn offset_in(words: &str) -> Option<u64> {
    let (_, rest) = words.split_once("offset ")?;
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

/// A frame that is lost while later ones are there is no torn write.
#[test]
fn a_frame_that_is_lost_before_others_is_refused() {
    let past = past_with_log();
    let used = used_bytes(&past);
    let mut refused = 0;
    for (name, end) in &used[..used.len() - 1] {
        for sector in 1..end / SECTOR_BYTES {
            let zeros = |disk: &MemoryFiles| {
                let file = disk.open_or_create(name).unwrap();
                file.write_at(sector * SECTOR_BYTES, &[0; SECTOR_BYTES as usize]).unwrap();
            };
            match outcome(&past, zeros) {
                Outcome::Refused(words) => {
                    assert!(words.contains(name.as_str()) && words.contains("offset "), "{words}");
                    refused += 1;
                }
                Outcome::Whole => {}
                Outcome::Noticed(words) => panic!("{name} without sector {sector} was served: {words}"),
            }
        }
    }
    assert!(refused > 0, "no frame was needed");
}

/// All but the last one: without that, the log looks as it did before there was one.
#[test]
fn a_segment_that_is_deleted_too_early_is_refused_by_its_name() {
    let past = past_with_log();
    let last = segments(&past).pop();
    let mut refused = 0;
    for (name, _) in used_bytes(&past).into_iter().filter(|(name, _)| Some(name) != last.as_ref()) {
        match outcome(&past, |disk| disk.remove(&name).unwrap()) {
            Outcome::Refused(words) => {
                assert!(words.contains("is damaged") && words.contains("is missing"), "{words}");
                assert!(words.contains(name.as_str()), "{name}: {words}");
                refused += 1;
            }
            Outcome::Whole => {}
            Outcome::Noticed(words) => panic!("without {name}: {words}"),
        }
    }
    assert!(refused > 0, "no segment was needed");
}

#[test]
fn a_log_of_another_store_or_without_its_tree_is_refused() {
    let (past, other) = (past_with_log(), Past::new(77, End::Cut));
    let name = used_bytes(&past)[0].0.clone();
    let foreign = outcome(&past, |disk| {
        let mut header = content(&other.disk, &segments(&other)[0]);
        header.truncate(SECTOR_BYTES as usize);
        // Another id, and a checksum that fits to nothing.
        header[20] ^= 1;
        disk.open_or_create(&name).unwrap().write_at(0, &header).unwrap();
    });
    assert!(matches!(&foreign, Outcome::Refused(words) if words.contains(&name)), "{foreign:?}");
    let alone = outcome(&past, |disk| disk.remove(TREE).unwrap());
    assert!(matches!(&alone, Outcome::Refused(words) if words.contains("log-")), "{alone:?}");
}

/// In items and index entries, in keys, in the pages above them, in records of the store itself, in checksums, in its header.
#[test]
fn a_flipped_bit_anywhere_in_the_tree_is_refused_or_reported_and_never_served() {
    let past = Past::new(7, End::Closed);
    let length = content(&past.disk, TREE).len() as u64;
    let random = SeededRandom::new(3);
    let rounds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 20_000 } else { 800 };
    let (mut refused, mut reported, mut told) = (0, 0, Outcomes::new("flips-tree"));
    for round in 0..rounds {
        // Every eighth one in the header.
        let offset = random.below(if round % 8 == 0 { SECTOR_BYTES } else { length });
        let bit = random.below(8);
        let flip = |disk: &MemoryFiles| flip(disk, TREE, offset, bit);
        let found = || if round % 2 == 0 { outcome(&past, flip) } else { outcome_in_use(&past, flip) };
        let found = told.run(&format!("{TREE} at offset {offset}, bit {bit}"), || match found() {
            Outcome::Refused(words) if !words.contains(TREE) => Err(format!("it is not named: {words}")),
            Outcome::Noticed(words)
                if !words.contains("a checksum does not fit (keywright.tree at offset ") =>
            {
                Err(format!("it was served: {words}"))
            }
            // Whole: a block that is not used, or not now.
            outcome => Ok(outcome),
        });
        refused += usize::from(matches!(found, Some(Outcome::Refused(_))));
        reported += usize::from(matches!(found, Some(Outcome::Noticed(_))));
    }
    told.say(&format!(
        "{refused} of {rounds} flips refused, {reported} reported by a call; the others were in what is not needed"
    ));
    told.finish();
    assert!(
        refused > rounds / 8 && reported > rounds / 20,
        "{refused} refused and {reported} reported of {rounds}"
    );
}
