//! The narrow trait between the engine and what keeps its bytes: ordered spaces, snapshots, atomic batches.
//!
//! Below it stand [`DurableStorage`], a log in front of a tree of redb, and [`MemoryStorage`].
//! Invariants: a batch is visible and durable wholly or not at all; a commit that returned `Ok` survives a power
//! loss; nothing here knows what an item is, so an item's damage is found above (by the item's own checksum).

mod applier;
mod batch;
#[cfg(test)]
mod counted;
mod counters;
mod directory;
mod durable;
mod error;
mod format;
mod generations;
mod guard;
mod health;
mod log;
mod memory;
mod overlay;
mod settings;
mod tree;
mod view;

use std::ops::{Bound, ControlFlow};

pub use batch::{Author, Batch, BatchRange, Change, LoggedChange};
pub use durable::DurableStorage;
pub use error::{OpenError, StorageError};
pub use format::StoreId;
pub use memory::MemoryStorage;
pub use settings::{Durability, DurableOptions, Workers};

#[cfg(test)]
pub(crate) use counted::CountedStorage;

/// What holds the engine's bytes.
pub trait Storage: Send + Sync {
    /// A view of everything committed so far. Keep it briefly: old pages stay in the file while it lives.
    ///
    /// # Errors
    /// [`StorageError::Stopped`] after a failed commit, or when the system could not read the file;
    /// [`StorageError::Damaged`].
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError>;

    /// Makes all of `batch` visible and durable, or nothing of it. One commit runs at a time; others wait.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`]: nothing of the batch is kept, and a later commit may succeed. Any other error stops the
    /// storage: whether the batch survives a restart is then unknown, and every later call answers
    /// [`StorageError::Stopped`]. So does every commit after a [`close`](Storage::close).
    ///
    /// A disk that is full once the batch is kept, while the caller of the commit applies it ([`Workers::Caller`]), is no error of this
    /// commit, and stops the storage for later calls.
    fn commit(&self, batch: &Batch) -> Result<(), StorageError>;

    /// Whether a commit waits for nothing but memory, so that whoever waits for its outcome may as well carry it out.
    fn commits_at_once(&self) -> bool;

    /// Whether commits are accepted, as far as is known. A disk that was full is looked at again: who is taken out of service because
    /// of it gets no commits that would find room.
    ///
    /// # Errors
    /// [`StorageError::Stopped`]; [`StorageError::DiskFull`] while there is no room.
    fn writable(&self) -> Result<(), StorageError>;

    /// Finishes what is under way, and puts everything where the next open finds it at once; later commits are refused. Reads go on.
    /// Every call answers how the first one ended. A storage that is dropped is closed.
    ///
    /// # Errors
    /// Whatever had stopped the storage before, or did so now. What was committed is as it would be after a kill.
    fn close(&self) -> Result<(), StorageError>;
}

/// A frozen view. Visitors borrow the stored bytes, so nothing is copied that the caller does not keep.
pub trait Snapshot: Send {
    /// Shows the value of `key` to `visit` and answers `true`, or `false` when there is none.
    ///
    /// # Errors
    /// As [`Storage::snapshot`].
    fn get(&self, space: Space, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageError>;

    /// Shows each key in `range` with its value to `visit`, in order, until it breaks. An empty or inverted range
    /// shows nothing.
    ///
    /// # Errors
    /// As [`Storage::snapshot`]; what was visited before the error was right.
    fn scan(
        &self,
        space: Space,
        range: KeyRange<'_>,
        direction: Direction,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError>;
}

/// What [`Snapshot::scan`] shows each key and value to.
pub type ScanVisitor<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// The two ends of a scan, in key order whatever the direction.
pub type KeyRange<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

/// The separate key spaces, each ordered by its keys' bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// The items of every table.
    Items,
    /// The entries of secondary indexes.
    Index,
    /// The moments at which items expire.
    TimeToLive,
    /// Tables, statistics, and the store's own facts.
    Meta,
}

impl Space {
    /// Every space.
    pub const ALL: [Space; 4] = [Space::Items, Space::Index, Space::TimeToLive, Space::Meta];
}

/// The order in which a scan meets the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Ascending.
    Forward,
    /// Descending.
    Backward,
}
