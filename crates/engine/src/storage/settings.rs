//! How a durable store writes: what a test chooses otherwise than a user.

/// When a write is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Durability {
    /// After it was synced: it survives a power loss.
    #[default]
    Fsync,
    /// After the system has it: it survives the end of the process, however that ends, and not that of the machine. After a
    /// power loss the last writes are gone, and those before them are there.
    Buffered,
}

/// Who does what need not be done before a write is answered: to prepare the log, and to apply it to the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Workers {
    /// Threads of the store.
    #[default]
    Threads,
    /// The caller of a commit, before it returns: all that a store does happens in one order then, which a test can repeat.
    Caller,
}

/// The settings of a [`DurableStorage`](super::DurableStorage).
///
/// ```
/// use keywright_engine::storage::{DurableOptions, Durability};
///
/// let options = DurableOptions { durability: Durability::Buffered, ..DurableOptions::default() };
/// assert_eq!(options.segment_bytes, 16 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurableOptions {
    /// When a write is answered.
    pub durability: Durability,
    /// How many bytes of the tree's pages are kept in memory at most.
    pub cache_size_bytes: usize,
    /// How long segments of the log get, once the store has written some; rounded up to sectors.
    pub segment_bytes: u64,
    /// How many bytes of changes in memory are enough to be applied to the tree; never more than half of `most_held_bytes`.
    pub freeze_bytes: usize,
    /// How many bytes of the log are enough, however few changes they leave in memory: keys that are written over and over fill a log, and
    /// not the memory.
    pub freeze_log_bytes: u64,
    /// How many bytes of changes are in memory at most, those being applied included. From half of it writes slow down; at
    /// the limit they wait.
    pub most_held_bytes: usize,
    /// Who prepares the log and applies it.
    pub workers: Workers,
}

impl Default for DurableOptions {
    fn default() -> DurableOptions {
        DurableOptions {
            durability: Durability::Fsync,
            cache_size_bytes: 256 << 20,
            segment_bytes: 16 << 20,
            freeze_bytes: 16 << 20,
            freeze_log_bytes: 64 << 20,
            most_held_bytes: 64 << 20,
            workers: Workers::Threads,
        }
    }
}
