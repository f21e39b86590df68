//! The tree: everything up to a frame of the log, in one redb database with four tables.
//!
//! Invariants: it changes by whole generations only, each in one durable transaction with the position in the log that it
//! reached, and never on a thread that acknowledges writes; nothing panics out of here because of what is on disk; after a
//! failed commit or sync nothing is written any more. redb does not verify checksums when it reads, so the file under it does.

mod backend;
mod kind;
mod migration;
mod opening;
mod room;
mod sealed;

pub(super) use self::opening::{Content, Opened, Opening};
pub(super) use self::room::{Room, Waiting, is_full};
use super::format;
use super::guard::guarded;
use super::health::Health;
use super::log::Position;
use super::overlay::{Held, Overlay};
use super::view::Base;
use super::{Space, StorageError, StoreId};
use crate::files::Persistence;
use redb::{Database, TableDefinition, TransactionError, WriteTransaction};
use std::sync::Arc;

/// An open tree.
pub(super) struct Tree {
    /// `None` only while it is being dropped.
    database: Option<Database>,
    health: Health,
    persistence: Persistence,
}

impl Tree {
    pub(super) fn new(database: Database, health: Health, persistence: Persistence) -> Tree {
        Tree { database: Some(database), health, persistence }
    }

    /// Makes a generation, and how far the tree is with it, durable: in one transaction, in key order.
    ///
    /// # Errors
    /// Any error stops the store.
    pub(super) fn apply(&self, generation: &Overlay, position: Position) -> Result<(), StorageError> {
        self.health.check()?;
        let applied = room::while_applying(|| guarded(|| self.write(generation, position)));
        let description = match applied {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic,
        };
        let description = match self.health.damage() {
            Some(damage) => format!("{damage}; {description}"),
            None => description,
        };
        Err(self.health.stop(|| format!("applying the log to the tree failed: {description}")))
    }

    /// The tree as it is now, for readers.
    ///
    /// # Errors
    /// [`StorageError::Damaged`], or [`StorageError::Stopped`].
    pub(super) fn base(&self) -> Result<Arc<Base>, StorageError> {
        match guarded(|| Base::open(self.database())) {
            Ok(Ok(base)) => Ok(Arc::new(base)),
            Ok(Err(error)) => Err(damage_or_stop(&self.health, &error.to_string())),
            Err(panic) => Err(damage_or_stop(&self.health, &panic)),
        }
    }

    /// Creates the tables that are not there yet, and records what the store is and where its log begins.
    pub(super) fn create(&self, id: StoreId, position: Position) -> Result<(), redb::Error> {
        let transaction = begin_write(self.database(), self.persistence)?;
        for space in Space::ALL {
            transaction.open_table(table_of(space))?;
        }
        let mut meta = transaction.open_table(table_of(Space::Meta))?;
        meta.insert(format::FORMAT_KEY, format::encode(id).as_slice())?;
        meta.insert(format::LOG_KEY, format::encode_position(position).as_slice())?;
        drop(meta);
        transaction.commit()?;
        Ok(())
    }

    fn write(&self, generation: &Overlay, position: Position) -> Result<(), redb::Error> {
        let transaction = begin_write(self.database(), self.persistence)?;
        for space in Space::ALL {
            let mut entries = generation.iter(space).peekable();
            if entries.peek().is_none() {
                continue;
            }
            let mut table = transaction.open_table(table_of(space))?;
            for entry in entries {
                match entry.held() {
                    Held::Value(value) => table.insert(entry.key(), value)?,
                    Held::Tombstone => table.remove(entry.key())?,
                };
            }
        }
        let position = format::encode_position(position);
        transaction.open_table(table_of(Space::Meta))?.insert(format::LOG_KEY, position.as_slice())?;
        transaction.commit()?;
        Ok(())
    }

    fn database(&self) -> &Database {
        match &self.database {
            Some(database) => database,
            None => unreachable!("the database is taken only when the tree is dropped"),
        }
    }
}

impl Drop for Tree {
    /// Closes the file so that the next open needs no repair. Everything applied is durable already, so a failure here loses
    /// nothing but that.
    fn drop(&mut self) {
        let database = self.database.take();
        if let Err(panic) = guarded(|| drop(database)) {
            tracing::warn!(%panic, "the store could not be closed cleanly; the next start repairs it");
        }
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

/// What a failed read means: the store has stopped, or what was read is damaged.
pub(super) fn damage_or_stop(health: &Health, description: &str) -> StorageError {
    match health.check() {
        Err(stopped) => stopped,
        Ok(()) => {
            StorageError::Damaged { place: health.damage().unwrap_or_else(|| description.to_owned()).into() }
        }
    }
}

/// Begins a transaction that is durable once committed, in two syncs on files that last.
///
/// The first makes pages and the new root durable, the second makes that root the valid one. With one sync for both,
/// a page of the last commit that is bad after a kill looks like a commit that was never finished, and an applied
/// generation, whose log may be gone, would silently be undone. Keeping the allocator's state in each commit besides (quick
/// repair) lets a killed store of any size open within milliseconds, where redb would otherwise read the whole file first.
fn begin_write(database: &Database, persistence: Persistence) -> Result<WriteTransaction, TransactionError> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(persistence == Persistence::Lasting);
    Ok(transaction)
}
