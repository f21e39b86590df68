//! Counts what the log output tells of the storage: syncs of its files, segments that were prepared, how long writers were held up, and
//! how large its files are.
//!
//! Durations are the machine's, not the clock's: they describe the disk and are in no answer. Nothing here takes a lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Of a store, since it was opened.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Of the log's frames.
    pub(super) log_syncs: Timed,
    /// Of the tree's file: two a commit.
    pub(super) tree_syncs: Timed,
    pub(super) directory_syncs: Timed,
    /// Of segments: their zeros are written and synced.
    pub(super) preparations: Timed,
    /// Waits of a writer: for the tree, for a segment, for the outcome of another attempt on a full disk.
    pub(super) stalls: Timed,
    tree_bytes: AtomicU64,
}

/// How often something happened, and how long it took at most.
#[derive(Debug, Default)]
pub(super) struct Timed {
    count: AtomicU64,
    longest_us: AtomicU64,
}

/// What is told of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// Since the store was opened.
    pub(super) count: u64,
    /// Since it was told before: a slow moment does not hide those after it.
    pub(super) longest_ms: f64,
}

impl Counters {
    /// Notes that the tree's file has this length.
    pub(super) fn set_tree_bytes(&self, bytes: u64) {
        self.tree_bytes.store(bytes, Ordering::Relaxed);
    }

    /// How long the tree's file is.
    pub(super) fn tree_bytes(&self) -> u64 {
        self.tree_bytes.load(Ordering::Relaxed)
    }
}

impl Timed {
    /// Runs something, and counts it.
    pub(super) fn time<Value>(&self, call: impl FnOnce() -> Value) -> Value {
        let began = Instant::now();
        let value = call();
        self.add(began.elapsed());
        value
    }

    /// Counts what took so long.
    pub(super) fn add(&self, took: Duration) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.longest_us.fetch_max(microseconds, Ordering::Relaxed);
    }

    /// Answers what is to be told. The longest begins anew.
    pub(super) fn take(&self) -> Figures {
        let longest = self.longest_us.swap(0, Ordering::Relaxed);
        // Whole microseconds below 2^53 are exact.
        Figures { count: self.count(), longest_ms: longest as f64 / 1000.0 }
    }

    /// How often it happened since the store was opened.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// Tells something of a store, with its counters and the sizes of its files.
macro_rules! tell {
    ($counters:expr, $log_bytes:expr, $($fields:tt)*) => {{
        let counters: &$crate::storage::counters::Counters = $counters;
        let (fsyncs, tree_syncs) = (counters.log_syncs.take(), counters.tree_syncs.take());
        let (directory_syncs, preparations) = (counters.directory_syncs.take(), counters.preparations.take());
        let stalls = counters.stalls.take();
        tracing::info!(
            target: "keywright::storage",
            log_bytes = $log_bytes,
            tree_bytes = counters.tree_bytes(),
            fsyncs = fsyncs.count,
            longest_fsync_ms = fsyncs.longest_ms,
            tree_syncs = tree_syncs.count,
            longest_tree_sync_ms = tree_syncs.longest_ms,
            directory_syncs = directory_syncs.count,
            longest_directory_sync_ms = directory_syncs.longest_ms,
            preparations = preparations.count,
            longest_preparation_ms = preparations.longest_ms,
            stalls = stalls.count,
            longest_stall_ms = stalls.longest_ms,
            $($fields)*
        );
    }};
}

pub(super) use tell;
