//! One key of an overlay and what became of it, in a single allocation that snapshots share.
//!
//! Invariant: the key and the value lie one behind the other, so that whoever compares the key has the value at hand.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// A key with its value, or with the mark that it is gone. A clone shares the bytes.
#[derive(Clone)]
pub(in crate::storage) struct Entry {
    /// The key, then the value.
    bytes: Arc<[u8]>,
    key_bytes: u32,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Put,
    Deleted,
}

/// What an overlay knows of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum Held<'overlay> {
    /// This is its value.
    Value(&'overlay [u8]),
    /// It is gone, whatever older layers hold.
    Tombstone,
}

impl Entry {
    /// What one entry takes besides its key and value: the head of its allocation, and its place in a leaf.
    pub(super) const OVERHEAD_BYTES: usize = 64;

    /// A key and its value. The scratch holds both for a moment, so that one allocation is made and no byte is set twice.
    pub(super) fn put(key: &[u8], value: &[u8], scratch: &mut Vec<u8>) -> Entry {
        scratch.clear();
        scratch.extend_from_slice(key);
        scratch.extend_from_slice(value);
        Entry { bytes: scratch.as_slice().into(), key_bytes: length_of(key), fate: Fate::Put }
    }

    /// A key that is gone.
    pub(super) fn tombstone(key: &[u8]) -> Entry {
        Entry { bytes: key.into(), key_bytes: length_of(key), fate: Fate::Deleted }
    }

    pub(in crate::storage) fn key(&self) -> &[u8] {
        self.bytes.split_at(self.key_bytes as usize).0
    }

    pub(in crate::storage) fn held(&self) -> Held<'_> {
        match self.fate {
            Fate::Put => Held::Value(self.bytes.split_at(self.key_bytes as usize).1),
            Fate::Deleted => Held::Tombstone,
        }
    }

    /// How much memory it takes, nearly.
    pub(super) fn held_bytes(&self) -> usize {
        self.bytes.len() + Entry::OVERHEAD_BYTES
    }
}

impl Debug for Entry {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Entry").field(&self.key()).field(&self.held()).finish()
    }
}

fn length_of(key: &[u8]) -> u32 {
    match u32::try_from(key.len()) {
        Ok(length) => length,
        Err(_) => unreachable!("keys have at most a few kilobytes, as the key schema's checks ensure"),
    }
}
