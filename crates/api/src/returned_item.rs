//! An item, or the parts of one that a request asked for, as an answer holds it.

use keywright_item::{Item, StoredItem, json};

/// What an answer holds of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum ReturnedItem {
    /// All of it, as it is stored: written to the wire without being decoded.
    Whole(StoredItem),
    /// The parts that were asked for, which may be none.
    Parts(Item),
}

impl ReturnedItem {
    /// About how long its JSON is, where that is known without writing it.
    pub(crate) fn json_bytes(&self) -> usize {
        match self {
            Self::Whole(item) => item.as_ref().json_bytes(),
            Self::Parts(_) => 0,
        }
    }

    /// Appends the attributes as the service writes them.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Whole(item) => item.write_json(out),
            Self::Parts(item) => json::write_map(item, out),
        }
    }
}

impl From<StoredItem> for ReturnedItem {
    fn from(item: StoredItem) -> Self {
        Self::Whole(item)
    }
}
