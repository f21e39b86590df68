//! A page of items, as Query and Scan read one.
//!
//! Invariants: the page ends by what is read, never by what the filter lets through or the projection keeps; items are
//! looked at in their stored bytes, and only what is returned is copied.

use std::ops::ControlFlow;

use keywright_api::{Error, Filter, ReturnedItem, Select};
use keywright_item::{Item, StoredItemRef};

use crate::key::KeyRange;
use crate::refusal;
use crate::state::State;
use crate::storage::{Direction, Space};
use crate::table::Table;

/// What was read, and what of it is returned.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Empty where only the count is selected.
    pub(crate) items: Vec<ReturnedItem>,
    /// How many items satisfy the filter.
    pub(crate) count: usize,
    /// How many items were read.
    pub(crate) scanned_count: usize,
    /// The bytes of the items that were read: what capacity is counted by.
    pub(crate) size_bytes: usize,
    pub(crate) last_evaluated_key: Option<Item>,
}

/// How a page is read.
#[derive(Debug)]
pub(crate) struct PageRequest<'request> {
    pub(crate) table: &'request Table,
    pub(crate) range: KeyRange,
    pub(crate) direction: Direction,
    /// The most items that are read.
    pub(crate) limit: usize,
    pub(crate) filter: Option<&'request Filter>,
    pub(crate) select: &'request Select,
}

/// A page ends with the item that brings it to this size.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html>
const PAGE_BYTES: usize = 1 << 20;

impl PageRequest<'_> {
    /// Reads items until the range, the limit or the page's size ends. A page that was cut short by limit or size names
    /// its last item's key, whether or not another item follows.
    pub(crate) fn read(&self, state: &State) -> Result<Page, Error> {
        let key_names: Vec<&str> =
            self.table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str()).collect();
        let mut page = Page::default();
        let mut damaged = None;
        let mut visit = |key: &[u8], bytes: &[u8]| {
            let item = match StoredItemRef::open(bytes) {
                Ok(item) => item,
                Err(damage) => {
                    damaged = Some(refusal::damaged_item(self.table, key, &damage));
                    return ControlFlow::Break(());
                }
            };
            page.scanned_count += 1;
            page.size_bytes += item.size_bytes();
            if self.filter.is_none_or(|filter| filter.condition.holds(Some(item))) {
                page.count += 1;
                page.items.extend(self.returned(item));
            }
            if page.scanned_count == self.limit || page.size_bytes >= PAGE_BYTES {
                page.last_evaluated_key = Some(item.project(key_names.iter().copied()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        state
            .storage
            .snapshot()
            .and_then(|snapshot| snapshot.scan(Space::Items, self.range.bounds(), self.direction, &mut visit))
            .map_err(|error| refusal::storage(&error))?;
        state.check_still_there(self.table)?;
        match damaged {
            Some(error) => Err(error),
            None => Ok(page),
        }
    }

    fn returned(&self, item: StoredItemRef<'_>) -> Option<ReturnedItem> {
        match self.select {
            Select::AllAttributes => Some(ReturnedItem::Whole(item.to_owned())),
            Select::Attributes(projection) => Some(ReturnedItem::Parts(projection.apply(item))),
            Select::Count => None,
        }
    }
}
