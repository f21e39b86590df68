//! What was committed lately, in memory: a layer over older ones, or, where there is no older one, all there is.
//!
//! Invariants: a clone costs four reference counts and never changes because its original does; a key that was removed
//! is held as a tombstone, so that older layers' values stay hidden, until the whole overlay is dropped.

mod entry;
mod tree;

pub(super) use self::entry::{Entry, Held};
use self::tree::Tree;
pub(super) use self::tree::TreeRange;
use super::{Batch, Change, Direction, KeyRange, Space};
use std::ops::Bound;

/// The latest change of each key, ordered by key, one tree a space.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    items: Tree,
    index: Tree,
    time_to_live: Tree,
    meta: Tree,
}

/// What a removed key leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// A mark that hides what older layers hold.
    Tombstone,
    /// Nothing, since there is no older layer.
    Nothing,
}

impl Overlay {
    /// Makes all changes of a batch.
    pub(super) fn apply(&mut self, batch: &Batch, removal: Removal) {
        let mut scratch = Vec::new();
        for space in Space::ALL {
            let tree = self.tree_mut(space);
            for (key, change) in batch.iter(space) {
                match (change, removal) {
                    (Change::Put(value), _) => tree.insert(Entry::put(key, value, &mut scratch)),
                    (Change::Delete, Removal::Tombstone) => tree.insert(Entry::tombstone(key)),
                    (Change::Delete, Removal::Nothing) => tree.remove(key),
                };
            }
        }
    }

    /// What is known of a key; `None` where an older layer is to be asked.
    pub(super) fn get(&self, space: Space, key: &[u8]) -> Option<Held<'_>> {
        self.tree(space).get(key).map(Entry::held)
    }

    /// The entries of one space within `range`, tombstones among them. An inverted range is empty.
    pub(super) fn range<'overlay>(
        &'overlay self,
        space: Space,
        range: KeyRange<'overlay>,
        direction: Direction,
    ) -> TreeRange<'overlay> {
        self.tree(space).range(range, direction)
    }

    /// Every entry of one space, in key order.
    pub(super) fn iter(&self, space: Space) -> TreeRange<'_> {
        self.range(space, (Bound::Unbounded, Bound::Unbounded), Direction::Forward)
    }

    /// How many keys it holds, tombstones among them.
    pub(super) fn len(&self) -> usize {
        Space::ALL.into_iter().map(|space| self.tree(space).len()).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        Space::ALL.into_iter().all(|space| self.tree(space).is_empty())
    }

    /// How much memory it takes, nearly: what clones share is counted in each.
    pub(super) fn held_bytes(&self) -> usize {
        Space::ALL.into_iter().map(|space| self.tree(space).held_bytes()).sum()
    }

    fn tree(&self, space: Space) -> &Tree {
        match space {
            Space::Items => &self.items,
            Space::Index => &self.index,
            Space::TimeToLive => &self.time_to_live,
            Space::Meta => &self.meta,
        }
    }

    fn tree_mut(&mut self, space: Space) -> &mut Tree {
        match space {
            Space::Items => &mut self.items,
            Space::Index => &mut self.index,
            Space::TimeToLive => &mut self.time_to_live,
            Space::Meta => &mut self.meta,
        }
    }
}
