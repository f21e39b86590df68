//! A leaf: entries in order.
//!
//! It is small, since whoever copies a leaf touches the reference count of each of its entries.

use super::heads::{Heads, SortedKeys, common_prefix};
use crate::storage::overlay::entry::Entry;
use arrayvec::ArrayVec;

pub(super) const LEAF_ENTRIES: usize = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    heads: Heads<LEAF_ENTRIES>,
    entries: ArrayVec<Entry, LEAF_ENTRIES>,
}

/// What became of an entry that was inserted.
#[expect(
    clippy::large_enum_variant,
    reason = "it is looked at once, where a box would be one allocation more"
)]
pub(super) enum LeafGrown {
    Replaced(Entry),
    Added,
    /// The leaf was full: its upper part is another leaf now, whose keys are the separator or greater.
    Split(Vec<u8>, Leaf),
}

impl Leaf {
    pub(super) fn of(entry: Entry) -> Leaf {
        Leaf::from_entries(std::iter::once(entry))
    }

    fn from_entries(entries: impl Iterator<Item = Entry>) -> Leaf {
        let entries: ArrayVec<Entry, LEAF_ENTRIES> = entries.collect();
        Leaf { heads: Heads::of(&entries), entries }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<&Entry> {
        self.heads.find(&self.entries, key).and_then(|place| self.entries.get(place))
    }

    pub(super) fn search(&self, key: &[u8]) -> Result<usize, usize> {
        self.heads.search(&self.entries, key)
    }

    pub(super) fn insert(&mut self, entry: Entry) -> LeafGrown {
        let place = match self.search(entry.key()) {
            Ok(place) => match self.entries.get_mut(place) {
                Some(held) => return LeafGrown::Replaced(std::mem::replace(held, entry)),
                None => unreachable!("a found key has its place"),
            },
            Err(place) => place,
        };
        if !self.entries.is_full() {
            self.add(place, entry);
            return LeafGrown::Added;
        }
        // Keys that come in order leave full leaves behind.
        let middle = if place == self.entries.len() { place } else { self.entries.len() / 2 };
        let mut upper: ArrayVec<Entry, LEAF_ENTRIES> = self.entries.drain(middle..).collect();
        match place.checked_sub(middle) {
            Some(place) => upper.insert(place, entry),
            None => self.entries.insert(place, entry),
        }
        self.heads = Heads::of(&self.entries);
        let upper = Leaf { heads: Heads::of(&upper), entries: upper };
        LeafGrown::Split(self.separator(&upper), upper)
    }

    pub(super) fn remove(&mut self, key: &[u8]) -> Option<Entry> {
        let place = self.heads.find(&self.entries, key)?;
        self.heads.removed(place);
        Some(self.entries.remove(place))
    }

    /// Takes the entries of the next leaf; both fit.
    pub(super) fn absorb(&mut self, next: Leaf) {
        self.entries.extend(next.entries);
        self.heads = Heads::of(&self.entries);
    }

    fn add(&mut self, place: usize, entry: Entry) {
        self.entries.insert(place, entry);
        self.heads.added(&self.entries, place);
    }

    /// The shortest key that is above every key here and not above any of the next leaf.
    fn separator(&self, next: &Leaf) -> Vec<u8> {
        let (Some(last), Some(first)) = (self.entries.last(), next.entries.first()) else {
            unreachable!("both parts of a split leaf have entries")
        };
        let length = common_prefix(last.key(), first.key()) + 1;
        first.key().get(..length).unwrap_or(first.key()).to_vec()
    }
}

impl<const CAPACITY: usize> SortedKeys for ArrayVec<Entry, CAPACITY> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn key(&self, place: usize) -> &[u8] {
        match self.get(place) {
            Some(entry) => entry.key(),
            None => unreachable!("the heads of a leaf are as many as its entries"),
        }
    }
}
