//! The overlays of a view as one ordered sequence, and how it is interleaved with the tree below.
//!
//! Invariant: of a key that several layers hold only the newest is shown, and nothing when that is a tombstone.

use crate::storage::overlay::{Entry, Held, TreeRange};
use crate::storage::{Direction, ScanVisitor};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Two overlays over one range, and the entry of each that comes next.
pub(super) struct Layers<'view> {
    active: TreeRange<'view>,
    next_active: Option<&'view Entry>,
    frozen: Option<TreeRange<'view>>,
    next_frozen: Option<&'view Entry>,
    direction: Direction,
}

impl<'view> Layers<'view> {
    pub(super) fn new(
        mut active: TreeRange<'view>,
        mut frozen: Option<TreeRange<'view>>,
        direction: Direction,
    ) -> Layers<'view> {
        let next_active = active.next();
        let next_frozen = frozen.as_mut().and_then(Iterator::next);
        Layers { active, next_active, frozen, next_frozen, direction }
    }

    /// Shows what comes before a key of the layer below, then that key: with its value, unless a layer here holds it.
    pub(super) fn show_with(
        &mut self,
        key: &[u8],
        value: &[u8],
        visit: &mut ScanVisitor<'_>,
    ) -> ControlFlow<()> {
        while let Some(entry) = self.peek() {
            let order = self.direction.order(entry.key(), key);
            if order == Ordering::Greater {
                break;
            }
            self.advance(entry.key());
            show(entry, visit)?;
            if order == Ordering::Equal {
                return ControlFlow::Continue(());
            }
        }
        visit(key, value)
    }

    /// Shows what is left.
    pub(super) fn show_rest(&mut self, visit: &mut ScanVisitor<'_>) -> ControlFlow<()> {
        while let Some(entry) = self.peek() {
            self.advance(entry.key());
            show(entry, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// The newest entry of the key that comes next.
    fn peek(&self) -> Option<&'view Entry> {
        match (self.next_active, self.next_frozen) {
            (Some(active), Some(frozen)) => {
                let is_frozen_first = self.direction.order(frozen.key(), active.key()) == Ordering::Less;
                Some(if is_frozen_first { frozen } else { active })
            }
            (active, frozen) => active.or(frozen),
        }
    }

    /// Leaves a key that was peeked behind, in both layers.
    fn advance(&mut self, key: &[u8]) {
        if self.next_active.is_some_and(|next| next.key() == key) {
            self.next_active = self.active.next();
        }
        if self.next_frozen.is_some_and(|next| next.key() == key) {
            self.next_frozen = self.frozen.as_mut().and_then(Iterator::next);
        }
    }
}

fn show(entry: &Entry, visit: &mut ScanVisitor<'_>) -> ControlFlow<()> {
    match entry.held() {
        Held::Value(value) => visit(entry.key(), value),
        Held::Tombstone => ControlFlow::Continue(()),
    }
}

impl Direction {
    /// Which of two keys a scan meets first.
    fn order(self, one: &[u8], other: &[u8]) -> Ordering {
        match self {
            Direction::Forward => one.cmp(other),
            Direction::Backward => other.cmp(one),
        }
    }
}
