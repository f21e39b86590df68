//! What a write of an item changes in the indexes of its table.

use keywright_api::{CapacityUnits, IndexProjection};
use keywright_item::{StoredItem, StoredItemRef};

use super::Index;
use super::key::{EntryPartition, KeyValue};
use crate::capacity;
use crate::statistics::StatisticsChange;
use crate::table::Table;

/// An index's view of an item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: Vec<u8>,
    /// What the index projects of the item.
    pub(crate) item: StoredItem,
}

/// A change of an index's view of one item, which is another one afterwards.
#[derive(Debug)]
pub(crate) struct EntryChange<'table> {
    pub(crate) index: &'table Index,
    pub(crate) before: Option<Entry>,
    pub(crate) after: Option<Entry>,
}

/// The indexes whose view of the item at `item_key` changes.
pub(crate) fn changes<'table>(
    table: &'table Table,
    item_key: &[u8],
    before: Option<&StoredItem>,
    after: Option<&StoredItem>,
) -> Vec<EntryChange<'table>> {
    if before == after {
        return Vec::new();
    }
    let view = |index: &Index, item: Option<&StoredItem>| index.entry(table, item_key, item?);
    table
        .indexes
        .iter()
        .map(|index| EntryChange { index, before: view(index, before), after: view(index, after) })
        .filter(|change| change.before != change.after)
        .collect()
}

impl Index {
    /// The entry of an item, if it has all key attributes with values that they can have.
    fn entry(&self, table: &Table, item_key: &[u8], item: &StoredItem) -> Option<Entry> {
        let key = self.entry_key(table, item_key, item.as_ref())?;
        let item = match &self.definition.projection {
            IndexProjection::All => item.clone(),
            projection => {
                let named = projection.named().iter().map(String::as_str);
                StoredItem::encode(&item.project(self.key_names(table).into_iter().chain(named)))
            }
        };
        Some(Entry { key, item })
    }

    fn entry_key(&self, table: &Table, item_key: &[u8], item: StoredItemRef<'_>) -> Option<Vec<u8>> {
        let mut values = Vec::with_capacity(2);
        for (_, attribute) in self.definition.key_schema.attributes() {
            let value = item.get(&attribute.name)?;
            // An item may be older than the index, and have any value.
            let value = Some(value).filter(|value| value.type_name() == attribute.kind.wire_name());
            values.push(KeyValue::of_stored(value?).filter(|value| !value.is_empty())?);
        }
        let (partition, sort) = values.split_at(self.definition.key_schema.partition_key.len());
        let partition = EntryPartition::of(table.number, self.number, partition.iter().copied());
        Some(partition.entry(sort.iter().copied(), item_key))
    }
}

impl EntryChange<'_> {
    /// What the change costs: a move is a removal and a new entry.
    pub(crate) fn units(&self) -> CapacityUnits {
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        let of = |before: Option<&Entry>, after: Option<&Entry>| {
            capacity::write_units(before.map(|entry| &entry.item), after.map(|entry| &entry.item))
        };
        match (before, after) {
            (Some(old), Some(new)) if old.key != new.key => of(before, None) + of(None, after),
            _ => of(before, after),
        }
    }

    pub(crate) fn statistics(&self) -> StatisticsChange {
        let size_bytes = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.item.size_bytes());
        StatisticsChange::between(size_bytes(&self.before), size_bytes(&self.after))
    }
}
