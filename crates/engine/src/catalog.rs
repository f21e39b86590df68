//! The tables of an engine, by name, and the dropped ones whose items are still being removed.
//!
//! An immutable value: a group changes its own copy, which is published after the group's commit. Table numbers are never
//! used again, so that nothing of a dropped table can show up in a new one of the same name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, ControlFlow};
use std::sync::Arc;

use keywright_api::{Error, ResourceNotFound, TableName};

use crate::clock::Timestamp;
use crate::group::TableChange;
use crate::index::Index;
use crate::key::TableNumber;
use crate::statistics::Statistics;
use crate::storage::{Batch, Direction, Space, Storage, StorageError};
use crate::table::{StoredTableError, Table};

const TABLE_PREFIX: &[u8] = b"table/";
const DROPPED_PREFIX: &[u8] = b"dropped/";
const NEXT_NUMBER: &[u8] = b"next_table_id";

/// All tables of an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    tables: BTreeMap<String, Arc<Table>>,
    dropped: BTreeSet<TableNumber>,
    next_number: u64,
}

/// Why the catalog in storage cannot be read.
#[derive(Debug)]
pub(crate) enum LoadError {
    Storage(StorageError),
    /// A record of the `meta` space that no program wrote so; holds its key, and why.
    Damaged(String, String),
    /// A record of the `meta` space that a later program wrote; holds its key, and what is not known.
    Unknown(String, String),
}

impl Catalog {
    /// Reads the catalog of a store.
    pub(crate) fn load(storage: &dyn Storage, now: Timestamp) -> Result<Catalog, LoadError> {
        let mut records: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        storage
            .snapshot()
            .and_then(|snapshot| {
                snapshot.scan(
                    Space::Meta,
                    (Bound::Unbounded, Bound::Unbounded),
                    Direction::Forward,
                    &mut |key, value| {
                        records.push((key.to_vec(), value.to_vec()));
                        ControlFlow::Continue(())
                    },
                )
            })
            .map_err(LoadError::Storage)?;
        let statistics: BTreeMap<&[u8], &[u8]> =
            records.iter().map(|(key, value)| (key.as_slice(), value.as_slice())).collect();
        let text = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        let damaged = |key: &[u8], reason: String| LoadError::Damaged(text(key), reason);

        let mut catalog = Catalog { next_number: 1, ..Catalog::default() };
        for (key, value) in &records {
            if key.starts_with(TABLE_PREFIX) {
                let table = Table::from_bytes(value).map_err(|error| match error {
                    StoredTableError::Damaged(reason) => damaged(key, reason),
                    StoredTableError::Unknown(reason) => LoadError::Unknown(text(key), reason),
                })?;
                let figures = |key: Vec<u8>| match statistics.get(key.as_slice()) {
                    None => Ok(Statistics::new(now)),
                    Some(bytes) => Statistics::from_bytes(bytes)
                        .ok_or_else(|| damaged(&key, "it is not five 64-bit numbers".to_owned())),
                };
                table.publish_statistics(figures(Statistics::key(table.number))?);
                for index in &table.indexes {
                    let key = Index::statistics_key(table.number, index.number);
                    index.publish_statistics(figures(key)?);
                }
                catalog.tables.insert(table.name.to_string(), Arc::new(table));
            } else if let Some(number) = key.strip_prefix(DROPPED_PREFIX) {
                catalog
                    .dropped
                    .insert(TableNumber(read_number(number).ok_or_else(|| {
                        damaged(key, "its name does not end in a 64-bit number".to_owned())
                    })?));
            } else if key == NEXT_NUMBER {
                catalog.next_number =
                    read_number(value).ok_or_else(|| damaged(key, "it is not a 64-bit number".to_owned()))?;
            }
        }
        Ok(catalog)
    }

    /// The table, if it exists at `now`, in whatever status.
    pub(crate) fn table(&self, name: &TableName, now: Timestamp) -> Option<&Arc<Table>> {
        self.tables.get(name.as_str()).filter(|table| !table.is_gone(now))
    }

    /// The table, if items can be read and written at `now`.
    pub(crate) fn active_table(&self, name: &TableName, now: Timestamp) -> Result<&Arc<Table>, Error> {
        self.table(name, now)
            .filter(|table| table.is_active(now))
            .ok_or(Error::ResourceNotFound(ResourceNotFound::Resource))
    }

    /// This very table as it is now, not another of its name.
    pub(crate) fn current(&self, table: &Table) -> Option<&Arc<Table>> {
        self.tables.get(table.name.as_str()).filter(|held| held.number == table.number)
    }

    /// Refuses a write that was prepared for a table which has been deleted since.
    pub(crate) fn check_active(&self, table: &Table, now: Timestamp) -> Result<(), Error> {
        match self.current(table) {
            Some(current) if current.is_active(now) => Ok(()),
            _ => Err(Error::ResourceNotFound(ResourceNotFound::Resource)),
        }
    }

    /// Names in the order in which ListTables answers them, from after `start`.
    pub(crate) fn names_after<'catalog>(
        &'catalog self,
        start: Option<&str>,
        now: Timestamp,
    ) -> impl Iterator<Item = &'catalog TableName> {
        let lower = start.map_or(Bound::Unbounded, Bound::Excluded);
        self.tables
            .range::<str, _>((lower, Bound::Unbounded))
            .map(|(_, table)| table)
            .filter(move |table| !table.is_gone(now))
            .map(|table| &table.name)
    }

    pub(crate) fn next_number(&self) -> TableNumber {
        TableNumber(self.next_number)
    }

    /// Tables whose time as DELETING is over.
    pub(crate) fn tables_gone_at(&self, now: Timestamp) -> Vec<Arc<Table>> {
        self.tables.values().filter(|table| table.is_gone(now)).cloned().collect()
    }

    /// The tables that are still to be emptied, the oldest first.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = TableNumber> {
        self.dropped.iter().copied()
    }

    /// Records a change of the catalog, to be committed with its group.
    pub(crate) fn write_change(&self, change: &TableChange, batch: &mut Batch) {
        match change {
            TableChange::Create(table) => {
                batch.put(Space::Meta, &table_key(&table.name), table.to_bytes());
                batch.put(
                    Space::Meta,
                    &Statistics::key(table.number),
                    table.statistics().to_bytes().to_vec(),
                );
                for index in &table.indexes {
                    let key = Index::statistics_key(table.number, index.number);
                    batch.put(Space::Meta, &key, index.statistics().to_bytes().to_vec());
                }
                batch.put(Space::Meta, NEXT_NUMBER, (table.number.0 + 1).to_be_bytes().to_vec());
            }
            TableChange::Update(table) => batch.put(Space::Meta, &table_key(&table.name), table.to_bytes()),
            TableChange::Drop(table) => {
                batch.delete(Space::Meta, &table_key(&table.name));
                batch.delete(Space::Meta, &Statistics::key(table.number));
                for index in &table.indexes {
                    batch.delete(Space::Meta, &Index::statistics_key(table.number, index.number));
                }
                batch.put(Space::Meta, &dropped_key(table.number), Vec::new());
            }
        }
    }

    pub(crate) fn apply(&mut self, change: TableChange) {
        match change {
            TableChange::Create(table) => {
                self.next_number = table.number.0 + 1;
                self.tables.insert(table.name.to_string(), Arc::new(table));
            }
            TableChange::Update(table) => {
                self.tables.insert(table.name.to_string(), Arc::new(table));
            }
            TableChange::Drop(table) => {
                self.tables.remove(table.name.as_str());
                self.dropped.insert(table.number);
            }
        }
    }

    /// Forgets a dropped table that is empty now.
    pub(crate) fn forget_dropped(&mut self, number: TableNumber, batch: &mut Batch) {
        batch.delete(Space::Meta, &dropped_key(number));
        self.dropped.remove(&number);
    }
}

fn table_key(name: &TableName) -> Vec<u8> {
    [TABLE_PREFIX, name.as_str().as_bytes()].concat()
}

fn dropped_key(number: TableNumber) -> Vec<u8> {
    [DROPPED_PREFIX, &number.prefix()].concat()
}

fn read_number(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_be_bytes)
}
