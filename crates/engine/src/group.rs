//! The writes of one group, as each of its requests sees them: the group so far, over the last commit.
//!
//! Nothing of a group is visible to readers before `commit` returned.

use std::collections::BTreeMap;
use std::sync::Arc;

use keywright_api::{CapacityBreakdown, ConsumedCapacity, Error, ReturnConsumedCapacity};
use keywright_item::StoredItem;

use crate::capacity;
use crate::catalog::Catalog;
use crate::clock::Timestamp;
use crate::idempotency::{ExpiredTokens, TokenChange, TokenRecord};
use crate::index::{self, EntryChange, Index, IndexNumber};
use crate::key::TableNumber;
use crate::refusal;
use crate::state::State;
use crate::statistics::{Statistics, StatisticsChange};
use crate::storage::Change::{Delete, Put};
use crate::storage::{Batch, Snapshot, Space, StorageError};
use crate::table::Table;

/// A group ends with the item that brings it to this size, so that one commit stays short.
const GROUP_BYTES: usize = 8 << 20;

/// What one request adds to its group: all of it commits together.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// At most one for each item.
    pub(crate) items: Vec<ItemChange>,
    pub(crate) table: Option<TableChange>,
    pub(crate) token: Option<TokenChange>,
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

    /// What it consumes of the table and of the indexes that it changes.
    pub(crate) fn consumed(&self) -> CapacityBreakdown {
        let units = capacity::write_units(self.before.as_ref(), self.after.as_ref());
        let mut consumed = CapacityBreakdown::from(units);
        for entry in self.entries() {
            entry.index.charge(entry.units(), &mut consumed);
        }
        consumed
    }

    /// What it consumes, for a request that asks so much about it.
    pub(crate) fn report(&self, wanted: ReturnConsumedCapacity) -> Option<ConsumedCapacity> {
        match wanted {
            ReturnConsumedCapacity::None => None,
            wanted => wanted.report(&self.table.name, self.consumed()),
        }
    }

    /// What it changes in the table's indexes.
    pub(crate) fn entries(&self) -> Vec<EntryChange<'_>> {
        index::changes(&self.table, &self.key, self.before.as_ref(), self.after.as_ref())
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
    /// Other settings, or the table is being deleted: it stays described so until its time is over.
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
    figures: BTreeMap<TableNumber, FiguresChange>,
    /// How many client request tokens it records.
    tokens: usize,
}

/// What a group changes in the figures of a table and its indexes.
struct FiguresChange {
    table: Arc<Table>,
    items: StatisticsChange,
    entries: BTreeMap<IndexNumber, StatisticsChange>,
}

impl<'state> Group<'state> {
    pub(crate) fn begin(state: &'state State) -> Result<Group<'state>, StorageError> {
        let now = state.clock.now();
        let mut group = Group {
            state,
            now,
            snapshot: state.storage.snapshot()?,
            batch: Batch::decided_at(now),
            size_bytes: 0,
            catalog: Arc::clone(&state.catalog()),
            figures: BTreeMap::new(),
            tokens: 0,
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

    /// The last commit, without what the group changes.
    pub(crate) fn snapshot(&self) -> &dyn Snapshot {
        self.snapshot.as_ref()
    }

    /// The item as the group's earlier requests left it, its checksum verified.
    pub(crate) fn item(&self, table: &Table, key: &[u8]) -> Result<Option<StoredItem>, Error> {
        self.value(Space::Items, key)?
            .map(|bytes| StoredItem::open(bytes).map_err(|damage| refusal::damaged_item(table, key, &damage)))
            .transpose()
    }

    /// What is recorded of a client request token, be it over or not.
    pub(crate) fn token(&self, token: &str) -> Result<Option<TokenRecord>, Error> {
        self.value(Space::TimeToLive, &TokenRecord::key(token))?
            .map(|bytes| TokenRecord::from_bytes(&bytes).ok_or_else(|| refusal::damaged_token(token)))
            .transpose()
    }

    /// A value as the group's earlier requests left it.
    fn value(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        match self.batch.get(space, key) {
            Some(Put(pending)) => Ok(Some(pending.clone())),
            Some(Delete) => Ok(None),
            None => {
                let mut bytes = None;
                self.snapshot
                    .get(space, key, &mut |stored| bytes = Some(stored.to_vec()))
                    .map_err(|error| refusal::storage(&error))?;
                Ok(bytes)
            }
        }
    }

    /// Adds a decided request to the group.
    pub(crate) fn apply(&mut self, change: Change) {
        for change in change.items.into_iter().filter(ItemChange::changes_value) {
            self.apply_item(change);
        }
        if let Some(token) = change.token {
            token.write(&mut self.batch);
            self.tokens += 1;
        }
        if let Some(change) = change.table {
            self.apply_table(change);
        }
    }

    /// Writes an item and what follows of it in the indexes.
    fn apply_item(&mut self, change: ItemChange) {
        let figures = self.figures.entry(change.table.number).or_insert_with(|| FiguresChange {
            table: Arc::clone(&change.table),
            items: StatisticsChange::default(),
            entries: BTreeMap::new(),
        });
        figures.items += change.statistics();
        for entry in change.entries() {
            *figures.entries.entry(entry.index.number).or_default() += entry.statistics();
            let EntryChange { index: _, before, after } = entry;
            if let Some(before) =
                before.filter(|before| after.as_ref().is_none_or(|after| after.key != before.key))
            {
                self.batch.delete(Space::Index, &before.key);
            }
            if let Some(after) = after {
                self.size_bytes += after.item.bytes().len();
                self.batch.put(Space::Index, &after.key, after.item.into_bytes());
            }
        }
        self.size_bytes += change.after.as_ref().map_or(0, |item| item.bytes().len());
        match change.after {
            Some(item) => self.batch.put(Space::Items, &change.key, item.into_bytes()),
            None => self.batch.delete(Space::Items, &change.key),
        }
    }

    fn apply_table(&mut self, change: TableChange) {
        let catalog = Arc::make_mut(&mut self.catalog);
        catalog.write_change(&change, &mut self.batch);
        catalog.apply(change);
    }

    /// Makes the group durable, then visible; tokens whose time is over leave with those that it records.
    ///
    /// # Errors
    /// When storage failed: nothing of the group is visible, and the storage takes no more writes; or when the disk is full:
    /// nothing of the group is kept.
    pub(crate) fn commit(mut self, expired: &mut ExpiredTokens) -> Result<(), StorageError> {
        let mut published: Vec<Published> = Vec::with_capacity(self.figures.len());
        for change in std::mem::take(&mut self.figures).into_values() {
            // A table that was dropped in this group has no figures any more.
            if let Some(current) = self.catalog.current(&change.table).cloned() {
                published.push(self.write_figures(current, change));
            }
        }
        let mut expired_after = None;
        if self.tokens > 0 {
            let snapshot = self.snapshot.as_ref();
            expired_after = Some(expired.remove(snapshot, self.now, 2 * self.tokens, &mut self.batch)?);
        }
        if let Some(history) = &self.state.index_history {
            history.record(self.now, self.snapshot.as_ref(), &self.batch)?;
        }
        drop(self.snapshot);
        if self.batch.is_empty() {
            return Ok(());
        }
        self.state.storage.commit(&self.batch)?;
        if let Some(after) = expired_after {
            *expired = after;
        }
        for Published { table, items, entries } in published {
            table.publish_statistics(items);
            for index in &table.indexes {
                if let Some(statistics) = entries.get(&index.number) {
                    index.publish_statistics(*statistics);
                }
            }
        }
        self.state.publish(self.catalog);
        Ok(())
    }

    fn write_figures(&mut self, table: Arc<Table>, change: FiguresChange) -> Published {
        let items = table.statistics().changed(change.items, self.now);
        self.batch.put(Space::Meta, &Statistics::key(table.number), items.to_bytes().to_vec());
        let mut entries = BTreeMap::new();
        for index in &table.indexes {
            let Some(change) = change.entries.get(&index.number) else { continue };
            let statistics = index.statistics().changed(*change, self.now);
            let key = Index::statistics_key(table.number, index.number);
            self.batch.put(Space::Meta, &key, statistics.to_bytes().to_vec());
            entries.insert(index.number, statistics);
        }
        Published { table, items, entries }
    }
}

/// The figures of a table and its indexes as they are after a group.
struct Published {
    table: Arc<Table>,
    items: Statistics,
    entries: BTreeMap<IndexNumber, Statistics>,
}
