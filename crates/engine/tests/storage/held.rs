//! A store has its directory and its tree to itself, whatever becomes of names and links while it is open.

use crate::arms::{Model, SMALL, get, open, open_with, put, read_all};
use keywright_engine::files::DiskFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::storage::{DurableOptions, DurableStorage, OpenError, Space, Storage, Workers};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn files(directory: &Path) -> Arc<DiskFiles> {
    Arc::new(DiskFiles::new(directory).unwrap())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// `mv data old && mkdir data` under a running server: the next segment of the log was created in the new directory, and what was
/// acknowledged in it was gone from `old` after a kill. A second server on the new `data` lost its own log to the first one.
#[test]
fn a_store_whose_directory_is_renamed_goes_on_in_it_and_leaves_the_one_in_its_place_alone() {
    let log_keeps_all = DurableOptions {
        freeze_bytes: usize::MAX,
        freeze_log_bytes: u64::MAX,
        most_held_bytes: usize::MAX,
        ..SMALL
    };
    for options in [log_keeps_all, SMALL, DurableOptions { workers: Workers::Threads, ..SMALL }] {
        let place = tempfile::tempdir().unwrap();
        let (data, old) = (place.path().join("data"), place.path().join("old"));
        let first = open_with(files(&data), options).unwrap();
        first.commit(&put(Space::Items, b"before", b"value")).unwrap();
        fs::rename(&data, &old).unwrap();
        fs::create_dir(&data).unwrap();
        let second = DurableStorage::open(files(&data), options, &SeededRandom::new(43)).unwrap();
        let mut expected = Model::new();
        for number in 0..100_u8 {
            for storage in [&first, &second] {
                storage.commit(&put(Space::Items, &[number], &[number; 3_000])).unwrap();
            }
            expected.insert((Space::Items, vec![number]), vec![number; 3_000]);
        }
        if options.workers == Workers::Caller {
            // Nothing writes now: a kill would leave these.
            let killed = [place.path().join("killed old"), place.path().join("killed data")];
            copy(&old, &killed[0]);
            copy(&data, &killed[1]);
            let of_second = read_all(&open_with(files(&killed[1]), options).unwrap()).unwrap();
            assert!(of_second == expected);
            let mut of_first = read_all(&open_with(files(&killed[0]), options).unwrap()).unwrap();
            assert!(of_first.remove(&(Space::Items, b"before".to_vec())).is_some());
            assert!(of_first == expected);
        }
        drop((first, second));
        assert!(read_all(&open(files(&data)).unwrap()).unwrap() == expected);
        expected.insert((Space::Items, b"before".to_vec()), b"value".to_vec());
        assert!(read_all(&open(files(&old)).unwrap()).unwrap() == expected);
    }
}

/// A `LOCK` file that is left behind means nothing, so somebody removed it, under an open store: the next process created another
/// one, locked that, and two processes wrote to one tree and one log.
#[test]
fn a_store_whose_lock_file_was_removed_is_in_use_all_the_same() {
    let place = tempfile::tempdir().unwrap();
    let storage = open(files(place.path())).unwrap();
    storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
    for _ in 0..2 {
        fs::remove_file(place.path().join("LOCK")).unwrap();
        let refused = open(files(place.path())).unwrap_err();
        assert!(matches!(refused, OpenError::InUse { .. }), "{refused:?}");
        storage.commit(&put(Space::Items, b"key", b"later")).unwrap();
    }
    drop(storage);
    assert_eq!(get(&open(files(place.path())).unwrap(), Space::Items, b"key").unwrap(), b"later");
}

#[test]
fn two_directories_with_a_link_to_one_tree_are_not_two_stores() {
    let place = tempfile::tempdir().unwrap();
    let (one, other) = (place.path().join("one"), place.path().join("other"));
    let storage = open(files(&one)).unwrap();
    storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
    fs::create_dir(&other).unwrap();
    fs::hard_link(one.join("keywright.tree"), other.join("keywright.tree")).unwrap();
    let refused = open(files(&other)).unwrap_err();
    assert!(matches!(refused, OpenError::InUse { .. }), "{refused:?}");
    storage.commit(&put(Space::Items, b"key", b"later")).unwrap();
    drop(storage);
    assert_eq!(get(&open(files(&one)).unwrap(), Space::Items, b"key").unwrap(), b"later");
}

#[test]
fn a_tree_of_an_older_format_is_not_migrated_by_two_at_once() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("keywright.redb");
    fs::write(&path, include_bytes!("fixtures/version-1.redb")).unwrap();
    let migrating = fs::File::open(&path).unwrap();
    migrating.lock().unwrap();
    let refused = open(files(place.path())).unwrap_err();
    assert!(matches!(refused, OpenError::InUse { .. }), "{refused:?}");
    drop(migrating);
    assert!(!read_all(&open(files(place.path())).unwrap()).unwrap().is_empty());
}

/// A directory that was there was taken for one whose name is durable. Who had just created it, an operator or the system, need not
/// have synced it, and a power loss could take it with everything that had been acknowledged.
#[cfg(target_os = "linux")]
#[test]
fn the_name_of_a_directory_without_a_store_is_synced_whoever_created_it() {
    // The only sync that can be seen to be tried: directories of this file system refuse it.
    let refused = DiskFiles::new("/proc/self/task").unwrap_err();
    assert_eq!(refused.cause.kind(), std::io::ErrorKind::InvalidInput, "{refused}");
}

/// The first start failed there, after it had created the directory, and the second one did not.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_below_one_that_may_not_be_read_is_used_all_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let above = place.path().join("above");
    fs::create_dir(&above).unwrap();
    fs::set_permissions(&above, fs::Permissions::from_mode(0o300)).unwrap();
    let storage = open(files(&above.join("data"))).unwrap();
    storage.commit(&put(Space::Items, b"key", b"value")).unwrap();
    drop(storage);
    assert_eq!(get(&open(files(&above.join("data"))).unwrap(), Space::Items, b"key").unwrap(), b"value");
    fs::set_permissions(&above, fs::Permissions::from_mode(0o700)).unwrap();
}
