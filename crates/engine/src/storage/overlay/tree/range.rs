//! Walking a range of a tree, in either direction.
//!
//! It holds one leaf, and finds the next one from the root by the last key it saw: no stack, so no allocation.

use super::leaf::Leaf;
use super::node::Node;
use crate::storage::overlay::entry::Entry;
use crate::storage::{Direction, KeyRange};
use std::fmt::{self, Debug, Formatter};
use std::ops::Bound;
use std::slice;

/// Iterates over the entries of a range.
pub(in crate::storage) struct TreeRange<'tree> {
    root: Option<&'tree Node>,
    /// The entries of the current leaf that are still to come.
    entries: slice::Iter<'tree, Entry>,
    last: Option<&'tree Entry>,
    range: KeyRange<'tree>,
    direction: Direction,
    /// Whether leaves behind the current one may hold more of the range.
    goes_on: bool,
}

impl<'tree> TreeRange<'tree> {
    pub(super) fn new(
        root: Option<&'tree Node>,
        range: KeyRange<'tree>,
        direction: Direction,
    ) -> TreeRange<'tree> {
        let mut walk = TreeRange { root, entries: [].iter(), last: None, range, direction, goes_on: true };
        let start = match direction {
            Direction::Forward => range.0,
            Direction::Backward => range.1,
        };
        walk.load(start);
        walk
    }

    /// Moves to the first leaf that has entries beyond `start` in the walk's direction.
    fn load(&mut self, start: Bound<&[u8]>) {
        let found = self.root.and_then(|root| match self.direction {
            Direction::Forward => leaf_from(root, start).map(|(leaf, place)| self.upwards(leaf, place)),
            Direction::Backward => leaf_until(root, start).map(|(leaf, end)| self.downwards(leaf, end)),
        });
        let (entries, goes_on) = found.unwrap_or((&[], false));
        (self.entries, self.goes_on) = (entries.iter(), goes_on);
    }

    /// The entries of a leaf from `place` on that are within the range, and whether more may follow.
    fn upwards(&self, leaf: &'tree Leaf, place: usize) -> (&'tree [Entry], bool) {
        let all = leaf.entries();
        let end = match (self.range.1, all.last()) {
            (Bound::Unbounded, _) | (_, None) => all.len(),
            (Bound::Included(high), Some(last)) if last.key() <= high => all.len(),
            (Bound::Excluded(high), Some(last)) if last.key() < high => all.len(),
            (end, _) => places_until(leaf, end),
        };
        (all.get(place..end).unwrap_or_default(), end == all.len())
    }

    /// The entries of a leaf before `end` that are within the range, and whether more may follow.
    fn downwards(&self, leaf: &'tree Leaf, end: usize) -> (&'tree [Entry], bool) {
        let all = leaf.entries();
        let place = match (self.range.0, all.first()) {
            (Bound::Unbounded, _) | (_, None) => 0,
            (Bound::Included(low), Some(first)) if first.key() >= low => 0,
            (Bound::Excluded(low), Some(first)) if first.key() > low => 0,
            (start, _) => places_before(leaf, start),
        };
        (all.get(place..end).unwrap_or_default(), place == 0)
    }
}

impl<'tree> Iterator for TreeRange<'tree> {
    type Item = &'tree Entry;

    fn next(&mut self) -> Option<&'tree Entry> {
        loop {
            let entry = match self.direction {
                Direction::Forward => self.entries.next(),
                Direction::Backward => self.entries.next_back(),
            };
            if entry.is_some() {
                self.last = entry;
                return entry;
            }
            let last = self.last.filter(|_| self.goes_on)?;
            self.load(Bound::Excluded(last.key()));
        }
    }
}

impl Debug for TreeRange<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TreeRange").field("direction", &self.direction).finish_non_exhaustive()
    }
}

/// The first leaf with an entry at or behind `start`, and that entry's place.
fn leaf_from<'tree>(root: &'tree Node, start: Bound<&[u8]>) -> Option<(&'tree Leaf, usize)> {
    let mut node = root;
    // Where to go on when the start is behind the last entry of its leaf.
    let mut next = None;
    loop {
        match node {
            Node::Inner(inner) => {
                let place = match start {
                    Bound::Unbounded => 0,
                    Bound::Included(key) | Bound::Excluded(key) => inner.place_of(key),
                };
                next = inner.children().get(place + 1).or(next);
                node = inner.child(place);
            }
            Node::Leaf(leaf) => {
                let place = places_before(leaf, start);
                if place < leaf.entries().len() {
                    return Some((leaf, place));
                }
                return next.map(|next| (outermost(next, Direction::Forward), 0));
            }
        }
    }
}

/// The last leaf with an entry at or before `end`, and the place behind that entry.
fn leaf_until<'tree>(root: &'tree Node, end: Bound<&[u8]>) -> Option<(&'tree Leaf, usize)> {
    let mut node = root;
    let mut before = None;
    loop {
        match node {
            Node::Inner(inner) => {
                let place = match end {
                    Bound::Unbounded => inner.children().len() - 1,
                    Bound::Included(key) | Bound::Excluded(key) => inner.place_of(key),
                };
                before = place.checked_sub(1).and_then(|before| inner.children().get(before)).or(before);
                node = inner.child(place);
            }
            Node::Leaf(leaf) => {
                let end = places_until(leaf, end);
                if end > 0 {
                    return Some((leaf, end));
                }
                let before = outermost(before?, Direction::Backward);
                return Some((before, before.entries().len()));
            }
        }
    }
}

/// The leaf at the end of a subtree from which a walk in `direction` begins.
fn outermost(mut node: &Node, direction: Direction) -> &Leaf {
    loop {
        match node {
            Node::Leaf(leaf) => return leaf,
            Node::Inner(inner) => {
                node = inner.child(match direction {
                    Direction::Forward => 0,
                    Direction::Backward => inner.children().len() - 1,
                });
            }
        }
    }
}

/// How many entries of a leaf are before a start.
fn places_before(leaf: &Leaf, start: Bound<&[u8]>) -> usize {
    match start {
        Bound::Unbounded => 0,
        Bound::Included(key) => leaf.search(key).unwrap_or_else(|place| place),
        Bound::Excluded(key) => leaf.search(key).map_or_else(|place| place, |place| place + 1),
    }
}

/// How many entries of a leaf are not behind an end.
fn places_until(leaf: &Leaf, end: Bound<&[u8]>) -> usize {
    match end {
        Bound::Unbounded => leaf.entries().len(),
        Bound::Included(key) => leaf.search(key).map_or_else(|place| place, |place| place + 1),
        Bound::Excluded(key) => leaf.search(key).unwrap_or_else(|place| place),
    }
}
