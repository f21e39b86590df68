//! What calls cost, by access pattern and by entity.
//!
//! Counted from what the service answers, for as long as the store is open. Nothing of an item is in it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What the calls of a store cost so far, by names that the program's code has. Nothing of an item is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Reads, by the name of the access pattern.
    pub reads: BTreeMap<&'static str, ReadUsage>,
    /// Writes, by the name of the entity.
    pub writes: BTreeMap<&'static str, WriteUsage>,
}

/// What the reads of one access pattern cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadUsage {
    /// Requests that were answered; those that the client's retries made before are not in it.
    pub requests: u64,
    /// Read units, as the service counted them: half a unit for each 4 KB, and a whole one where the read is consistent.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>
    pub units: f64,
    /// Items that were read.
    pub items_read: u64,
    /// Items that were left of them after filter, time to live and entity.
    pub items_given: u64,
}

/// What the writes of one entity cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteUsage {
    /// Requests that were answered, those whose condition did not hold included.
    pub requests: u64,
    /// Write units, as the service counted them: one for each KB, in the table and in each index that the write changed. What a refused
    /// condition cost is not in it, since the service does not say.
    pub units: f64,
    /// Bytes of the items that were put, as DynamoDB counts them.
    pub put_bytes: u64,
    /// Items that were put.
    pub items_put: u64,
    /// Bytes of the largest item that was put.
    pub largest_put_bytes: u64,
}

/// The counters of a store.
#[derive(Debug, Default)]
pub(crate) struct Counters(Mutex<Usage>);

impl Counters {
    pub(crate) fn snapshot(&self) -> Usage {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn read(&self, pattern: &'static str, change: impl FnOnce(&mut ReadUsage)) {
        let mut usage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(usage.reads.entry(pattern).or_default());
    }

    pub(crate) fn write(&self, entity: &'static str, change: impl FnOnce(&mut WriteUsage)) {
        let mut usage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(usage.writes.entry(entity).or_default());
    }
}
