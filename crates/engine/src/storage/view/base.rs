//! The tree on disk as of one commit: its tables, opened once and read by many.
//!
//! Invariant: as long as it lives, redb keeps the pages of its commit.

use crate::storage::batch::is_inverted;
use crate::storage::guard::{Visit, guarded_visit};
use crate::storage::health::Health;
use crate::storage::tree::{damage_or_stop, table_of};
use crate::storage::{Direction, KeyRange, ScanVisitor, Space, StorageError};
use redb::{Database, ReadOnlyTable, ReadableDatabase};
use std::fmt::{self, Debug, Formatter};
use std::ops::ControlFlow;

/// The last applied commit.
pub(in crate::storage) struct Base {
    items: Table,
    index: Table,
    time_to_live: Table,
    meta: Table,
}

type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

impl Base {
    /// The database as it is now. What redb makes of damaged pages is for the caller to guard.
    pub(in crate::storage) fn open(database: &Database) -> Result<Base, redb::Error> {
        // The tables keep the transaction open.
        let transaction = database.begin_read()?;
        Ok(Base {
            items: transaction.open_table(table_of(Space::Items))?,
            index: transaction.open_table(table_of(Space::Index))?,
            time_to_live: transaction.open_table(table_of(Space::TimeToLive))?,
            meta: transaction.open_table(table_of(Space::Meta))?,
        })
    }

    /// As [`Snapshot::get`](crate::storage::Snapshot::get).
    pub(in crate::storage) fn get(
        &self,
        space: Space,
        key: &[u8],
        visit: &mut dyn FnMut(&[u8]),
        health: &Health,
    ) -> Result<bool, StorageError> {
        read(health, |guard| {
            let value = self.table(space).get(key)?;
            if let Some(value) = &value {
                let bytes = value.value();
                guard.run(|| visit(bytes));
            }
            Ok(value.is_some())
        })
    }

    /// As [`Snapshot::scan`](crate::storage::Snapshot::scan).
    pub(in crate::storage) fn scan(
        &self,
        space: Space,
        range: KeyRange<'_>,
        direction: Direction,
        health: &Health,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError> {
        if is_inverted(range) {
            return Ok(());
        }
        read(health, |guard| {
            let mut entries = self.table(space).range::<&[u8]>(range)?;
            loop {
                let entry = match direction {
                    Direction::Forward => entries.next(),
                    Direction::Backward => entries.next_back(),
                };
                let Some(entry) = entry else { return Ok(()) };
                let (key, value) = entry?;
                let (key, value) = (key.value(), value.value());
                if let ControlFlow::Break(()) = guard.run(|| visit(key, value)) {
                    return Ok(());
                }
            }
        })
    }

    fn table(&self, space: Space) -> &Table {
        match space {
            Space::Items => &self.items,
            Space::Index => &self.index,
            Space::TimeToLive => &self.time_to_live,
            Space::Meta => &self.meta,
        }
    }
}

impl Debug for Base {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Base").finish_non_exhaustive()
    }
}

/// Runs a read of redb, and says what its failure means.
fn read<Value>(
    health: &Health,
    call: impl FnOnce(&Visit) -> Result<Value, redb::Error>,
) -> Result<Value, StorageError> {
    match guarded_visit(call) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(damage_or_stop(health, &error.to_string())),
        Err(panic) => Err(damage_or_stop(health, &panic)),
    }
}
