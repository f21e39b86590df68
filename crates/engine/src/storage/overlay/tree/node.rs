//! A node of either kind, and how a change goes down to its leaf and comes back.

use super::inner::{INNER_CHILDREN, Inner};
use super::leaf::{LEAF_ENTRIES, Leaf, LeafGrown};
use crate::storage::overlay::entry::Entry;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Node {
    Inner(Inner),
    Leaf(Leaf),
}

/// What became of an entry that was inserted.
pub(super) enum Grown {
    Replaced(Entry),
    /// It is one more; the node may have been split to hold it.
    Added(Option<Split>),
}

/// The upper part of a node that was split.
pub(super) struct Split {
    /// Above every key that stayed, and not above any that went.
    pub(super) separator: Vec<u8>,
    pub(super) right: Arc<Node>,
}

impl Node {
    pub(super) fn of(entry: Entry) -> Node {
        Node::Leaf(Leaf::of(entry))
    }

    /// A node over both parts of one that was split.
    pub(super) fn over(left: Arc<Node>, split: Split) -> Node {
        Node::Inner(Inner::over(left, split))
    }

    /// Inserts below `node`, which is copied first if others share it.
    pub(super) fn insert(node: &mut Arc<Node>, entry: Entry) -> Grown {
        match Arc::make_mut(node) {
            Node::Inner(inner) => inner.insert(entry),
            Node::Leaf(leaf) => match leaf.insert(entry) {
                LeafGrown::Replaced(replaced) => Grown::Replaced(replaced),
                LeafGrown::Added => Grown::Added(None),
                LeafGrown::Split(separator, right) => {
                    Grown::Added(Some(Split { separator, right: Arc::new(Node::Leaf(right)) }))
                }
            },
        }
    }

    /// Removes below `node`, which is copied first if others share it, and may be empty afterwards.
    pub(super) fn remove(node: &mut Arc<Node>, key: &[u8]) -> Option<Entry> {
        match Arc::make_mut(node) {
            Node::Inner(inner) => inner.remove(key),
            Node::Leaf(leaf) => leaf.remove(key),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// Whether so little is left that it should join a neighbour.
    pub(super) fn is_small(&self) -> bool {
        self.size() <= self.capacity() / 4
    }

    /// Whether both together leave room for as much again.
    pub(super) fn may_absorb(&self, next: &Node) -> bool {
        self.size() + next.size() <= self.capacity() / 2
    }

    /// Takes what the next node holds, whose first key is not below the separator.
    pub(super) fn absorb(&mut self, separator: &[u8], next: Node) {
        match (self, next) {
            (Node::Inner(inner), Node::Inner(next)) => inner.absorb(separator, next),
            (Node::Leaf(leaf), Node::Leaf(next)) => leaf.absorb(next),
            _ => unreachable!("neighbours are at the same depth"),
        }
    }

    /// The child of an inner node that has no other.
    pub(super) fn only_child(&self) -> Option<Arc<Node>> {
        match self {
            Node::Inner(inner) => match inner.children() {
                [only] => Some(Arc::clone(only)),
                _ => None,
            },
            Node::Leaf(_) => None,
        }
    }

    fn size(&self) -> usize {
        match self {
            Node::Inner(inner) => inner.children().len(),
            Node::Leaf(leaf) => leaf.entries().len(),
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Node::Inner(_) => INNER_CHILDREN,
            Node::Leaf(_) => LEAF_ENTRIES,
        }
    }
}
