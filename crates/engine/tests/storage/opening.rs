//! What opens, what is refused, and the words of the refusal.

use crate::arms::{Arm, SMALL, file_content, get, open, put, read_all};
use crate::watched::{field, listen};
use keywright_engine::files::{DiskFiles, Fault, FaultPlan, FaultyFiles, File, Files, MemoryFiles};
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{Batch, DurableStorage, OpenError, Space, Storage};
use std::sync::Arc;

const FILE: &str = "keywright.tree";

/// The name up to format version 2.
const OLD_FILE: &str = "keywright.redb";

fn refusal(files: &MemoryFiles) -> OpenError {
    open(Arc::new(files.clone())).unwrap_err()
}

fn file(files: &MemoryFiles) -> Arc<dyn File> {
    files.open_or_create(FILE).unwrap()
}

#[test]
fn a_store_keeps_its_id_and_another_store_has_another() {
    for arm in Arm::all() {
        let first = arm.open().unwrap().id();
        assert_eq!(arm.open().unwrap().id(), first);
    }
    let other = DurableStorage::open(Arc::new(MemoryFiles::new()), SMALL, &SeededRandom::new(43)).unwrap();
    assert_ne!(other.id(), Arm::all()[0].open().unwrap().id());
}

#[test]
fn a_directory_in_use_is_refused_until_it_is_let_go() {
    for arm in Arm::all() {
        let storage = arm.open().unwrap();
        let refused = arm.open().expect_err("two stores on one directory");
        assert!(matches!(refused, OpenError::InUse { .. }), "{refused:?}");
        assert!(refused.to_string().contains("is in use by another keywright process"), "{refused}");
        storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
        drop(storage);
        assert_eq!(get(&arm.open().unwrap(), Space::Items, b"key").unwrap(), b"value");
    }
}

#[test]
fn an_open_that_fails_lets_the_directory_go() {
    let files = MemoryFiles::new();
    file(&files).write_at(0, &[1; 4096]).unwrap();
    assert!(matches!(refusal(&files), OpenError::NotAStore { .. }));
    assert!(matches!(refusal(&files), OpenError::NotAStore { .. }), "not InUse");
}

#[test]
fn a_file_of_another_program_is_refused_and_not_changed() {
    for foreign in [b"SQLite format 3\0".repeat(512), b"short".to_vec(), vec![0x20; 100_000]] {
        let files = MemoryFiles::new();
        file(&files).write_at(0, &foreign).unwrap();
        let refused = refusal(&files);
        assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused:?}");
        assert!(refused.to_string().contains("is not a keywright store"), "{refused}");
        let mut after = vec![0; foreign.len()];
        file(&files).read_at(0, &mut after).unwrap();
        assert_eq!(after, foreign);
    }
}

#[test]
fn a_redb_file_of_another_program_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let numbers: redb::TableDefinition<'_, u64, &str> = redb::TableDefinition::new("numbers");
    let theirs = redb::Database::create(directory.path().join(OLD_FILE)).unwrap();
    let transaction = theirs.begin_write().unwrap();
    transaction.open_table(numbers).unwrap().insert(1, "one").unwrap();
    transaction.commit().unwrap();
    drop(theirs);
    let refused = open(Arc::new(DiskFiles::new(directory.path()).unwrap())).unwrap_err();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused:?}");
    assert!(
        refused.to_string().contains("another program's redb file (it has a table \"numbers\")"),
        "{refused}"
    );
}

#[test]
fn a_redb_file_in_place_of_the_tree_is_refused_and_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(FILE);
    drop(redb::Database::create(&path).unwrap());
    let before = std::fs::read(&path).unwrap();
    let refused = open(Arc::new(DiskFiles::new(directory.path()).unwrap())).unwrap_err();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused:?}");
    assert!(
        refused.to_string().contains("keywright.tree is a redb file, and no keywright wrote it"),
        "{refused}"
    );
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn a_redb_file_whose_meta_table_has_other_types_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let meta: redb::TableDefinition<'_, u64, u64> = redb::TableDefinition::new("meta");
    let theirs = redb::Database::create(directory.path().join(OLD_FILE)).unwrap();
    let transaction = theirs.begin_write().unwrap();
    transaction.open_table(meta).unwrap().insert(1, 1).unwrap();
    transaction.commit().unwrap();
    drop(theirs);
    let refused = open(Arc::new(DiskFiles::new(directory.path()).unwrap())).unwrap_err();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused:?}");
}

#[test]
fn a_store_of_a_later_version_is_refused_with_both_versions() {
    for arm in Arm::all() {
        let storage = arm.open().unwrap();
        storage.commit(&put(Space::Meta, b"format", &[0, 0, 0, 9, 1, 2, 3])).unwrap();
        drop(storage);
        let refused = arm.open().unwrap_err();
        assert!(matches!(refused, OpenError::UnknownVersion { found: 9, known: 3, .. }), "{refused:?}");
        assert!(refused.to_string().contains("use a newer keywright"), "{refused}");
    }
}

#[test]
fn a_store_whose_format_record_is_cut_off_is_damaged() {
    for arm in Arm::all() {
        let storage = arm.open().unwrap();
        storage.commit(&put(Space::Meta, b"format", &[0, 0, 0, 3])).unwrap();
        drop(storage);
        let Err(OpenError::Damaged { place, .. }) = arm.open() else { panic!("it opened") };
        assert_eq!(place, "keywright.tree: the record `format` of the table `meta` cannot be read");
    }
}

#[test]
fn a_file_cut_to_its_first_page_is_damaged() {
    let files = MemoryFiles::new();
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"key", &[5; 50_000])).unwrap();
    drop(storage);
    file(&files).set_len(4096).unwrap();
    let refused = refusal(&files);
    assert!(matches!(refused, OpenError::Damaged { .. }), "{refused:?}");
    assert!(refused.to_string().contains(FILE), "the place is named: {refused}");
    assert!(refused.to_string().contains("Restore the directory from a backup"), "{refused}");
}

/// Cut to less than a page it was taken for an empty file and written over, or for another program's.
#[test]
fn a_tree_that_was_cut_anywhere_is_damaged_and_not_changed() {
    for length in [9, 511, 512, 513, 4_095, 4_096, 8_192, 12_288, 50_000] {
        let files = MemoryFiles::new();
        let storage = open(Arc::new(files.clone())).unwrap();
        storage.commit(&put(Space::Items, b"key", &[5; 50_000])).unwrap();
        drop(storage);
        file(&files).set_len(length).unwrap();
        let before = file_content(&files, FILE);
        let refused = refusal(&files);
        assert!(matches!(refused, OpenError::Damaged { .. }), "{length}: {refused:?}");
        assert!(file_content(&files, FILE) == before, "{length}");
    }
}

/// "Move that file away" is no advice for a store of which one bit changed.
#[test]
fn a_flipped_bit_in_the_first_bytes_is_damage_and_no_other_programs_file() {
    let files = MemoryFiles::new();
    drop(open(Arc::new(files.clone())).unwrap());
    let mut sector = [0; 512];
    file(&files).read_at(0, &mut sector).unwrap();
    for bit in 0..9 * 8 {
        let mut flipped = sector;
        flipped[bit / 8] ^= 1 << (bit % 8);
        file(&files).write_at(0, &flipped).unwrap();
        let refused = refusal(&files);
        assert!(matches!(refused, OpenError::Damaged { .. }), "bit {bit}: {refused:?}");
    }
    file(&files).write_at(0, &[0; 512]).unwrap();
    let storage = open(Arc::new(files.clone()));
    assert!(!matches!(storage, Err(OpenError::NotAStore { .. })), "{storage:?}");
}

#[test]
fn a_full_disk_is_named_at_creation() {
    let plan = FaultPlan { seed: 1, fault: Fault::DiskFull, at_operation: 1 };
    let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
    let refused = open(Arc::new(files)).unwrap_err();
    assert!(matches!(refused, OpenError::DiskFull { .. }), "{refused:?}");
    assert!(
        refused.to_string().contains("injected: no space left on the disk"),
        "the cause is kept: {refused}"
    );
    assert!(refused.to_string().contains("free some and start again"), "{refused}");
}

#[cfg(unix)]
#[test]
fn a_directory_without_permission_is_refused_with_its_path() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let closed = directory.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
    if std::fs::write(closed.join("probe"), b"").is_ok() {
        return; // Whoever runs this as root is permitted everything.
    }
    let refused = open(Arc::new(DiskFiles::new(&closed).unwrap())).unwrap_err();
    assert!(matches!(refused, OpenError::PermissionDenied { .. }), "{refused:?}");
    assert!(refused.to_string().contains("closed"), "{refused}");
    let refused = OpenError::from(DiskFiles::new(closed.join("below")).unwrap_err());
    assert!(matches!(refused, OpenError::PermissionDenied { .. }), "{refused:?}");
}

#[test]
fn a_path_that_is_a_file_is_refused() {
    let place = tempfile::NamedTempFile::new().unwrap();
    for path in [place.path().to_owned(), place.path().join("below")] {
        let refused = OpenError::from(DiskFiles::new(path).unwrap_err());
        let words = format!("{} is not a directory", place.path().display());
        assert!(refused.to_string().contains(&words), "{refused}");
    }
}

/// It was said not to be a directory.
#[cfg(unix)]
#[test]
fn a_link_that_leads_to_no_directory_is_refused_as_such() {
    let directory = tempfile::tempdir().unwrap();
    let (link, target) = (directory.path().join("link"), directory.path().join("gone"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    for path in [link.clone(), link.join("below")] {
        let refused = OpenError::from(DiskFiles::new(&path).unwrap_err());
        assert!(matches!(refused, OpenError::Io { .. }), "{refused:?}");
        let words =
            format!("{} is a link to {}, where there is no directory", link.display(), target.display());
        assert!(refused.to_string().contains(&words), "{refused}");
    }
    std::fs::create_dir(&target).unwrap();
    drop(open(Arc::new(DiskFiles::new(link.join("below")).unwrap())).unwrap());
    assert!(target.join("below").join(FILE).exists());
}

#[test]
fn a_missing_directory_is_created_with_its_parents() {
    let directory = tempfile::tempdir().unwrap();
    let deep = directory.path().join("one").join("two");
    drop(open(Arc::new(DiskFiles::new(&deep).unwrap())).unwrap());
    let files = DiskFiles::new(&deep).unwrap();
    assert_eq!(files.list().unwrap(), ["LOCK", FILE, "log-0000000000000001"]);
}

#[test]
fn an_empty_store_is_small() {
    let files = MemoryFiles::new();
    drop(open(Arc::new(files.clone())).unwrap());
    assert!(file(&files).len().unwrap() <= 256 << 10);
    assert!(files.open_or_create("log-0000000000000001").unwrap().len().unwrap() <= 1 << 20);
    assert!(read_all(&open(Arc::new(files)).unwrap()).unwrap().is_empty());
}

#[test]
fn a_closed_store_has_one_small_segment_whatever_was_written() {
    for arm in Arm::all() {
        let storage = arm.open().unwrap();
        for number in 0..200_u8 {
            storage.commit(&put(Space::Items, &[number], &[number; 3_000])).unwrap();
        }
        drop(storage);
        let files = arm.files();
        let segments: Vec<_> =
            files.list().unwrap().into_iter().filter(|name| name.starts_with("log-")).collect();
        assert_eq!(segments.len(), 1, "{segments:?}");
        assert_eq!(files.open_or_create(&segments[0]).unwrap().len().unwrap(), SMALL.segment_bytes);
        assert_eq!(read_all(&arm.open().unwrap()).unwrap().len(), 200);
    }
}

#[test]
fn a_store_that_was_not_closed_goes_on_from_its_log() {
    let files = FaultyFiles::counting(7);
    let storage = open(Arc::new(files.clone())).unwrap();
    let mut expected = std::collections::BTreeMap::new();
    for number in 0..100_u8 {
        storage.commit(&put(Space::Index, &[number % 10], &[number; 900])).unwrap();
        expected.insert((Space::Index, vec![number % 10]), vec![number; 900]);
    }
    let survivors = files.restart().unwrap();
    drop(storage);
    assert_eq!(read_all(&open(Arc::new(survivors)).unwrap()).unwrap(), expected);
}

#[test]
fn a_log_whose_tree_is_gone_is_refused_and_kept() {
    // A directory whose `keywright.tree` was deleted or replaced by an empty one opened as a new store would lose what its
    // log holds.
    let files = FaultyFiles::counting(7);
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
    let survivors = files.restart().unwrap();
    drop(storage);
    survivors.remove(FILE).unwrap();
    for _ in 0..2 {
        let refused = refusal(&survivors);
        assert!(matches!(refused, OpenError::Damaged { .. }), "{refused:?}");
        assert!(
            refused.to_string().contains("log-0000000000000001 is of a store that has written"),
            "{refused}"
        );
    }
}

/// A closed store has an empty log, so that one whose `keywright.tree` was deleted looked new: a tree and a first segment were
/// created beside the later one, and then it was refused as damaged, the deleted file brought back or not.
#[test]
fn a_closed_store_whose_tree_is_gone_is_refused_and_opens_again_when_it_is_back() {
    let files = MemoryFiles::new();
    let storage = open(Arc::new(files.clone())).unwrap();
    storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
    drop(storage);
    let tree = file_content(&files, FILE);
    files.remove(FILE).unwrap();
    let before = files.list().unwrap();
    for _ in 0..2 {
        let refused = refusal(&files);
        assert!(matches!(refused, OpenError::Damaged { .. }), "{refused:?}");
        assert!(
            refused.to_string().contains("log-0000000000000002 is of a store that has written"),
            "{refused}"
        );
        assert_eq!(files.list().unwrap(), before, "nothing was created");
    }
    // Emptied, which may be a creation that was cut off, it is refused the same.
    file(&files);
    let refused = refusal(&files);
    assert!(refused.to_string().contains("log-0000000000000002 is of a store that has written"), "{refused}");
    file(&files).set_len(0).unwrap();
    file(&files).write_at(0, &tree).unwrap();
    assert_eq!(get(&open(Arc::new(files)).unwrap(), Space::Items, b"key").unwrap(), b"value");
}

#[test]
fn a_log_of_another_store_is_refused() {
    let (one, other) = (MemoryFiles::new(), MemoryFiles::new());
    drop(open(Arc::new(one.clone())).unwrap());
    drop(DurableStorage::open(Arc::new(other.clone()), SMALL, &SeededRandom::new(43)).unwrap());
    let name = "log-0000000000000001";
    one.open_or_create(name).unwrap().write_at(0, &file_content(&other, name)).unwrap();
    let refused = refusal(&one);
    assert!(matches!(refused, OpenError::Damaged { .. }), "{refused:?}");
    assert!(refused.to_string().contains("log-0000000000000001 at offset 0"), "{refused}");
}

#[test]
fn an_empty_batch_writes_nothing() {
    let files = FaultyFiles::counting(1);
    let storage = open(Arc::new(files.clone())).unwrap();
    let before = files.operations();
    storage.commit(&Batch::default()).unwrap();
    assert_eq!(files.operations(), before);
}

/// redb reads the whole file of a store that was not closed, unless each commit has said which pages are free: after a kill a store
/// of some gigabytes would take minutes to open.
#[test]
fn a_store_that_was_killed_opens_without_being_verified_as_a_whole() {
    let files = FaultyFiles::counting(7);
    let storage = open(Arc::new(files.clone())).unwrap();
    for number in 0..50_u8 {
        storage.commit(&put(Space::Items, &[number], &[7; 5_000])).unwrap();
    }
    let survivors = files.restart().unwrap();
    drop(storage);
    let (storage, told) = listen(|| open(Arc::new(survivors)).unwrap());
    let messages: Vec<&str> = told.iter().map(|told| field(told, "message")).collect();
    assert!(messages.contains(&"the store was not closed: it goes on from its log"), "{messages:?}");
    assert!(!messages.contains(&"the store was not closed; verifying it"), "{messages:?}");
    assert_eq!(read_all(&storage).unwrap().len(), 50);
}
