//! Counts what the log output tells of the storage: syncs of the log, and how long writers were held up.
//!
//! Durations are the machine's, not the clock's: they describe the disk and are in no answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Since the store was opened.
#[derive(Debug, Default)]
pub(super) struct Counters {
    syncs: AtomicU64,
    longest_sync_us: AtomicU64,
    stalls: AtomicU64,
    longest_stall_us: AtomicU64,
}

impl Counters {
    /// Runs a sync of the log, and counts it.
    pub(super) fn time_sync<Value>(&self, sync: impl FnOnce() -> Value) -> Value {
        let began = Instant::now();
        let value = sync();
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.longest_sync_us.fetch_max(microseconds(began.elapsed()), Ordering::Relaxed);
        value
    }

    /// Counts that a writer waited for the tree.
    pub(super) fn stalled(&self, waited: Duration) {
        self.stalls.fetch_add(1, Ordering::Relaxed);
        self.longest_stall_us.fetch_max(microseconds(waited), Ordering::Relaxed);
    }

    /// How often the log was synced.
    pub(super) fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// The longest sync of the log, in milliseconds.
    pub(super) fn longest_sync_ms(&self) -> f64 {
        milliseconds(&self.longest_sync_us)
    }

    /// How often a writer waited.
    pub(super) fn stalls(&self) -> u64 {
        self.stalls.load(Ordering::Relaxed)
    }

    /// The longest wait of a writer, in milliseconds.
    pub(super) fn longest_stall_ms(&self) -> f64 {
        milliseconds(&self.longest_stall_us)
    }
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn milliseconds(microseconds: &AtomicU64) -> f64 {
    // Whole microseconds below 2^53 are exact.
    microseconds.load(Ordering::Relaxed) as f64 / 1000.0
}
