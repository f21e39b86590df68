//! Stores of a later version, opened by this one after a downgrade: they are whole, and who is told that they are damaged restores a
//! backup over them and loses what came after it.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use keywright_engine::files::{FaultyFiles, File, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{
    Batch, Direction, DurableOptions, DurableStorage, OpenError as StorageOpenError, Space, Storage as _,
};
use keywright_engine::{Engine, OpenError, Options};
use serde_json::{Value, json};
use twox_hash::XxHash3_64;

use crate::support::{create, get, put};

const SEGMENT: &str = "log-0000000000000001";
const SECTOR_BYTES: usize = 512;
/// Where the first change of the first frame begins.
const FIRST_CHANGE: usize = SECTOR_BYTES + 40;

/// A store with one item, which was not closed: all of it is in its log.
fn disk() -> MemoryFiles {
    let files = FaultyFiles::counting(1);
    let engine = Engine::open(Options::files(Arc::new(files.clone()))).unwrap();
    create(&engine, "items", "pk:S", None);
    put(&engine, "items", json!({"pk": {"S": "a"}})).unwrap();
    files.restart().unwrap()
}

fn open(disk: &MemoryFiles) -> Result<Engine, OpenError> {
    Engine::open(Options::files(Arc::new(disk.clone())))
}

fn refusal(disk: &MemoryFiles) -> OpenError {
    let error = open(disk).unwrap_err();
    let words = error.to_string();
    assert!(words.contains("holds what this version does not know"), "{words}");
    assert!(words.contains("use a newer keywright"), "{words}");
    assert!(!words.contains("damage") && !words.contains("backup"), "{words}");
    error
}

fn is_as_it_was(disk: &MemoryFiles) {
    let engine = open(disk).unwrap();
    let item = json!({"pk": {"S": "a"}});
    assert_eq!(get(&engine, "items", item.clone()).unwrap(), item);
}

/// Puts another description of the table into the store, and answers the one before.
fn describe(disk: &MemoryFiles, description: impl FnOnce(Value) -> Value) -> Value {
    let settings = DurableOptions::default();
    let storage = DurableStorage::open(Arc::new(disk.clone()), settings, &SeededRandom::new(1)).unwrap();
    let mut found = None;
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let mut look = |key: &[u8], value: &[u8]| match key == b"table/items" {
        true => {
            found = Some(serde_json::from_slice::<Value>(value).unwrap());
            ControlFlow::Break(())
        }
        false => ControlFlow::Continue(()),
    };
    storage.snapshot().unwrap().scan(Space::Meta, everything, Direction::Forward, &mut look).unwrap();
    let before = found.unwrap();
    let mut batch = Batch::default();
    batch.put(Space::Meta, b"table/items", serde_json::to_vec(&description(before.clone())).unwrap());
    storage.commit(&batch).unwrap();
    before
}

#[test]
fn a_table_with_a_member_of_a_later_version_asks_for_that_version() {
    let disk = disk();
    for (member, value) in [
        ("streams", json!({"view": "keys"})),
        ("billing", json!("reserved")),
        ("partition_key", json!({"name": "pk", "kind": "GEO"})),
    ] {
        let before = describe(&disk, |mut table| {
            table[member] = value;
            table
        });
        let error = refusal(&disk);
        assert!(
            matches!(&error, OpenError::UnknownCatalog { key, .. } if key == "table/items"),
            "{member}: {error:?}"
        );
        describe(&disk, |_| before);
        is_as_it_was(&disk);
    }
}

/// What is no JSON at all was written by no version.
#[test]
fn a_table_whose_description_is_no_json_is_damaged() {
    let disk = disk();
    let settings = DurableOptions::default();
    let storage = DurableStorage::open(Arc::new(disk.clone()), settings, &SeededRandom::new(1)).unwrap();
    let mut batch = Batch::default();
    batch.put(Space::Meta, b"table/items", b"{\"number\":".to_vec());
    storage.commit(&batch).unwrap();
    drop(storage);
    let words = open(&disk).unwrap_err().to_string();
    assert!(words.contains("`table/items` of the store is damaged"), "{words}");
    assert!(words.contains("restore the data directory from a backup"), "{words}");
}

/// Changes the first frame of the log, whose checksums fit again afterwards.
fn rewrite(disk: &MemoryFiles, place: usize, flag: u8) {
    let file: Arc<dyn File> = disk.open_or_create(SEGMENT).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    let seed = XxHash3_64::oneshot(&bytes[12..28]);
    bytes[place] ^= flag;
    let frame = &mut bytes[SECTOR_BYTES..];
    let sectors = u32::from_be_bytes(frame[4..8].try_into().unwrap());
    let body = XxHash3_64::oneshot_with_seed(seed, &frame[40..sectors as usize * SECTOR_BYTES]);
    frame[24..32].copy_from_slice(&body.to_be_bytes());
    let head = XxHash3_64::oneshot_with_seed(seed, &frame[..32]);
    frame[32..40].copy_from_slice(&head.to_be_bytes());
    file.write_at(0, &bytes).unwrap();
}

fn log(disk: &MemoryFiles) -> Vec<u8> {
    let file = disk.open_or_create(SEGMENT).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

/// A kind of change, a flag of a head, and a byte of it that is zero today.
#[test]
fn a_frame_of_a_later_version_asks_for_that_version_and_nothing_is_changed() {
    for (place, flag, what) in [
        (FIRST_CHANGE, 0x20, "changes of an unknown kind"),
        (SECTOR_BYTES + 1, 0x80, "a head of an unknown kind"),
        (SECTOR_BYTES + 2, 0x01, "a head of an unknown kind"),
    ] {
        let disk = disk();
        rewrite(&disk, place, flag);
        let before = log(&disk);
        let error = refusal(&disk);
        let OpenError::Storage(StorageOpenError::UnknownContent { place: named, .. }) = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*named, format!("{SEGMENT} at offset 512: a frame has {what}"));
        assert!(error.to_string().contains("No data was changed"), "{error}");
        assert!(log(&disk) == before, "the log was changed");
        rewrite(&disk, place, flag);
        is_as_it_was(&disk);
    }
}
