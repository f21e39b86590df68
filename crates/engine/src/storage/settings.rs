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
    ///
    /// A disk that is full while the tree takes what the log holds stops the store, since nobody else could ask for another attempt;
    /// with [`Threads`](Workers::Threads) the store is read-only until there is room.
    Caller,
}

/// The settings of a [`DurableStorage`](super::DurableStorage). Every number may be zero, and is no limit below which a store does not
/// work, only one below which it is slow.
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
    /// How many bytes of the tree's pages are kept in memory at most. With zero every read of the tree asks the files.
    pub cache_size_bytes: usize,
    /// How long segments of the log get, once the store has written some; rounded up to sectors. A frame that is longer gets a longer
    /// one, so with zero each frame has a segment of its own.
    pub segment_bytes: u64,
    /// How many bytes of changes in memory are enough to be applied to the tree; never more than half of `most_held_bytes`. With zero
    /// each commit is applied by itself, as soon as the one before it is.
    pub freeze_bytes: usize,
    /// How many bytes of the log are enough, however few changes they leave in memory: keys that are written over and over fill a log, and
    /// not the memory. With zero as with that of `freeze_bytes`.
    pub freeze_log_bytes: u64,
    /// How many bytes of changes are in memory at most, those being applied included. From half of it writes slow down; at
    /// the limit they wait. A commit that is larger goes on alone; with zero each one waits until the tree has the one before.
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
