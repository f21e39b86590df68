use super::{Base, View, Views};
use crate::storage::health::Health;
use crate::storage::overlay::{Held, Overlay, Removal};
use crate::storage::tree::table_of;
use crate::storage::{Batch, Direction, Snapshot, Space};
use proptest::prelude::*;
use redb::Database;
use redb::backends::InMemoryBackend;
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow, RangeBounds};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The three layers, moved by hand.
struct Store {
    database: Database,
    views: Views,
}

impl Store {
    fn new() -> Store {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        for space in Space::ALL {
            transaction.open_table(table_of(space)).unwrap();
        }
        transaction.commit().unwrap();
        let base = Some(Arc::new(Base::open(&database).unwrap()));
        Store { database, views: Views::new(View { base, ..View::default() }, Health::default()) }
    }

    fn commit(&self, batch: &Batch) {
        let mut view = View::clone(&self.views.load());
        view.active.apply(batch, Removal::Tombstone);
        self.views.store(view);
    }

    fn freeze(&self) {
        let mut view = View::clone(&self.views.load());
        if view.frozen.is_none() {
            view.frozen = Some(std::mem::take(&mut view.active));
            self.views.store(view);
        }
    }

    fn apply(&self) {
        let mut view = View::clone(&self.views.load());
        let Some(frozen) = view.frozen.take() else { return };
        write(&self.database, &frozen);
        view.base = Some(Arc::new(Base::open(&self.database).unwrap()));
        self.views.store(view);
    }
}

fn write(database: &Database, overlay: &Overlay) {
    let transaction = database.begin_write().unwrap();
    for space in Space::ALL {
        let mut table = transaction.open_table(table_of(space)).unwrap();
        for entry in overlay.iter(space) {
            match entry.held() {
                Held::Value(value) => table.insert(entry.key(), value).unwrap(),
                Held::Tombstone => table.remove(entry.key()).unwrap(),
            };
        }
    }
    transaction.commit().unwrap();
}

type Model = BTreeMap<(Space, Vec<u8>), Vec<u8>>;

#[derive(Clone, Debug)]
enum Step {
    Commit(Vec<(Space, Vec<u8>, Option<Vec<u8>>)>),
    Freeze,
    Apply,
    Hold,
}

fn space() -> impl Strategy<Value = Space> {
    proptest::sample::select(vec![Space::Items, Space::Index])
}

/// Few distinct keys, so that the layers meet.
fn key() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(vec![0_u8, 1, 255]), 0..4)
}

fn step() -> impl Strategy<Value = Step> {
    let value = proptest::option::weighted(0.6, proptest::collection::vec(any::<u8>(), 0..9));
    prop_oneof![
        6 => proptest::collection::vec((space(), key(), value), 1..12).prop_map(Step::Commit),
        2 => Just(Step::Freeze),
        2 => Just(Step::Apply),
        1 => Just(Step::Hold),
    ]
}

fn bound() -> impl Strategy<Value = Bound<Vec<u8>>> {
    prop_oneof![Just(Bound::Unbounded), key().prop_map(Bound::Included), key().prop_map(Bound::Excluded)]
}

fn scan(
    snapshot: &dyn Snapshot,
    space: Space,
    range: (Bound<&[u8]>, Bound<&[u8]>),
    direction: Direction,
    most: usize,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut entries = Vec::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        entries.push((key.to_vec(), value.to_vec()));
        if entries.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    snapshot.scan(space, range, direction, &mut visit).unwrap();
    entries
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_snapshot_shows_what_was_committed_before_it_in_whatever_layer_that_is(
        steps in proptest::collection::vec(step(), 1..24),
        ranges in proptest::collection::vec((space(), bound(), bound(), 1..40_usize), 8),
    ) {
        let (store, mut model) = (Store::new(), Model::new());
        let mut held = Vec::new();
        for step in steps {
            match step {
                Step::Commit(changes) => {
                    let mut batch = Batch::default();
                    for (space, key, value) in changes {
                        match value {
                            Some(value) => {
                                batch.put(space, &key, value.clone());
                                model.insert((space, key), value);
                            }
                            None => {
                                batch.delete(space, &key);
                                model.remove(&(space, key));
                            }
                        }
                    }
                    store.commit(&batch);
                }
                Step::Freeze => store.freeze(),
                Step::Apply => store.apply(),
                Step::Hold => held.push((store.views.snapshot().unwrap(), model.clone())),
            }
        }
        held.push((store.views.snapshot().unwrap(), model));
        for (snapshot, model) in &held {
            for (space, low, high, most) in &ranges {
                let range = (low.as_ref().map(Vec::as_slice), high.as_ref().map(Vec::as_slice));
                let mut within: Vec<_> = model
                    .iter()
                    .filter(|((of, key), _)| of == space && RangeBounds::<[u8]>::contains(&range, key.as_slice()))
                    .map(|((_, key), value)| (key.clone(), value.clone()))
                    .collect();
                let first = |all: &[(Vec<u8>, Vec<u8>)]| all.iter().take(*most).cloned().collect::<Vec<_>>();
                let forward = scan(snapshot.as_ref(), *space, range, Direction::Forward, *most);
                prop_assert_eq!(forward, first(&within));
                within.reverse();
                let backward = scan(snapshot.as_ref(), *space, range, Direction::Backward, *most);
                prop_assert_eq!(backward, first(&within));
                for key in [low, high] {
                    if let Bound::Included(key) | Bound::Excluded(key) = key {
                        let mut value = None;
                        let found = snapshot.get(*space, key, &mut |bytes| value = Some(bytes.to_vec())).unwrap();
                        prop_assert_eq!(value.as_ref(), model.get(&(*space, key.clone())));
                        prop_assert_eq!(found, value.is_some());
                    }
                }
            }
        }
    }
}

#[test]
fn readers_never_see_half_of_a_commit_nor_an_older_one_while_the_layers_move() {
    let store = Store::new();
    let round = |store: &Store, round: u32| {
        let mut batch = Batch::default();
        for key in [b"left", b"both", b"then"] {
            batch.put(Space::Items, key, round.to_be_bytes().to_vec());
        }
        store.commit(&batch);
    };
    round(&store, 0);
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut latest = Vec::new();
                while !ended.load(Ordering::Relaxed) {
                    let snapshot = store.views.snapshot().unwrap();
                    let everything = (Bound::Unbounded, Bound::Unbounded);
                    let seen = scan(snapshot.as_ref(), Space::Items, everything, Direction::Forward, 9);
                    assert_eq!(seen.len(), 3);
                    assert!(seen.iter().all(|(_, value)| *value == seen[0].1), "half a commit: {seen:?}");
                    assert!(latest <= seen[0].1, "an older commit came back");
                    latest = seen[0].1.clone();
                }
            });
        }
        for number in 1..600_u32 {
            round(&store, number);
            match number % 3 {
                0 => store.freeze(),
                1 => store.apply(),
                _ => {}
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_snapshot_stops_with_its_store() {
    let store = Store::new();
    store.commit(&Batch::default());
    let snapshot = store.views.snapshot().unwrap();
    let stopped = store.views.health.stop(|| "the disk failed".to_owned());
    assert_eq!(snapshot.get(Space::Items, b"key", &mut |_| ()).unwrap_err(), stopped);
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let scanned =
        snapshot.scan(Space::Items, everything, Direction::Forward, &mut |_, _| ControlFlow::Continue(()));
    assert_eq!(scanned.unwrap_err(), stopped);
    assert_eq!(store.views.snapshot().map(drop).unwrap_err(), stopped);
}
