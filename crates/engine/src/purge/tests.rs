use super::*;
use crate::clock::{ManualClock, Timestamp};
use crate::random::SeededRandom;
use crate::state::Settings;
use crate::storage::{CountedStorage, Storage};
use std::time::Duration;

/// An engine's state over a store in which tables were dropped that have so many items and entries of indexes each.
fn dropped(tables: u64, items: u64) -> (CountedStorage, State) {
    let storage = CountedStorage::default();
    let mut batch = Batch::default();
    for table in 1..=tables {
        let prefix = TableNumber(table).prefix();
        batch.put(Space::Meta, &[b"dropped/".as_slice(), &prefix].concat(), Vec::new());
        for item in 0..items {
            for space in [Space::Items, Space::Index] {
                batch.put(space, &[prefix, item.to_be_bytes()].concat(), b"item".to_vec());
            }
        }
    }
    storage.commit(&batch).unwrap();
    let start = Timestamp::from_milliseconds(1_700_000_000_000);
    let catalog = Catalog::load(&storage, start).unwrap();
    let settings = Settings {
        clock: Arc::new(ManualClock::new(start)),
        random: Arc::new(SeededRandom::new(1)),
        region: "us-east-1".to_owned(),
        account: "000000000000".to_owned(),
        table_delay: Duration::ZERO,
        index_history: None,
    };
    let state = State::new(Box::new(storage.clone()), catalog, settings);
    (storage, state)
}

/// Each step began at the table's first key, and walked over all that the steps before had removed, as long as the tree did not
/// know of it: with the square of the table's size, while no write was decided.
#[test]
fn a_step_goes_on_where_the_last_one_ended() {
    let (storage, state) = dropped(2, 10_000);
    let before = storage.steps();
    let mut purge = Purge::default();
    let mut steps = 0;
    while purge.has_work(&state.catalog()) {
        assert_eq!(purge.step(&state), Step::Done);
        steps += 1;
        assert!(steps <= 100, "it goes on for ever");
    }
    // The last step of a table finds nothing more.
    assert_eq!(steps, 2 * (20 + 1));
    assert_eq!(storage.steps() - before, 40_000, "each key is met once");
    for space in Space::ALL {
        assert_eq!(storage.keys(space), Vec::<Vec<u8>>::new());
    }
}

/// One damaged page of one dropped table ended the emptying of all of them, until the next start met it again.
#[test]
fn a_table_that_cannot_be_read_keeps_no_other_from_being_emptied() {
    let (storage, state) = dropped(3, 1_500);
    let damaged = TableNumber(2).prefix();
    storage.damage(Space::Items, &[damaged, 1_200_u64.to_be_bytes()].concat());
    let mut purge = Purge::default();
    // Enough for all that can be read: the one that cannot is not tried for ever.
    for _ in 0..20 {
        assert_eq!(purge.step(&state), Step::Done);
    }
    assert!(!purge.has_work(&state.catalog()) && !state.is_stopped());
    assert_eq!(state.catalog().dropped().collect::<Vec<_>>(), [TableNumber(2)]);
    for (space, left) in [(Space::Items, 500), (Space::Index, 1_500)] {
        let keys = storage.keys(space);
        assert!(keys.len() == left && keys.iter().all(|key| key.starts_with(&damaged)), "{}", keys.len());
    }
}

#[test]
fn what_an_earlier_process_left_is_removed() {
    let (storage, state) = dropped(1, 1_500);
    Purge::default().step(&state);
    let mut purge = Purge::default();
    while purge.has_work(&state.catalog()) {
        purge.step(&state);
    }
    for space in Space::ALL {
        assert_eq!(storage.keys(space), Vec::<Vec<u8>>::new());
    }
}
