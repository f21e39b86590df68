//! A persistent ordered map: a B+tree whose nodes are shared by the maps that were cloned from one another.
//!
//! Invariants: a clone costs one reference count, and never changes because its original does: a change copies the nodes
//! on its path, unless no clone shares them; every leaf is at the same depth; no node is empty; a node that has become
//! small is joined with a neighbour when both together fill half a node, so depth follows the number of entries.

mod heads;
mod inner;
mod leaf;
mod node;
mod range;
#[cfg(test)]
mod tests;

use self::node::{Grown, Node};
pub(in crate::storage) use self::range::TreeRange;
use super::entry::Entry;
use crate::storage::{Direction, KeyRange};
use std::sync::Arc;

/// Entries ordered by their keys, at most one a key.
#[derive(Clone, Debug, Default)]
pub(in crate::storage) struct Tree {
    root: Option<Arc<Node>>,
    entries: usize,
    held_bytes: usize,
}

impl Tree {
    pub(in crate::storage) fn get(&self, key: &[u8]) -> Option<&Entry> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Inner(inner) => node = inner.child_of(key),
                Node::Leaf(leaf) => return leaf.get(key),
            }
        }
    }

    /// Sets the entry of its key; answers the one it replaces.
    pub(in crate::storage) fn insert(&mut self, entry: Entry) -> Option<Entry> {
        self.held_bytes += entry.held_bytes();
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Node::of(entry)));
            self.entries = 1;
            return None;
        };
        match Node::insert(root, entry) {
            Grown::Replaced(replaced) => {
                self.held_bytes -= replaced.held_bytes();
                return Some(replaced);
            }
            Grown::Added(None) => {}
            Grown::Added(Some(split)) => *root = Arc::new(Node::over(Arc::clone(root), split)),
        }
        self.entries += 1;
        None
    }

    /// Removes the entry of a key; answers it.
    pub(in crate::storage) fn remove(&mut self, key: &[u8]) -> Option<Entry> {
        // What is not there copies no path.
        self.get(key)?;
        let root = self.root.as_mut()?;
        let removed = Node::remove(root, key)?;
        self.entries -= 1;
        self.held_bytes -= removed.held_bytes();
        while let Some(only) = root.only_child() {
            *root = only;
        }
        if root.is_empty() {
            self.root = None;
        }
        Some(removed)
    }

    /// The entries within `range`, which may be inverted and is empty then.
    pub(in crate::storage) fn range<'tree>(
        &'tree self,
        range: KeyRange<'tree>,
        direction: Direction,
    ) -> TreeRange<'tree> {
        TreeRange::new(self.root.as_deref(), range, direction)
    }

    pub(in crate::storage) fn len(&self) -> usize {
        self.entries
    }

    pub(in crate::storage) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// How much memory the entries take, nearly: what clones share is counted in each.
    pub(in crate::storage) fn held_bytes(&self) -> usize {
        self.held_bytes
    }
}
