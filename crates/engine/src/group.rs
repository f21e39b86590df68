//! The writes of one group, as each of its requests sees them: the group so far, over the last commit.
//!
//! Nothing of a group is visible to readers before `commit` returned.

use std::collections::BTreeMap;
use std::sync::Arc;

use keywright_api::Error;
use keywright_item::StoredItem;

use crate::catalog::Catalog;
use crate::clock::Timestamp;
use crate::key::TableNumber;
use crate::refusal;
use crate::state::State;
use crate::statistics::{Statistics, StatisticsChange};
use crate::storage::Change::{Delete, Put};
use crate::storage::{Batch, Snapshot, Space, StorageError};
use crate::table::Table;

/// A group ends with the item that brings it to this size, so that one commit stays short.
const GROUP_BYTES: usize = 8 << 20;

/// What one request adds to its group.
#[derive(Debug, Default)]
pub(crate) struct Change {
    pub(crate) item: Option<ItemChange>,
    pub(crate) table: Option<TableChange>,
}

/// A new state of one item of a table; `None` is no item.
#[derive(Debug)]
pub(crate) struct ItemChange {
    pub(crate) table: Arc<Table>,
    pub(crate) key: Vec<u8>,
    /// The item as the group's earlier requests left it.
    pub(crate) before: Option<StoredItem>,
    pub(crate) after: Option<StoredItem>,
}

impl ItemChange {
    /// Whether the item is another one by value. Stored bytes are equal exactly when the values are, whatever the order in
    /// which a request listed the members of a map or set.
    pub(crate) fn changes_value(&self) -> bool {
        self.before.as_ref().map(StoredItem::bytes) != self.after.as_ref().map(StoredItem::bytes)
    }

    fn statistics(&self) -> StatisticsChange {
        StatisticsChange::between(
            self.before.as_ref().map(StoredItem::size_bytes),
            self.after.as_ref().map(StoredItem::size_bytes),
        )
    }
}

/// A change of the catalog.
#[derive(Debug)]
pub(crate) enum TableChange {
    Create(Table),
    /// The table stays described as being deleted until its time is over.
    Update(Table),
    Drop(Arc<Table>),
}

/// A group being decided.
pub(crate) struct Group<'state> {
    state: &'state State,
    now: Timestamp,
    snapshot: Box<dyn Snapshot + 'state>,
    batch: Batch,
    /// The bytes of the items that the group writes.
    size_bytes: usize,
    catalog: Arc<Catalog>,
    statistics: BTreeMap<TableNumber, (Arc<Table>, StatisticsChange)>,
}

impl<'state> Group<'state> {
    pub(crate) fn begin(state: &'state State) -> Result<Group<'state>, StorageError> {
        let mut group = Group {
            state,
            now: state.clock.now(),
            snapshot: state.storage.snapshot()?,
            batch: Batch::default(),
            size_bytes: 0,
            catalog: state.catalog(),
            statistics: BTreeMap::new(),
        };
        for table in group.catalog.tables_gone_at(group.now) {
            group.apply_table(TableChange::Drop(table));
        }
        Ok(group)
    }

    /// Whether it holds as much as one commit should.
    pub(crate) fn is_full(&self) -> bool {
        self.size_bytes >= GROUP_BYTES
    }

    /// The moment of every decision of this group.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) fn state(&self) -> &'state State {
        self.state
    }

    /// The tables, as the group's earlier requests left them.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The item as the group's earlier requests left it, its checksum verified.
    pub(crate) fn item(&self, table: &Table, key: &[u8]) -> Result<Option<StoredItem>, Error> {
        let bytes = match self.batch.get(Space::Items, key) {
            Some(Put(pending)) => Some(pending.clone()),
            Some(Delete) => None,
            None => {
                let mut bytes = None;
                self.snapshot
                    .get(Space::Items, key, &mut |stored| bytes = Some(stored.to_vec()))
                    .map_err(|error| refusal::storage(&error))?;
                bytes
            }
        };
        bytes
            .map(|bytes| StoredItem::open(bytes).map_err(|damage| refusal::damaged_item(table, key, &damage)))
            .transpose()
    }

    /// Adds a decided request to the group.
    pub(crate) fn apply(&mut self, change: Change) {
        if let Some(change) = change.item.filter(ItemChange::changes_value) {
            let statistics = change.statistics();
            let ItemChange { table, key, before: _, after } = change;
            self.size_bytes += after.as_ref().map_or(0, |item| item.bytes().len());
            match after {
                Some(item) => self.batch.put(Space::Items, &key, item.into_bytes()),
                None => self.batch.delete(Space::Items, &key),
            }
            self.statistics.entry(table.number).or_insert_with(|| (table, StatisticsChange::default())).1 +=
                statistics;
        }
        if let Some(change) = change.table {
            self.apply_table(change);
        }
    }

    fn apply_table(&mut self, change: TableChange) {
        let catalog = Arc::make_mut(&mut self.catalog);
        catalog.write_change(&change, &mut self.batch);
        catalog.apply(change);
    }

    /// Makes the group durable, then visible.
    ///
    /// # Errors
    /// When storage failed: nothing of the group is visible, and the storage takes no more writes.
    pub(crate) fn commit(mut self) -> Result<(), StorageError> {
        let mut published: Vec<(Arc<Table>, Statistics)> = Vec::with_capacity(self.statistics.len());
        for (table, change) in std::mem::take(&mut self.statistics).into_values() {
            // A table that was dropped in this group has no statistics any more.
            if let Some(current) = self.catalog.current(&table) {
                let statistics = current.statistics().changed(change, self.now);
                self.batch.put(Space::Meta, &Statistics::key(current.number), statistics.to_bytes().to_vec());
                published.push((Arc::clone(current), statistics));
            }
        }
        drop(self.snapshot);
        if self.batch.is_empty() {
            return Ok(());
        }
        self.state.storage.commit(&self.batch)?;
        for (table, statistics) in published {
            table.publish_statistics(statistics);
        }
        self.state.publish(self.catalog);
        Ok(())
    }
}
