//! The storage on redb: one file, four tables, one durable transaction a commit.
//!
//! Invariants: nothing panics out of here because of what is on disk; after a failed commit or sync nothing is
//! written any more. redb does not verify checksums when it reads: a flipped bit within a value is returned as data.

use super::format::StoreId;
use super::guard::guarded;
use super::health::Health;
use super::opening::Opening;
use super::snapshot::RedbSnapshot;
use super::{Batch, Change, OpenError, Snapshot, Space, Storage, StorageError};
use crate::files::{DirectoryLock, Files, Persistence};
use crate::random::Random;
use redb::{Database, ReadableDatabase, TableDefinition, TransactionError, WriteTransaction};
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// A store in one directory.
pub struct RedbStorage {
    /// `None` only while it is being dropped.
    database: Option<Database>,
    health: Health,
    id: StoreId,
    persistence: Persistence,
    /// Let go of last, when everything is written.
    _lock: DirectoryLock,
}

impl RedbStorage {
    /// Opens the store in `files`, or creates one when there is none, keeping up to `cache_size_bytes` of its pages
    /// in memory. The new store's id is drawn from `random`.
    ///
    /// ```
    /// use keywright_engine::files::MemoryFiles;
    /// use keywright_engine::random::SystemRandom;
    /// use keywright_engine::storage::{Batch, RedbStorage, Space, Storage};
    /// use std::sync::Arc;
    ///
    /// let storage = RedbStorage::open(Arc::new(MemoryFiles::new()), 4 << 20, &SystemRandom)?;
    /// let mut batch = Batch::default();
    /// batch.put(Space::Items, b"key", b"value".to_vec());
    /// storage.commit(&batch)?;
    ///
    /// let mut length = None;
    /// let found = storage.snapshot()?.get(Space::Items, b"key", &mut |value| length = Some(value.len()))?;
    /// assert!(found);
    /// assert_eq!(length, Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`OpenError`]: each says what to do. A store that was not closed is repaired here.
    pub fn open(
        files: Arc<dyn Files>,
        cache_size_bytes: usize,
        random: &dyn Random,
    ) -> Result<RedbStorage, OpenError> {
        let health = Health::default();
        let opening = Opening::new(files.as_ref(), &health);
        let lock = opening.lock()?;
        let (database, id) = opening.run(cache_size_bytes, random)?;
        Ok(RedbStorage {
            database: Some(database),
            health,
            id,
            persistence: files.persistence(),
            _lock: lock,
        })
    }

    /// The identity of this store.
    pub fn id(&self) -> StoreId {
        self.id
    }

    fn database(&self) -> &Database {
        match &self.database {
            Some(database) => database,
            None => unreachable!("the database is taken only when the storage is dropped"),
        }
    }

    fn write(&self, batch: &Batch) -> Result<(), redb::Error> {
        let transaction = begin_write(self.database(), self.persistence)?;
        for space in Space::ALL {
            let mut changes = batch.iter(space).peekable();
            if changes.peek().is_none() {
                continue;
            }
            let mut table = transaction.open_table(table_of(space))?;
            for (key, change) in changes {
                match change {
                    Change::Put(value) => table.insert(key, value.as_slice())?,
                    Change::Delete => table.remove(key)?,
                };
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

impl Storage for RedbStorage {
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        self.health.check()?;
        let transaction = guarded(|| self.database().begin_read());
        match transaction {
            Ok(Ok(transaction)) => Ok(Box::new(RedbSnapshot::new(transaction, &self.health))),
            Ok(Err(error)) => Err(damage_or_stop(&self.health, &error.to_string())),
            Err(panic) => Err(damage_or_stop(&self.health, &panic)),
        }
    }

    fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        self.health.check()?;
        if batch.is_empty() {
            return Ok(());
        }
        match guarded(|| self.write(batch)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.health.stop(|| format!("a commit failed: {error}"))),
            Err(panic) => Err(self.health.stop(|| format!("a commit failed: {panic}"))),
        }
    }
}

impl Drop for RedbStorage {
    /// Closes the file so that the next open needs no repair. Everything committed is durable already, so a failure
    /// here loses nothing but that.
    fn drop(&mut self) {
        let database = self.database.take();
        if let Err(panic) = guarded(|| drop(database)) {
            tracing::warn!(%panic, "the store could not be closed cleanly; the next start repairs it");
        }
    }
}

impl Debug for RedbStorage {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RedbStorage")
            .field("id", &self.id)
            .field("failure", &self.health.failure())
            .finish_non_exhaustive()
    }
}

pub(super) type Table = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// The redb table of a space. The names are part of the format.
pub(super) fn table_of(space: Space) -> Table {
    TableDefinition::new(match space {
        Space::Items => "items",
        Space::Index => "index",
        Space::TimeToLive => "ttl",
        Space::Meta => "meta",
    })
}

/// Begins a transaction that is durable once committed, in two syncs on files that last.
///
/// The first makes pages and the new root durable, the second makes that root the valid one. With one sync for both,
/// a page of the last commit that is bad after a kill looks like a commit that was never finished, and an acknowledged
/// commit would silently be undone. Keeping the allocator's state in each commit besides (quick repair) lets a killed
/// store of any size open within milliseconds, where redb would otherwise read the whole file first.
pub(super) fn begin_write(
    database: &Database,
    persistence: Persistence,
) -> Result<WriteTransaction, TransactionError> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(persistence == Persistence::Lasting);
    Ok(transaction)
}

/// What a failed read means: the store has stopped, or what was read is damaged.
pub(super) fn damage_or_stop(health: &Health, description: &str) -> StorageError {
    match health.check() {
        Err(stopped) => stopped,
        Ok(()) => StorageError::Damaged { place: description.into() },
    }
}
