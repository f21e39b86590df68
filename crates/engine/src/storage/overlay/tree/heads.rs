//! Where a key is among the sorted keys of a node, found in one array beside them.
//!
//! The keys themselves lie elsewhere in memory. A node keeps eight bytes of each, from the place where its keys begin to
//! differ: those decide nearly every comparison. Invariant: all keys of the node share their first `shared` bytes; a
//! head is the eight bytes behind those, with zeros where the key has ended, so heads are in the order of their keys,
//! and equal ones say nothing.

use arrayvec::ArrayVec;
use std::cmp::Ordering;

/// The keys of a node, in order.
pub(super) trait SortedKeys {
    fn len(&self) -> usize;

    /// The key at a place below `len`.
    fn key(&self, place: usize) -> &[u8];
}

/// The heads of a node's keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads<const CAPACITY: usize> {
    shared: usize,
    heads: ArrayVec<u64, CAPACITY>,
}

impl<const CAPACITY: usize> Heads<CAPACITY> {
    pub(super) fn of(keys: &impl SortedKeys) -> Heads<CAPACITY> {
        let Some(last) = keys.len().checked_sub(1) else { return Heads::default() };
        let shared = common_prefix(keys.key(0), keys.key(last));
        Heads { shared, heads: (0..=last).map(|place| head(keys.key(place), shared)).collect() }
    }

    /// The place of a key if it is there, without looking at a key that cannot be it.
    pub(super) fn find(&self, keys: &impl SortedKeys, key: &[u8]) -> Option<usize> {
        // Of a key that does not share the prefix the head means nothing, but no key equals it.
        let head = head(key, self.shared);
        self.search_behind(head, keys, key).ok()
    }

    /// The place of a key, or the place where it would be.
    pub(super) fn search(&self, keys: &impl SortedKeys, key: &[u8]) -> Result<usize, usize> {
        if self.shared > 0 {
            let prefix = keys.key(0).split_at(self.shared).0;
            let start = key.get(..self.shared).unwrap_or(key);
            match start.cmp(prefix) {
                Ordering::Less => return Err(0),
                Ordering::Greater => return Err(self.heads.len()),
                Ordering::Equal => {}
            }
        }
        self.search_behind(head(key, self.shared), keys, key)
    }

    /// Looks by heads, then at the keys that have the same head.
    fn search_behind(&self, head: u64, keys: &impl SortedKeys, key: &[u8]) -> Result<usize, usize> {
        let mut low = self.heads.partition_point(|other| *other < head);
        let alike = self.heads.iter().skip(low).take_while(|other| **other == head).count();
        let mut high = low + alike;
        while low < high {
            let middle = low + (high - low) / 2;
            match keys.key(middle).cmp(key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Follows `keys`, which got one more at `place`.
    pub(super) fn added(&mut self, keys: &impl SortedKeys, place: usize) {
        let last = self.heads.len();
        // A key between two others shares what they share.
        let is_outside = place == 0 || place == last;
        let neighbour = if place == 0 { last } else { 0 };
        let key = keys.key(place);
        if is_outside && (last == 0 || common_prefix(key, keys.key(neighbour)) < self.shared) {
            *self = Heads::of(keys);
        } else {
            self.heads.insert(place, head(key, self.shared));
        }
    }

    /// Follows keys that lost the one at `place`.
    pub(super) fn removed(&mut self, place: usize) {
        self.heads.remove(place);
        if self.heads.is_empty() {
            self.shared = 0;
        }
    }
}

/// How many first bytes both have in common.
pub(super) fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

fn head(key: &[u8], from: usize) -> u64 {
    let rest = key.get(from..).unwrap_or_default();
    if let Some(head) = rest.first_chunk::<8>() {
        return u64::from_be_bytes(*head);
    }
    let mut head = [0; 8];
    for (to, from) in head.iter_mut().zip(rest) {
        *to = *from;
    }
    u64::from_be_bytes(head)
}
