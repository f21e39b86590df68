//! Item collections: what a write tells about the sizes of those that it touched.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html>

use keywright_item::{Item, json};

use crate::TableName;
use crate::wire::{ObjectWriter, write_array, write_by_name};

/// Whether a write wants to be told about the item collection that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnItemCollectionMetrics {
    /// It does not.
    #[default]
    None,
    /// It does; only tables with local indexes tell.
    Size,
}

/// An item collection: the items with one partition key, and their entries in local indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The partition key.
    pub key: Item,
    /// The collection is at least so many gigabytes large, and at most one more.
    pub least_gigabytes: u64,
}

impl ItemCollectionMetrics {
    /// Appends the metrics as the service writes them.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        json::write_map(&self.key, object.member("ItemCollectionKey"));
        let range = [self.least_gigabytes, self.least_gigabytes.saturating_add(1)];
        write_array(object.member("SizeEstimateRangeGB"), range, |gigabytes, out| {
            out.extend_from_slice(format!("{gigabytes}.0").as_bytes());
        });
        object.close();
    }
}

/// The collections that a batch or transaction touched, by table.
pub type ItemCollectionTables = Vec<(TableName, Vec<ItemCollectionMetrics>)>;

/// Appends the metrics of the collections that a batch or transaction touched, by table.
pub(crate) fn write_by_table(tables: &ItemCollectionTables, out: &mut Vec<u8>) {
    let members = tables.iter().map(|(name, metrics)| (name.as_str(), metrics));
    write_by_name(out, members, |metrics, out| write_array(out, metrics, ItemCollectionMetrics::write_json));
}
