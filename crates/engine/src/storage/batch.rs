//! The changes of one commit, in the order in which they were decided, and readable by key before they are committed.

use super::{Direction, KeyRange, Space};
use crate::clock::Timestamp;
use std::collections::BTreeMap;
use std::collections::btree_map;
use std::ops::Bound;

/// The changes of one commit. Of several changes of a key the last one counts; the log keeps them all.
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
/// assert_eq!(batch.in_order().len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    decided_at: Timestamp,
    in_order: Vec<LoggedChange>,
    items: Latest,
    index: Latest,
    time_to_live: Latest,
    meta: Latest,
}

/// What a batch does to one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The key gets this value, whatever it had.
    Put(Vec<u8>),
    /// The key is gone; it is no error when it was not there.
    Delete,
}

/// A change as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    /// The space of the key.
    pub space: Space,
    /// The key.
    pub key: Vec<u8>,
    /// What becomes of the key.
    pub change: Change,
    /// The value before the change, when something asked for it: what a stream or a restore to a moment shows. It says
    /// nothing to whoever applies the change.
    pub before: Option<Vec<u8>>,
    /// Who made the change.
    pub author: Author,
}

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// A request.
    Request,
    /// The engine, because the item's time was over.
    TimeToLive,
}

impl Batch {
    /// An empty batch of decisions made at a moment. [`Batch::default`] is one of the epoch.
    pub fn decided_at(moment: Timestamp) -> Batch {
        Batch {
            decided_at: moment,
            in_order: Vec::new(),
            items: Latest::new(),
            index: Latest::new(),
            time_to_live: Latest::new(),
            meta: Latest::new(),
        }
    }

    /// The moment of its decisions, on the engine's clock.
    pub fn moment(&self) -> Timestamp {
        self.decided_at
    }

    /// Sets the value of a key.
    pub fn put(&mut self, space: Space, key: &[u8], value: Vec<u8>) {
        self.change(space, key, Change::Put(value));
    }

    /// Removes a key.
    pub fn delete(&mut self, space: Space, key: &[u8]) {
        self.change(space, key, Change::Delete);
    }

    /// Adds a change with all that the log keeps of it.
    pub fn push(&mut self, change: LoggedChange) {
        let place = self.in_order.len();
        self.latest_mut(change.space).insert(change.key.clone(), place);
        self.in_order.push(change);
    }

    /// What this batch does to `key`; `None` when it leaves it alone.
    pub fn get(&self, space: Space, key: &[u8]) -> Option<&Change> {
        self.latest(space).get(key).map(|place| self.at(*place))
    }

    /// The changes of one space within `range`. An inverted range is empty.
    pub fn range(&self, space: Space, range: KeyRange<'_>, direction: Direction) -> BatchRange<'_> {
        let within = if is_inverted(range) {
            btree_map::Range::default()
        } else {
            self.latest(space).range::<[u8], _>(range)
        };
        BatchRange { batch: self, within, direction }
    }

    /// The last change of every key of one space, in key order.
    pub fn iter(&self, space: Space) -> impl Iterator<Item = (&[u8], &Change)> {
        self.latest(space).iter().map(|(key, place)| (key.as_slice(), self.at(*place)))
    }

    /// Every change, in the order in which they were made.
    pub fn in_order(&self) -> &[LoggedChange] {
        &self.in_order
    }

    /// How many keys are changed.
    pub fn len(&self) -> usize {
        Space::ALL.into_iter().map(|space| self.latest(space).len()).sum()
    }

    /// The bytes of all its keys and values.
    pub fn size_bytes(&self) -> usize {
        let of_change = |logged: &LoggedChange| match &logged.change {
            Change::Put(value) => logged.key.len() + value.len(),
            Change::Delete => logged.key.len(),
        };
        self.in_order.iter().map(of_change).sum()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }

    /// Forgets every change.
    pub fn clear(&mut self) {
        *self = Batch::decided_at(self.decided_at);
    }

    fn change(&mut self, space: Space, key: &[u8], change: Change) {
        self.push(LoggedChange { space, key: key.to_vec(), change, before: None, author: Author::Request });
    }

    #[expect(clippy::indexing_slicing, reason = "places come from `push`, and changes are only ever added")]
    fn at(&self, place: usize) -> &Change {
        &self.in_order[place].change
    }

    fn latest(&self, space: Space) -> &Latest {
        match space {
            Space::Items => &self.items,
            Space::Index => &self.index,
            Space::TimeToLive => &self.time_to_live,
            Space::Meta => &self.meta,
        }
    }

    fn latest_mut(&mut self, space: Space) -> &mut Latest {
        match space {
            Space::Items => &mut self.items,
            Space::Index => &mut self.index,
            Space::TimeToLive => &mut self.time_to_live,
            Space::Meta => &mut self.meta,
        }
    }
}

impl Default for Batch {
    fn default() -> Batch {
        Batch::decided_at(Timestamp::EPOCH)
    }
}

/// Iterates over a range of a [`Batch`].
#[derive(Debug)]
pub struct BatchRange<'a> {
    batch: &'a Batch,
    within: btree_map::Range<'a, Vec<u8>, usize>,
    direction: Direction,
}

impl<'a> Iterator for BatchRange<'a> {
    type Item = (&'a [u8], &'a Change);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, place) = match self.direction {
            Direction::Forward => self.within.next()?,
            Direction::Backward => self.within.next_back()?,
        };
        Some((key.as_slice(), self.batch.at(*place)))
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

/// The place of each key's last change among all.
type Latest = BTreeMap<Vec<u8>, usize>;
