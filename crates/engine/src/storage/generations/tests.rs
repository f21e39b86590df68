use super::*;
use crate::storage::tree::table_of;
use crate::storage::{Space, StorageError};
use redb::Database;
use redb::backends::InMemoryBackend;
use std::ops::{Bound, ControlFlow};

const OPTIONS: DurableOptions = DurableOptions {
    durability: crate::storage::Durability::Fsync,
    cache_size_bytes: 1 << 20,
    segment_bytes: 1 << 20,
    freeze_bytes: 10_000,
    freeze_log_bytes: 50_000,
    most_held_bytes: 40_000,
    workers: crate::storage::Workers::Threads,
};

impl Generations {
    /// Bytes a second that the applier takes.
    pub(in crate::storage) fn rate(&self) -> f64 {
        self.lock().rate
    }
}

struct Store {
    database: Database,
    generations: Generations,
    health: Health,
    room: Room,
    counters: Counters,
}

impl Store {
    fn new() -> Store {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        for space in Space::ALL {
            transaction.open_table(table_of(space)).unwrap();
        }
        transaction.commit().unwrap();
        let health = Health::default();
        let base = Arc::new(Base::open(&database).unwrap());
        let generations = Generations::new(base, Overlay::default(), 0, &OPTIONS, health.clone());
        Store { database, generations, health, room: Room::default(), counters: Counters::default() }
    }

    fn publish(&self, frame: u64, bytes: usize) {
        let mut batch = Batch::default();
        batch.put(Space::Items, &frame.to_be_bytes(), vec![0; bytes]);
        self.generations.publish(&batch, Appended { sequence: frame, bytes: bytes as u64 });
    }

    /// The same key each time.
    fn publish_again(&self, frame: u64, bytes: usize) {
        let mut batch = Batch::default();
        batch.put(Space::Items, b"key", vec![0; bytes]);
        self.generations.publish(&batch, Appended { sequence: frame, bytes: bytes as u64 });
    }

    fn admit(&self) -> Result<(), StorageError> {
        self.generations.admit(1_000, &self.health, &self.room, &self.counters)
    }

    fn applied(&self) {
        let base = Arc::new(Base::open(&self.database).unwrap());
        self.generations.applied(base, Duration::from_millis(1));
    }

    fn keys(&self) -> usize {
        let mut keys = 0;
        let everything = (Bound::Unbounded, Bound::Unbounded);
        let snapshot = self.generations.snapshot().unwrap();
        let mut visit = |_: &[u8], _: &[u8]| {
            keys += 1;
            ControlFlow::Continue(())
        };
        snapshot.scan(Space::Items, everything, crate::storage::Direction::Forward, &mut visit).unwrap();
        keys
    }
}

#[test]
fn a_layer_freezes_when_it_is_large_enough_and_nothing_is_frozen() {
    let store = Store::new();
    store.publish(1, 9_000);
    assert!(store.generations.frozen().is_none());
    store.publish(2, 1_000);
    assert_eq!(store.generations.frozen().unwrap().last_frame, 2);
    store.publish(3, 11_000);
    assert_eq!(store.generations.frozen().unwrap().last_frame, 2, "one at a time");
    assert_eq!(store.keys(), 3);
    store.applied();
    assert_eq!(store.generations.frozen().unwrap().last_frame, 3, "what waited for its turn");
    assert_eq!(store.keys(), 1, "this tree of the test took nothing over");
}

/// A counter that was written a million times left a log of a gigabyte, and one change.
#[test]
fn a_small_layer_freezes_when_the_log_behind_it_is_large() {
    let store = Store::new();
    for frame in 1..=9 {
        store.publish_again(frame, 5_500);
        assert!(store.generations.frozen().is_none(), "after {frame} frames");
    }
    store.publish_again(10, 500);
    assert_eq!(store.generations.frozen().unwrap().last_frame, 10);
    for frame in 11..=19 {
        store.publish_again(frame, 5_500);
    }
    store.applied();
    assert!(store.generations.frozen().is_none(), "what is frozen is counted no more");
    store.publish_again(20, 500);
    assert_eq!(store.generations.frozen().unwrap().last_frame, 20);
}

/// Else the tree would wait for as much room as the log has taken, and a write that needs little with it.
#[test]
fn for_room_a_layer_freezes_only_if_its_log_is_larger() {
    let store = Store::new();
    store.publish(1, 3_000);
    store.generations.freeze_for_room();
    assert!(store.generations.frozen().is_none());
    for frame in 2..=5 {
        store.publish_again(frame, 3_000);
    }
    store.generations.freeze_for_room();
    assert_eq!(store.generations.frozen().unwrap().last_frame, 5);
}

#[test]
fn a_writer_goes_on_at_once_while_less_than_half_is_taken() {
    let store = Store::new();
    for frame in 1..=19 {
        assert_eq!(store.admit(), Ok(()));
        store.publish(frame, 900);
    }
    assert!(store.generations.held_bytes() <= OPTIONS.most_held_bytes / 2);
    assert_eq!(store.counters.stalls.count(), 0);
}

/// How many writers of 1,000 bytes go on until one of them has to pause, with so many bytes in memory. The rate is the supposed
/// one: 1,000 bytes are 50 µs of it, of which the part is taken that memory is full beyond its half.
fn writers_until_a_pause(store: &Store) -> usize {
    let pauses = store.counters.stalls.count();
    let paused = (1..=10_000).find(|_| {
        store.admit().unwrap();
        store.counters.stalls.count() > pauses
    });
    paused.unwrap()
}

#[test]
fn a_writer_pauses_the_more_often_the_less_room_is_left() {
    let store = Store::new();
    store.publish(1, 20_000);
    let mut writers = Vec::new();
    // From 5/8 of the limit to 7/8.
    for frame in 2..=4 {
        store.publish(frame, 4_800);
        let held = store.generations.held_bytes();
        let fullness = (held - 20_000) as f64 / 20_000.0;
        let expected = (0.001 / (1_000.0 / SUPPOSED_RATE * fullness)).ceil() as usize;
        let until_pause = writers_until_a_pause(&store);
        assert!(until_pause.abs_diff(expected) <= 1, "{until_pause} at {held} bytes, and not {expected}");
        writers.push(until_pause);
    }
    assert!(writers.windows(2).all(|pair| pair[0] > pair[1]), "{writers:?}");
}

#[test]
fn a_writer_pauses_the_more_often_the_slower_the_tree_takes_what_is_frozen() {
    let writers = |took: Duration| {
        let store = Store::new();
        store.publish(1, 20_000);
        let base = Arc::new(Base::open(&store.database).unwrap());
        store.generations.applied(base, took);
        store.publish(2, 30_000);
        writers_until_a_pause(&store)
    };
    // 2 MB a second, and 20 MB.
    let (slow, fast) = (writers(Duration::from_millis(10)), writers(Duration::from_millis(1)));
    assert!(slow * 9 <= fast && fast <= slow * 11, "{slow} and {fast}");
}

#[test]
fn a_writer_at_the_limit_goes_on_when_the_tree_has_taken_something() {
    let store = Store::new();
    store.publish(1, 20_000);
    store.publish(2, 30_000);
    assert!(store.generations.held_bytes() >= OPTIONS.most_held_bytes);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| store.admit());
        store.applied();
        assert_eq!(writer.join().unwrap(), Ok(()));
    });
    assert!(store.generations.held_bytes() < OPTIONS.most_held_bytes);
}

#[test]
fn a_writer_at_the_limit_is_told_when_nobody_will_make_room() {
    let store = Store::new();
    store.publish(1, 20_000);
    store.publish(2, 30_000);
    store.generations.end();
    let stopped = store.admit().unwrap_err();
    assert!(stopped.to_string().contains("the thread that applies the log ended"), "{stopped}");
    assert_eq!(store.admit().unwrap_err(), stopped);
}

#[test]
fn closing_freezes_what_is_left_and_then_nothing() {
    let store = Store::new();
    store.publish(1, 100);
    store.generations.close();
    assert_eq!(store.generations.next().unwrap().last_frame, 1);
    store.applied();
    assert!(store.generations.next().is_none());
}
