//! What the entries of indexes were before the latest commits, so that a read can see an index as it was.
//!
//! Kept only while faults ask for it, in memory: after a restart every index is current. A commit is recorded before it is
//! visible, so that no read sees an entry younger than it may.

use std::collections::{BTreeMap, VecDeque};
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::key::KeyRange;
use crate::storage::{Batch, Direction, ScanVisitor, Snapshot, Space, StorageError};

/// The entries that recent commits replaced.
#[derive(Debug)]
pub(crate) struct IndexHistory {
    /// How long one is kept.
    kept: Duration,
    /// In the order of the commits, whose times never decrease.
    replaced: Mutex<VecDeque<Replaced>>,
}

#[derive(Debug)]
struct Replaced {
    at: Timestamp,
    key: Vec<u8>,
    /// The entry before the commit, if there was one.
    entry: Option<Vec<u8>>,
}

/// A range of an index as it was.
#[derive(Debug)]
pub(crate) struct PastEntries(BTreeMap<Vec<u8>, Option<Vec<u8>>>);

impl IndexHistory {
    pub(crate) fn new(kept: Duration) -> IndexHistory {
        IndexHistory { kept, replaced: Mutex::default() }
    }

    /// Records what a commit at `now` is about to replace. A clock that was set back does not make it older than others.
    pub(crate) fn record(
        &self,
        now: Timestamp,
        before: &dyn Snapshot,
        batch: &Batch,
    ) -> Result<(), StorageError> {
        let mut replaced = self.replaced.lock().unwrap_or_else(PoisonError::into_inner);
        let at = replaced.back().map_or(now, |last| last.at.max(now));
        while replaced.front().is_some_and(|first| first.at.plus(self.kept) <= now) {
            replaced.pop_front();
        }
        for (key, _) in batch.iter(Space::Index) {
            let mut entry = None;
            before.get(Space::Index, key, &mut |bytes| entry = Some(bytes.to_vec()))?;
            replaced.push_back(Replaced { at, key: key.to_vec(), entry });
        }
        Ok(())
    }

    /// What is to be seen instead of what is stored in a range, for who reads at `now` and is so far behind. A snapshot that is
    /// read with it must be older.
    pub(crate) fn behind(&self, now: Timestamp, lag: Duration, range: &KeyRange) -> PastEntries {
        let replaced = self.replaced.lock().unwrap_or_else(PoisonError::into_inner);
        let first = replaced.partition_point(|change| change.at.plus(lag) <= now);
        let mut past = BTreeMap::new();
        for Replaced { key, entry, .. } in
            replaced.range(first..).filter(|change| range.contains(&change.key))
        {
            // The first commit that is not seen yet replaced what is seen.
            past.entry(key.clone()).or_insert_with(|| entry.clone());
        }
        PastEntries(past)
    }
}

impl PastEntries {
    /// Shows the entries as [`Snapshot::scan`] does.
    pub(crate) fn scan(
        &self,
        snapshot: &dyn Snapshot,
        range: &KeyRange,
        direction: Direction,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError> {
        match direction {
            Direction::Forward => merge(self.0.iter().peekable(), snapshot, range, direction, visit),
            Direction::Backward => merge(self.0.iter().rev().peekable(), snapshot, range, direction, visit),
        }
    }
}

/// Shows past and stored entries in one order; of a key that is among both, only the past.
fn merge<'past>(
    mut past: Peekable<impl Iterator<Item = (&'past Vec<u8>, &'past Option<Vec<u8>>)>>,
    snapshot: &dyn Snapshot,
    range: &KeyRange,
    direction: Direction,
    visit: &mut ScanVisitor<'_>,
) -> Result<(), StorageError> {
    let mut flow = ControlFlow::Continue(());
    let precedes = |one: &[u8], other: &[u8]| match direction {
        Direction::Forward => one < other,
        Direction::Backward => one > other,
    };
    snapshot.scan(Space::Index, range.bounds(), direction, &mut |key, value| {
        while let Some((past_key, entry)) = past.next_if(|(past_key, _)| precedes(past_key, key)) {
            if let Some(entry) = entry {
                flow = visit(past_key, entry);
            }
            if flow.is_break() {
                return flow;
            }
        }
        flow = match past.next_if(|(past_key, _)| past_key.as_slice() == key) {
            Some((_, Some(entry))) => visit(key, entry),
            Some((_, None)) => ControlFlow::Continue(()),
            None => visit(key, value),
        };
        flow
    })?;
    for (key, entry) in past {
        if flow.is_break() {
            break;
        }
        if let Some(entry) = entry {
            flow = visit(key, entry);
        }
    }
    Ok(())
}
