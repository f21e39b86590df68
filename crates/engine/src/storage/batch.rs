//! The changes of one commit, ordered by key, readable before they are committed.

use super::{Direction, KeyRange, Space};
use std::collections::BTreeMap;
use std::collections::btree_map;
use std::ops::Bound;

/// An ordered set of changes: at most one a key, the last one wins.
///
/// ```
/// use keywright_engine::storage::{Batch, Change, Space};
///
/// let mut batch = Batch::default();
/// batch.put(Space::Items, b"b", b"2".to_vec());
/// batch.put(Space::Items, b"a", b"1".to_vec());
/// batch.delete(Space::Items, b"b");
/// assert_eq!(batch.get(Space::Items, b"a"), Some(&Change::Put(b"1".to_vec())));
/// assert_eq!(batch.get(Space::Items, b"b"), Some(&Change::Delete));
/// assert_eq!(batch.get(Space::Items, b"c"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    items: Changes,
    index: Changes,
    time_to_live: Changes,
    meta: Changes,
}

/// What a batch does to one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The key gets this value, whatever it had.
    Put(Vec<u8>),
    /// The key is gone; it is no error when it was not there.
    Delete,
}

impl Batch {
    /// Sets the value of a key.
    pub fn put(&mut self, space: Space, key: &[u8], value: Vec<u8>) {
        self.changes_mut(space).insert(key.to_vec(), Change::Put(value));
    }

    /// Removes a key.
    pub fn delete(&mut self, space: Space, key: &[u8]) {
        self.changes_mut(space).insert(key.to_vec(), Change::Delete);
    }

    /// What this batch does to `key`; `None` when it leaves it alone.
    pub fn get(&self, space: Space, key: &[u8]) -> Option<&Change> {
        self.changes(space).get(key)
    }

    /// The changes of one space within `range`. An inverted range is empty.
    pub fn range(&self, space: Space, range: KeyRange<'_>, direction: Direction) -> BatchRange<'_> {
        let within = if is_inverted(range) {
            btree_map::Range::default()
        } else {
            self.changes(space).range::<[u8], _>(range)
        };
        BatchRange { within, direction }
    }

    /// Every change of one space, in key order.
    pub fn iter(&self, space: Space) -> impl Iterator<Item = (&[u8], &Change)> {
        self.changes(space).iter().map(|(key, change)| (key.as_slice(), change))
    }

    /// How many keys are changed.
    pub fn len(&self) -> usize {
        Space::ALL.into_iter().map(|space| self.changes(space).len()).sum()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets every change.
    pub fn clear(&mut self) {
        for space in Space::ALL {
            self.changes_mut(space).clear();
        }
    }

    fn changes(&self, space: Space) -> &Changes {
        match space {
            Space::Items => &self.items,
            Space::Index => &self.index,
            Space::TimeToLive => &self.time_to_live,
            Space::Meta => &self.meta,
        }
    }

    fn changes_mut(&mut self, space: Space) -> &mut Changes {
        match space {
            Space::Items => &mut self.items,
            Space::Index => &mut self.index,
            Space::TimeToLive => &mut self.time_to_live,
            Space::Meta => &mut self.meta,
        }
    }
}

/// Iterates over a range of a [`Batch`].
#[derive(Debug)]
pub struct BatchRange<'a> {
    within: btree_map::Range<'a, Vec<u8>, Change>,
    direction: Direction,
}

impl<'a> Iterator for BatchRange<'a> {
    type Item = (&'a [u8], &'a Change);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, change) = match self.direction {
            Direction::Forward => self.within.next()?,
            Direction::Backward => self.within.next_back()?,
        };
        Some((key.as_slice(), change))
    }
}

/// Whether no key can be in the range and an ordered map would panic on it.
pub(super) fn is_inverted(range: KeyRange<'_>) -> bool {
    match range {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
    }
}

type Changes = BTreeMap<Vec<u8>, Change>;
