//! Any sequence of batches and restarts leaves what an ordered map would hold.

use crate::arms::{Arm, Model, apply, get, read_all, scan};
use keywright_engine::storage::{Batch, Change, Direction, MemoryStorage, Space, Storage};
use proptest::prelude::*;
use std::ops::Bound;

#[derive(Clone, Debug)]
enum Step {
    Commit(Batch),
    Reopen,
}

fn space() -> impl Strategy<Value = Space> {
    proptest::sample::select(Space::ALL.to_vec())
}

/// Few distinct keys, some of them prefixes of others, so that batches meet.
fn key() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(vec![0_u8, 1, 254, 255]), 0..4)
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => proptest::collection::vec(any::<u8>(), 0..200).prop_map(Change::Put),
        1 => (0..20_000_usize).prop_map(|length| Change::Put(vec![9; length])),
        2 => Just(Change::Delete),
    ]
}

fn batch() -> impl Strategy<Value = Batch> {
    proptest::collection::vec((space(), key(), change()), 0..12).prop_map(|changes| {
        let mut batch = Batch::default();
        for (space, key, change) in changes {
            match change {
                Change::Put(value) => batch.put(space, &key, value),
                Change::Delete => batch.delete(space, &key),
            }
        }
        batch
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![4 => batch().prop_map(Step::Commit), 1 => Just(Step::Reopen)]
}

fn bound() -> impl Strategy<Value = Bound<Vec<u8>>> {
    prop_oneof![Just(Bound::Unbounded), key().prop_map(Bound::Included), key().prop_map(Bound::Excluded)]
}

/// Whether an entry is not one of the store's own records, which are not in the model.
fn is_not_its_own((key, _): &(Vec<u8>, Vec<u8>)) -> bool {
    key != b"format" && key != b"log"
}

type Range = (Space, Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Checks that a store reads as the model does: all of it, each key, and ranges in both directions.
fn check(storage: &dyn Storage, model: &Model, ranges: &[Range]) -> Result<(), TestCaseError> {
    prop_assert_eq!(&read_all(storage).unwrap(), model);
    for ((space, key), value) in model {
        prop_assert_eq!(get(storage, *space, key), Some(value.clone()));
    }
    let snapshot = storage.snapshot().unwrap();
    for (space, low, high) in ranges {
        let range = (low.as_ref().map(Vec::as_slice), high.as_ref().map(Vec::as_slice));
        let mut expected: Vec<_> = model
            .iter()
            .filter(|((in_space, key), _)| {
                in_space == space && std::ops::RangeBounds::<[u8]>::contains(&range, key.as_slice())
            })
            .map(|((_, key), value)| (key.clone(), value.clone()))
            .collect();
        let forward = scan(snapshot.as_ref(), *space, range, Direction::Forward).unwrap();
        let forward: Vec<_> = forward.into_iter().filter(is_not_its_own).collect();
        prop_assert_eq!(&forward, &expected);
        let backward = scan(snapshot.as_ref(), *space, range, Direction::Backward).unwrap();
        let backward: Vec<_> = backward.into_iter().filter(is_not_its_own).collect();
        expected.reverse();
        prop_assert_eq!(backward, expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_store_holds_what_a_map_would(
        steps in proptest::collection::vec(step(), 1..12),
        ranges in proptest::collection::vec((space(), bound(), bound()), 4),
    ) {
        for arm in Arm::all() {
            let mut storage = arm.open().unwrap();
            let mut model = Model::new();
            for step in &steps {
                match step {
                    Step::Commit(batch) => {
                        storage.commit(batch).unwrap();
                        apply(&mut model, batch);
                    }
                    Step::Reopen => {
                        drop(storage);
                        storage = arm.open().unwrap();
                    }
                }
            }
            check(&storage, &model, &ranges)?;
        }
        // What is in memory only is not opened again.
        let (storage, mut model) = (MemoryStorage::new(), Model::new());
        for step in &steps {
            if let Step::Commit(batch) = step {
                storage.commit(batch).unwrap();
                apply(&mut model, batch);
            }
        }
        check(&storage, &model, &ranges)?;
    }

    #[test]
    fn a_batch_reads_as_a_map_before_it_is_committed(batch in batch(), space in space(), low in bound(), high in bound()) {
        let range = (low.as_ref().map(Vec::as_slice), high.as_ref().map(Vec::as_slice));
        let expected: Vec<_> = batch
            .iter(space)
            .filter(|(key, _)| std::ops::RangeBounds::<[u8]>::contains(&range, *key))
            .collect();
        let mut backward: Vec<_> = batch.range(space, range, Direction::Backward).collect();
        backward.reverse();
        prop_assert_eq!(&backward, &expected);
        prop_assert_eq!(batch.range(space, range, Direction::Forward).collect::<Vec<_>>(), expected);
    }
}
