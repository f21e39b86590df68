//! A page of items, as Query and Scan read one.
//!
//! Invariants: the page ends by what is read, never by what the filter lets through or the projection keeps; items are
//! looked at in their stored bytes, and only what is returned is copied; entries of an index and the items that are fetched
//! for them are of one moment.

use std::ops::ControlFlow;
use std::time::Duration;

use keywright_api::{CapacityBreakdown, CapacityUnits, Consistency, Error, Filter, ReturnedItem, Select};
use keywright_item::{Item, StoredItem, StoredItemRef};

use crate::capacity;
use crate::clock::Timestamp;
use crate::index::{Index, PastEntries, ReadSource};
use crate::key::KeyRange;
use crate::key_schema::PrimaryKey;
use crate::refusal;
use crate::state::State;
use crate::storage::{Direction, Snapshot, Space};
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
    pub(crate) last_evaluated_key: Option<Item>,
    /// The bytes of the items or entries that were read.
    size_bytes: usize,
    /// The sizes of the items that were fetched for entries.
    fetched_bytes: Vec<usize>,
}

/// How a page is read.
#[derive(Debug)]
pub(crate) struct PageRequest<'request> {
    pub(crate) table: &'request Table,
    pub(crate) source: ReadSource<'request>,
    /// How far a global index is behind.
    pub(crate) index_lag: Duration,
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
        let now = state.clock.now();
        let snapshot = state.storage.snapshot().map_err(|error| refusal::storage(&error))?;
        let past = self.past(state, now);
        let mut page = Page::default();
        let mut failed = None;
        let mut visit = |key: &[u8], bytes: &[u8]| {
            self.visit(snapshot.as_ref(), key, bytes, &mut page).unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        };
        let scanned = match past {
            None => snapshot.scan(self.source.space(), self.range.bounds(), self.direction, &mut visit),
            Some(past) => past.scan(snapshot.as_ref(), &self.range, self.direction, &mut visit),
        };
        scanned.map_err(|error| refusal::storage(&error))?;
        state.check_still_there(self.table)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(page),
        }
    }

    /// What is to be seen of a global index that is behind.
    fn past(&self, state: &State, now: Timestamp) -> Option<PastEntries> {
        let history = state.index_history.as_ref().filter(|_| !self.index_lag.is_zero())?;
        match self.source {
            ReadSource::Entries(index) if !index.is_local() => {
                Some(history.behind(now, self.index_lag, &self.range))
            }
            _ => None,
        }
    }

    /// Adds an item or entry to the page, and says whether the page goes on.
    fn visit(
        &self,
        snapshot: &dyn Snapshot,
        key: &[u8],
        bytes: &[u8],
        page: &mut Page,
    ) -> Result<ControlFlow<()>, Error> {
        let read =
            StoredItemRef::open(bytes).map_err(|damage| refusal::damaged_item(self.table, key, &damage))?;
        page.scanned_count += 1;
        page.size_bytes += read.size_bytes();
        match self.source {
            ReadSource::Table | ReadSource::Entries(_) => self.add(read, page),
            ReadSource::Fetched(index) => {
                let item = self.fetch(snapshot, index, key, read)?;
                page.fetched_bytes.push(item.size_bytes());
                self.add(item.as_ref(), page);
            }
        }
        let size_bytes = page.size_bytes + page.fetched_bytes.iter().sum::<usize>();
        if page.scanned_count == self.limit || size_bytes >= PAGE_BYTES {
            page.last_evaluated_key = Some(read.project(self.source.key_names(self.table)));
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn add(&self, item: StoredItemRef<'_>, page: &mut Page) {
        if !self.filter.is_none_or(|filter| filter.condition.holds(Some(item))) {
            return;
        }
        page.count += 1;
        match self.select {
            Select::AllAttributes | Select::AllProjected => {
                page.items.push(ReturnedItem::Whole(item.to_owned()));
            }
            Select::Attributes(projection) => page.items.push(ReturnedItem::Parts(projection.apply(item))),
            Select::Count => {}
        }
    }

    /// The item of an entry.
    fn fetch(
        &self,
        snapshot: &dyn Snapshot,
        index: &Index,
        entry_key: &[u8],
        entry: StoredItemRef<'_>,
    ) -> Result<StoredItem, Error> {
        let names = self.table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str());
        let key = entry.project(names);
        let item_key = PrimaryKey::exact(&self.table.key_schema, &key)?.storage_key(self.table.number);
        let mut stored = None;
        snapshot
            .get(Space::Items, &item_key, &mut |bytes| stored = Some(bytes.to_vec()))
            .map_err(|error| refusal::storage(&error))?;
        let bytes = stored.ok_or_else(|| refusal::entry_without_item(self.table, index, entry_key))?;
        StoredItem::open(bytes).map_err(|damage| refusal::damaged_item(self.table, &item_key, &damage))
    }
}

impl Page {
    /// What reading it consumed. The entries of an index are counted together, the items fetched for them each for itself.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ThroughputConsiderations>
    pub(crate) fn consumed(&self, source: ReadSource<'_>, consistency: Consistency) -> CapacityBreakdown {
        let units = capacity::read_units(self.size_bytes, consistency);
        let (ReadSource::Entries(index) | ReadSource::Fetched(index)) = source else { return units.into() };
        let fetched = self.fetched_bytes.iter().map(|bytes| capacity::read_units(*bytes, consistency));
        let mut consumed = CapacityBreakdown::from(fetched.sum::<CapacityUnits>());
        index.charge(units, &mut consumed);
        consumed
    }
}

impl<'table> ReadSource<'table> {
    const fn space(self) -> Space {
        match self {
            ReadSource::Table => Space::Items,
            ReadSource::Entries(_) | ReadSource::Fetched(_) => Space::Index,
        }
    }

    /// The attributes of an exclusive start key.
    fn key_names(self, table: &'table Table) -> Vec<&'table str> {
        match self {
            ReadSource::Table => {
                table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str()).collect()
            }
            ReadSource::Entries(index) | ReadSource::Fetched(index) => index.key_names(table),
        }
    }
}
