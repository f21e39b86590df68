//! The storage in memory: one overlay that is never applied to anything.
//!
//! Invariants: nothing of it is in a file; a key that was removed takes no memory; nothing here can fail but a
//! commit after a close.

use super::health::Health;
use super::overlay::Removal;
use super::view::{View, Views};
use super::{Batch, Snapshot, Storage, StorageError};
use std::sync::{Mutex, PoisonError};

/// A store that is gone when it is dropped.
///
/// ```
/// use keywright_engine::storage::{Batch, MemoryStorage, Space, Storage};
///
/// let storage = MemoryStorage::new();
/// let mut batch = Batch::default();
/// batch.put(Space::Items, b"key", b"value".to_vec());
/// let before = storage.snapshot()?;
/// storage.commit(&batch)?;
///
/// assert!(storage.snapshot()?.get(Space::Items, b"key", &mut |value| assert_eq!(value, b"value"))?);
/// assert!(!before.get(Space::Items, b"key", &mut |_| ())?);
/// # Ok::<(), keywright_engine::storage::StorageError>(())
/// ```
#[derive(Debug)]
pub struct MemoryStorage {
    views: Views,
    /// Held by who derives a view from the latest.
    writing: Mutex<Writing>,
}

/// Whether commits are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Writing {
    #[default]
    Open,
    Closed,
}

impl Writing {
    fn check(self) -> Result<(), StorageError> {
        match self {
            Writing::Open => Ok(()),
            Writing::Closed => Err(StorageError::closed()),
        }
    }
}

impl MemoryStorage {
    /// An empty store.
    pub fn new() -> MemoryStorage {
        MemoryStorage { views: Views::new(View::default(), Health::default()), writing: Mutex::default() }
    }
}

impl Default for MemoryStorage {
    fn default() -> MemoryStorage {
        MemoryStorage::new()
    }
}

impl Storage for MemoryStorage {
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        self.views.snapshot()
    }

    fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        // Nothing is half done where the lock can be lost: the view is stored whole.
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        writing.check()?;
        let mut view = View::clone(&self.views.load());
        view.active.apply(batch, Removal::Nothing);
        self.views.store(view);
        Ok(())
    }

    fn commits_at_once(&self) -> bool {
        true
    }

    fn writable(&self) -> Result<(), StorageError> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner).check()
    }

    fn close(&self) -> Result<(), StorageError> {
        *self.writing.lock().unwrap_or_else(PoisonError::into_inner) = Writing::Closed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Space;

    #[test]
    fn a_key_that_was_removed_takes_no_memory() {
        let storage = MemoryStorage::new();
        let mut batch = Batch::default();
        for number in 0..100_u8 {
            batch.put(Space::Items, &[number], vec![0; 100]);
        }
        storage.commit(&batch).unwrap();
        assert!(storage.views.load().active.held_bytes() > 100 * 100);

        let mut batch = Batch::default();
        for number in 0..100_u8 {
            batch.delete(Space::Items, &[number]);
        }
        storage.commit(&batch).unwrap();
        let view = storage.views.load();
        assert!(view.active.is_empty());
        assert_eq!(view.active.held_bytes(), 0);
    }
}
