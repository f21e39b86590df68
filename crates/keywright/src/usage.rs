//! What calls cost, by access pattern, by entity and by partition key.
//!
//! Counted from what the service answers, for as long as the store is open. Nothing of an item is in it; of a partition key there is
//! a hash.

mod hot_keys;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{ServiceError, ServiceProblem};
use crate::retry::CountedAs;
pub use hot_keys::{HotKey, KeyHash};
use hot_keys::{HotKeys, KeyHasher};

/// What the calls of a store cost so far, by names that the program's code has, and by hashed keys. Nothing of an item is in it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// for (entity, writes) in &store.usage().writes {
///     println!("{entity}: {} units in {} requests", writes.units, writes.requests);
/// }
/// assert_eq!(store.usage().writes.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Reads, by the name of the access pattern; scans by `maintenance`.
    pub reads: BTreeMap<&'static str, ReadUsage>,
    /// Writes, by the name of the entity.
    pub writes: BTreeMap<&'static str, WriteUsage>,
    /// Throttles, by the reason that the service gave: `TableWriteKeyRangeThroughputExceeded`. One that gave several is counted for each.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html>
    pub throttled_by: BTreeMap<String, u64>,
    /// The partition keys that took the most units, the hottest first, since the store was opened or
    /// [`Store::take_hot_keys`](crate::Store::take_hot_keys) was called: 64 at most, and every key that took more than a 64th of all units
    /// is among them. What scans read is not counted by key.
    pub hot_keys: Vec<HotKey>,
}

/// What the reads of one access pattern cost.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// acme.query(TeamWithMembers { team_id: 1 }).page().await?;
/// let read = store.usage().reads.get("TeamWithMembers").copied().ok_or("it was read")?;
/// assert_eq!((read.requests, read.units, read.items_read, read.items_given), (1, 0.5, 1, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadUsage {
    /// Requests that were answered. A snapshot counts for every pattern in it.
    pub requests: u64,
    /// Read units, as the service counted them: half a unit for each 4 KB, and a whole one where the read is consistent.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>
    pub units: f64,
    /// Items that were read.
    pub items_read: u64,
    /// Items that were left of them after filter, time to live and entity.
    pub items_given: u64,
    /// Calls that did not go well at once.
    pub tries: RetryUsage,
}

/// What the writes of one entity cost.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let written = store.usage().writes.get("Team").copied().ok_or("it was written")?;
/// assert_eq!((written.requests, written.units, written.items_put), (1, 1.0, 1));
/// assert!(written.put_bytes < 200 && written.largest_put_bytes == written.put_bytes);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteUsage {
    /// Requests that were answered, those whose condition did not hold included. A transaction, or a call of a batch, counts for every
    /// entity in it, so the sum over entities can be more than was sent.
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
    /// Items that updates left and gave back.
    pub items_updated: u64,
    /// Bytes of those, as DynamoDB counts them. An update that gives back the item as it was, or that is part of a transaction, does not say.
    pub updated_bytes: u64,
    /// Bytes of the largest of them.
    pub largest_updated_bytes: u64,
    /// Reads that writes needed: to know under which of its keys an item lies, what became of a write whose answer was lost, and what is
    /// there where a condition did not hold and the engine does not say.
    pub lookups: u64,
    /// Read units that those took.
    pub lookup_units: f64,
    /// Calls that did not go well at once.
    pub tries: RetryUsage,
}

/// Calls that did not go well at once. A batch counts for each entity that is in it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::RetryUsage;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// let tries = store.usage().writes.get("Team").copied().ok_or("it was written")?.tries;
/// assert_eq!(tries, RetryUsage::default()); // nothing was throttled, and nothing made again
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryUsage {
    /// Calls that were made again.
    pub retries: u64,
    /// Calls that were throttled: a table, an index, a key or a quota had no more. What a batch gave back is not in it.
    pub throttles: u64,
    /// Calls that were refused because a transaction, or a write in another region, had the item.
    pub conflicts: u64,
    /// Calls that were not answered.
    pub unanswered: u64,
}

impl WriteUsage {
    /// Counts an item that an update left.
    pub(crate) fn updated(&mut self, size_bytes: u64) {
        self.items_updated += 1;
        self.updated_bytes += size_bytes;
        self.largest_updated_bytes = self.largest_updated_bytes.max(size_bytes);
    }

    /// Counts an item that was put.
    pub(crate) fn put(&mut self, size_bytes: u64) {
        self.items_put += 1;
        self.put_bytes += size_bytes;
        self.largest_put_bytes = self.largest_put_bytes.max(size_bytes);
    }
}

/// The counters of a store.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    usage: Mutex<Usage>,
    hot_keys: Mutex<HotKeys>,
    hasher: KeyHasher,
}

impl Counters {
    pub(crate) fn snapshot(&self) -> Usage {
        let mut usage = self.usage().clone();
        usage.hot_keys = self.hot_keys().hottest();
        usage
    }

    pub(crate) fn read(&self, pattern: &'static str, change: impl FnOnce(&mut ReadUsage)) {
        change(self.usage().reads.entry(pattern).or_default());
    }

    pub(crate) fn write(&self, entity: &'static str, change: impl FnOnce(&mut WriteUsage)) {
        change(self.usage().writes.entry(entity).or_default());
    }

    /// Counts what a partition key took, of the table or of a global index.
    pub(crate) fn key(&self, index: Option<&'static str>, key: KeyHash, units: f64) {
        self.hot_keys().count(index, key, units);
    }

    /// The keys that took the most; counting begins again.
    pub(crate) fn take_hot_keys(&self) -> Vec<HotKey> {
        let mut hot_keys = self.hot_keys();
        let hottest = hot_keys.hottest();
        hot_keys.clear();
        hottest
    }

    /// The hash of a partition key. A key of several attributes has several parts.
    pub(crate) fn hash(&self, key: &[&str]) -> KeyHash {
        self.hasher.hash(key)
    }

    /// Counts a call that is made again.
    pub(crate) fn retry(&self, counted_as: CountedAs) {
        self.tries(counted_as, |tries| tries.retries += 1);
    }

    /// Counts a call that was throttled, met a conflict or was not answered; others are not counted.
    pub(crate) fn failure(&self, counted_as: CountedAs, error: &ServiceError) {
        match error.problem() {
            ServiceProblem::Throttled => self.tries(counted_as, |tries| tries.throttles += 1),
            ServiceProblem::Conflict => self.tries(counted_as, |tries| tries.conflicts += 1),
            ServiceProblem::Unanswered => self.tries(counted_as, |tries| tries.unanswered += 1),
            ServiceProblem::Refused | ServiceProblem::Denied => {}
        }
    }

    /// Counts why a call was throttled.
    pub(crate) fn reasons(&self, error: &ServiceError) {
        let mut usage = self.usage();
        for reason in error.throttling_reasons() {
            *usage.throttled_by.entry(reason.clone()).or_default() += 1;
        }
    }

    fn tries(&self, counted_as: CountedAs, change: impl FnOnce(&mut RetryUsage)) {
        match counted_as {
            CountedAs::Read(pattern) => self.read(pattern, |usage| change(&mut usage.tries)),
            CountedAs::Write(entity) => self.write(entity, |usage| change(&mut usage.tries)),
        }
    }

    fn usage(&self) -> MutexGuard<'_, Usage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hot_keys(&self) -> MutexGuard<'_, HotKeys> {
        self.hot_keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
