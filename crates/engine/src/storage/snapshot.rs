//! A snapshot on redb: one read transaction, its tables opened when first used.

use super::batch::is_inverted;
use super::guard::{Visit, guarded_visit};
use super::health::Health;
use super::redb_storage::{damage_or_stop, table_of};
use super::{Direction, KeyRange, ScanVisitor, Snapshot, Space, StorageError};
use redb::{ReadOnlyTable, ReadTransaction};
use std::cell::OnceCell;
use std::ops::ControlFlow;

pub(super) struct RedbSnapshot<'storage> {
    transaction: ReadTransaction,
    health: &'storage Health,
    tables: Tables,
}

impl<'storage> RedbSnapshot<'storage> {
    pub(super) fn new(transaction: ReadTransaction, health: &'storage Health) -> RedbSnapshot<'storage> {
        RedbSnapshot { transaction, health, tables: Tables::default() }
    }

    /// Runs a read, and says what its failure means.
    fn read<Value>(
        &self,
        call: impl FnOnce(&Visit) -> Result<Value, redb::Error>,
    ) -> Result<Value, StorageError> {
        self.health.check()?;
        match guarded_visit(call) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(damage_or_stop(self.health, &error.to_string())),
            Err(panic) => Err(damage_or_stop(self.health, &panic)),
        }
    }

    fn table(&self, space: Space) -> Result<&Table, redb::Error> {
        let cell = self.tables.of(space);
        if let Some(table) = cell.get() {
            return Ok(table);
        }
        let table = self.transaction.open_table(table_of(space))?;
        Ok(cell.get_or_init(|| table))
    }
}

impl Snapshot for RedbSnapshot<'_> {
    fn get(&self, space: Space, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageError> {
        self.read(|guard| {
            let value = self.table(space)?.get(key)?;
            if let Some(value) = &value {
                let bytes = value.value();
                guard.run(|| visit(bytes));
            }
            Ok(value.is_some())
        })
    }

    fn scan(
        &self,
        space: Space,
        range: KeyRange<'_>,
        direction: Direction,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError> {
        if is_inverted(range) {
            return self.health.check();
        }
        self.read(|guard| {
            let mut entries = self.table(space)?.range::<&[u8]>(range)?;
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
}

type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

#[derive(Default)]
struct Tables {
    items: OnceCell<Table>,
    index: OnceCell<Table>,
    time_to_live: OnceCell<Table>,
    meta: OnceCell<Table>,
}

impl Tables {
    fn of(&self, space: Space) -> &OnceCell<Table> {
        match space {
            Space::Items => &self.items,
            Space::Index => &self.index,
            Space::TimeToLive => &self.time_to_live,
            Space::Meta => &self.meta,
        }
    }
}
