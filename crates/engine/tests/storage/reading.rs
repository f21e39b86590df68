//! Snapshots: order, ranges, isolation, and visitors that stop or panic.

use crate::arms::{Arm, Store, everything, get, put, scan, stores};
use keywright_engine::files::MemoryFiles;
use keywright_engine::storage::{Batch, Direction, Space, Storage};
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::ops::ControlFlow;

fn letters(storage: &dyn Storage) {
    let mut batch = Batch::default();
    for letter in ["d", "b", "a", "c"] {
        batch.put(Space::Items, letter.as_bytes(), letter.to_uppercase().into_bytes());
    }
    storage.commit(&batch).unwrap();
}

/// A store of each kind, with four letters in it.
fn stores_of_letters() -> Vec<Store> {
    let stores = stores();
    stores.iter().for_each(|store| letters(store.storage.as_ref()));
    stores
}

#[test]
fn a_scan_meets_the_keys_of_its_range_in_its_direction() {
    for Store { storage, .. } in &stores_of_letters() {
        let snapshot = storage.snapshot().unwrap();
        let keys = |range, direction| {
            let entries = scan(snapshot.as_ref(), Space::Items, range, direction).unwrap();
            entries.into_iter().map(|(key, _)| String::from_utf8(key).unwrap()).collect::<String>()
        };
        let (b, c): (&[u8], &[u8]) = (b"b", b"c");
        assert_eq!(keys(everything(), Direction::Forward), "abcd");
        assert_eq!(keys(everything(), Direction::Backward), "dcba");
        assert_eq!(keys((Included(b), Included(c)), Direction::Forward), "bc");
        assert_eq!(keys((Excluded(b), Unbounded), Direction::Forward), "cd");
        assert_eq!(keys((Unbounded, Excluded(c)), Direction::Backward), "ba");
        for nothing in [
            (Included(c), Included(b)),
            (Excluded(b), Excluded(b)),
            (Included(b), Excluded(b)),
            (Excluded(b), Included(b)),
        ] {
            assert_eq!(keys(nothing, Direction::Forward), "", "{nothing:?}");
            assert_eq!(keys(nothing, Direction::Backward), "", "{nothing:?}");
        }
    }
}

#[test]
fn a_scan_ends_when_its_visitor_breaks() {
    for Store { storage, .. } in &stores_of_letters() {
        let mut visited = Vec::new();
        let snapshot = storage.snapshot().unwrap();
        let mut visit = |key: &[u8], _: &[u8]| {
            visited.push(key.to_vec());
            if key == b"b" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        snapshot.scan(Space::Items, everything(), Direction::Forward, &mut visit).unwrap();
        assert_eq!(visited, [b"a", b"b"]);
    }
}

#[test]
fn a_snapshot_does_not_see_later_commits() {
    for Store { storage, .. } in &stores_of_letters() {
        let before = storage.snapshot().unwrap();
        storage.commit(&put(Space::Items, b"a", b"changed")).unwrap();
        storage.commit(&put(Space::Items, b"e", b"new")).unwrap();
        let mut seen = Vec::new();
        before.get(Space::Items, b"a", &mut |value| seen = value.to_vec()).unwrap();
        assert_eq!(seen, b"A");
        assert!(!before.get(Space::Items, b"e", &mut |_| unreachable!()).unwrap());
        assert_eq!(get(storage.as_ref(), Space::Items, b"a").unwrap(), b"changed");
    }
}

#[test]
fn spaces_do_not_see_each_other() {
    for Store { storage, .. } in &stores_of_letters() {
        for space in [Space::Index, Space::TimeToLive, Space::Meta] {
            assert_eq!(get(storage.as_ref(), space, b"a"), None);
        }
    }
}

#[test]
fn the_longest_key_and_the_largest_item_fit() {
    // Table id, hash and length (18), a partition key of 2,048 bytes and a sort key of 1,024; 400 KB and its frame.
    for arm in Arm::all() {
        let storage = arm.open().unwrap();
        let (key, value) = (vec![7; 18 + 2_048 + 1_024], vec![8; 500_000]);
        storage.commit(&put(Space::Items, &key, &value)).unwrap();
        drop(storage);
        assert_eq!(get(&arm.open().unwrap(), Space::Items, &key).unwrap(), value);
    }
}

#[test]
#[should_panic(expected = "the caller's own panic")]
fn a_panic_of_a_visitor_reaches_its_caller() {
    let arm = Arm::Memory(MemoryFiles::new());
    let storage = arm.open().unwrap();
    letters(&storage);
    let snapshot = storage.snapshot().unwrap();
    let _ = snapshot.get(Space::Items, b"a", &mut |_| panic!("the caller's own panic"));
}

#[test]
fn readers_and_a_writer_work_side_by_side() {
    for Store { storage, .. } in &stores_of_letters() {
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let snapshot = storage.snapshot().unwrap();
                        let pair =
                            scan(snapshot.as_ref(), Space::Index, everything(), Direction::Forward).unwrap();
                        let same = pair.windows(2).all(|both| both[0].1 == both[1].1);
                        assert!(same, "half of a commit was visible: {pair:?}");
                    }
                });
            }
            for round in 0..30_u32 {
                let mut batch = put(Space::Index, b"left", &round.to_be_bytes());
                batch.put(Space::Index, b"right", round.to_be_bytes().to_vec());
                storage.commit(&batch).unwrap();
            }
        });
    }
}
