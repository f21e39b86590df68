//! An inner node: children, and between each two of them a key that separates theirs.
//!
//! Invariants: the keys of a child are its left separator or greater, and below its right one; the separators' bytes lie
//! in one piece, so that a copy of the node copies bytes and counts only its children.

use super::heads::{Heads, SortedKeys};
use super::node::{Grown, Node, Split};
use crate::storage::overlay::entry::Entry;
use arrayvec::ArrayVec;
use std::sync::Arc;

pub(super) const INNER_CHILDREN: usize = 32;
const SEPARATORS: usize = INNER_CHILDREN - 1;

#[derive(Clone, Debug)]
pub(super) struct Inner {
    heads: Heads<SEPARATORS>,
    children: ArrayVec<Arc<Node>, INNER_CHILDREN>,
    separators: Separators,
}

impl Inner {
    pub(super) fn over(left: Arc<Node>, Split { separator, right }: Split) -> Inner {
        let mut separators = Separators::default();
        separators.insert(0, &separator);
        Inner::new(separators, [left, right].into_iter().collect())
    }

    fn new(separators: Separators, children: ArrayVec<Arc<Node>, INNER_CHILDREN>) -> Inner {
        Inner { heads: Heads::of(&separators), children, separators }
    }

    pub(super) fn children(&self) -> &[Arc<Node>] {
        &self.children
    }

    #[cfg(test)]
    pub(super) fn separators(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.separators.len()).map(|place| self.separators.key(place))
    }

    /// The place of the child in which a key is, if it is anywhere.
    pub(super) fn place_of(&self, key: &[u8]) -> usize {
        match self.heads.search(&self.separators, key) {
            Ok(separator) => separator + 1,
            Err(place) => place,
        }
    }

    pub(super) fn child_of(&self, key: &[u8]) -> &Node {
        self.child(self.place_of(key))
    }

    pub(super) fn child(&self, place: usize) -> &Node {
        match self.children.get(place) {
            Some(child) => child,
            None => unreachable!("there is one child more than separators"),
        }
    }

    fn child_mut(&mut self, place: usize) -> &mut Arc<Node> {
        match self.children.get_mut(place) {
            Some(child) => child,
            None => unreachable!("there is one child more than separators"),
        }
    }

    pub(super) fn insert(&mut self, entry: Entry) -> Grown {
        let place = self.place_of(entry.key());
        match Node::insert(self.child_mut(place), entry) {
            Grown::Added(Some(split)) => Grown::Added(self.add(place, split)),
            grown => grown,
        }
    }

    /// Adds what the child at `place` was split into; answers the upper part when there is no room.
    fn add(&mut self, place: usize, split: Split) -> Option<Split> {
        if !self.children.is_full() {
            self.add_with_room(place, split);
            return None;
        }
        let last = self.children.len() - 1;
        // Keys that come in order leave full nodes behind.
        let middle = if place == last { last } else { self.children.len() / 2 };
        let upper_children = self.children.drain(middle..).collect();
        let upper_separators = self.separators.split_off(middle);
        let separator = self.separators.key(middle - 1).to_vec();
        self.separators.remove(middle - 1);
        self.heads = Heads::of(&self.separators);
        let mut upper = Inner::new(upper_separators, upper_children);
        match place.checked_sub(middle) {
            Some(place) => upper.add_with_room(place, split),
            None => self.add_with_room(place, split),
        }
        Some(Split { separator, right: Arc::new(Node::Inner(upper)) })
    }

    fn add_with_room(&mut self, place: usize, Split { separator, right }: Split) {
        self.separators.insert(place, &separator);
        self.heads.added(&self.separators, place);
        self.children.insert(place + 1, right);
    }

    pub(super) fn remove(&mut self, key: &[u8]) -> Option<Entry> {
        let place = self.place_of(key);
        let removed = Node::remove(self.child_mut(place), key)?;
        let child = self.child(place);
        if child.is_empty() {
            self.children.remove(place);
            if !self.children.is_empty() {
                self.remove_separator(place.saturating_sub(1));
            }
        } else if child.is_small() {
            self.join(place);
        }
        Some(removed)
    }

    /// Joins the child at `place` with a neighbour, if both together are small enough not to be split soon.
    fn join(&mut self, place: usize) {
        let pairs = [place.checked_sub(1), Some(place).filter(|place| place + 1 < self.children.len())];
        let fits = |left: &usize| self.child(*left).may_absorb(self.child(*left + 1));
        let Some(left) = pairs.into_iter().flatten().find(fits) else { return };
        let right = self.children.remove(left + 1);
        let separator = self.separators.key(left).to_vec();
        self.remove_separator(left);
        Arc::make_mut(self.child_mut(left)).absorb(&separator, Arc::unwrap_or_clone(right));
    }

    fn remove_separator(&mut self, place: usize) {
        self.separators.remove(place);
        self.heads.removed(place);
    }

    /// Takes the children of the next node; both fit.
    pub(super) fn absorb(&mut self, separator: &[u8], next: Inner) {
        self.separators.append(separator);
        for place in 0..next.separators.len() {
            self.separators.append(next.separators.key(place));
        }
        self.children.extend(next.children);
        self.heads = Heads::of(&self.separators);
    }
}

/// Short keys in one piece of memory.
#[derive(Clone, Debug, Default)]
struct Separators {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: ArrayVec<u32, SEPARATORS>,
}

impl Separators {
    fn start(&self, place: usize) -> usize {
        let before = place.checked_sub(1).and_then(|before| self.ends.get(before));
        before.map_or(0, |end| *end as usize)
    }

    fn insert(&mut self, place: usize, separator: &[u8]) {
        let start = self.start(place);
        self.bytes.splice(start..start, separator.iter().copied());
        let length = bytes_of(separator.len());
        for end in self.ends.iter_mut().skip(place) {
            *end += length;
        }
        self.ends.insert(place, bytes_of(start) + length);
    }

    fn append(&mut self, separator: &[u8]) {
        self.insert(self.ends.len(), separator);
    }

    fn remove(&mut self, place: usize) {
        let length = bytes_of(self.key(place).len());
        let start = self.start(place);
        self.bytes.drain(start..start + length as usize);
        self.ends.remove(place);
        for end in self.ends.iter_mut().skip(place) {
            *end -= length;
        }
    }

    /// Takes the separators from `place` on.
    fn split_off(&mut self, place: usize) -> Separators {
        let start = self.start(place);
        let bytes = self.bytes.split_off(start);
        let ends = self.ends.drain(place..).map(|end| end - bytes_of(start)).collect();
        Separators { bytes, ends }
    }
}

impl SortedKeys for Separators {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn key(&self, place: usize) -> &[u8] {
        let end = self.ends.get(place).map_or(0, |end| *end as usize);
        match self.bytes.get(self.start(place)..end) {
            Some(separator) => separator,
            None => unreachable!("a separator's place is below their number, and its end behind its start"),
        }
    }
}

fn bytes_of(length: usize) -> u32 {
    match u32::try_from(length) {
        Ok(length) => length,
        Err(_) => unreachable!("a node's separators have at most a few kilobytes each"),
    }
}
