use super::*;
use crate::storage::{CountedStorage, Storage};

const START: Timestamp = Timestamp::from_milliseconds(1_700_000_000_000);

/// Records a token at a moment, and lets those go that are over by then.
fn record(storage: &CountedStorage, expired: &ExpiredTokens, token: &str, now: Timestamp) -> ExpiredTokens {
    let mut batch = Batch::default();
    let record = TokenRecord::new(now, RequestFingerprint::from_bytes([0; 16]), Vec::new());
    TokenChange { token: token.to_owned(), record, replaced: None }.write(&mut batch);
    let snapshot = storage.snapshot().unwrap();
    let after = expired.remove(snapshot.as_ref(), now, 2, &mut batch).unwrap();
    drop(snapshot);
    storage.commit(&batch).unwrap();
    after
}

fn tokens(storage: &CountedStorage) -> usize {
    storage.keys(Space::TimeToLive).len() / 2
}

/// Under steady transactions each group walked over all records that were removed since the tree last knew: ten thousand of them
/// on the thread that all writes wait for.
#[test]
fn a_removal_does_not_walk_over_what_earlier_ones_removed() {
    let storage = CountedStorage::default();
    let mut expired = ExpiredTokens::default();
    for number in 0..1_000 {
        expired = record(&storage, &expired, &format!("first {number}"), START);
    }
    assert_eq!((tokens(&storage), storage.steps()), (1_000, 0));
    let later = START.plus(TOKEN_LIFE);
    for number in 0..1_000 {
        expired = record(&storage, &expired, &format!("second {number}"), later);
    }
    assert_eq!(tokens(&storage), 1_000, "two go for each that comes");
    assert_eq!(storage.steps(), 1_000, "each is met once");
}

/// After a restart nothing is known: what was removed before is met once more, and not by every group.
#[test]
fn what_was_removed_before_a_restart_is_walked_over_once() {
    let storage = CountedStorage::default();
    let mut expired = ExpiredTokens::default();
    for number in 0..100 {
        expired = record(&storage, &expired, &format!("first {number}"), START);
    }
    let later = START.plus(TOKEN_LIFE);
    for number in 0..60 {
        expired = record(&storage, &expired, &format!("second {number}"), later);
    }
    let before = storage.steps();
    let mut expired = ExpiredTokens::default();
    for number in 0..60 {
        expired = record(&storage, &expired, &format!("third {number}"), later);
    }
    assert_eq!(storage.steps() - before, 100);
}

/// A clock that is set back writes records that expire before what was removed already.
#[test]
fn records_of_a_clock_that_was_set_back_are_removed_too() {
    let storage = CountedStorage::default();
    let mut expired = ExpiredTokens::default();
    let hour = Duration::from_secs(60 * 60);
    expired = record(&storage, &expired, "ahead", START.plus(hour));
    expired = record(&storage, &expired, "far ahead", START.plus(2 * hour));
    assert_eq!(tokens(&storage), 1);
    for number in 0..10 {
        expired = record(&storage, &expired, &format!("back {number}"), START);
    }
    for number in 0..10 {
        expired = record(&storage, &expired, &format!("on {number}"), START.plus(TOKEN_LIFE));
    }
    assert_eq!(tokens(&storage), 11, "those of the clock that was set back are gone, and not the one ahead");
    assert_eq!(storage.keys(Space::TimeToLive).iter().filter(|key| key.starts_with(b"tback")).count(), 0);
}

/// What a full disk did not take is not removed.
#[test]
fn a_removal_that_was_not_committed_is_made_again() {
    let storage = CountedStorage::default();
    let expired = record(&storage, &ExpiredTokens::default(), "first", START);
    let later = START.plus(TOKEN_LIFE);
    let snapshot = storage.snapshot().unwrap();
    let after = expired.remove(snapshot.as_ref(), later, 2, &mut Batch::default()).unwrap();
    assert_ne!(after, expired);
    drop(snapshot);
    record(&storage, &expired, "second", later);
    assert_eq!(tokens(&storage), 1);
}
