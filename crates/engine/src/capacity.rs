//! Capacity units of item operations.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>

use keywright_api::{
    CapacityBreakdown, CapacityKind, CapacityUnits, Consistency, ConsumedCapacity, ReturnConsumedCapacity,
    TableName,
};
use keywright_item::StoredItem;

const WRITE_UNIT_BYTES: usize = 1024;
const READ_UNIT_BYTES: usize = 4096;

/// One write unit for each started KB of the larger of the item before and after; at least one.
pub(crate) fn write_units(before: Option<&StoredItem>, after: Option<&StoredItem>) -> CapacityUnits {
    let bytes = before.into_iter().chain(after).map(StoredItem::size_bytes).max().unwrap_or(0);
    CapacityUnits::whole(bytes.div_ceil(WRITE_UNIT_BYTES).max(1) as u64)
}

/// One read unit for each started 4 KB, half of it when eventually consistent; at least one step.
pub(crate) fn read_units(size_bytes: usize, consistency: Consistency) -> CapacityUnits {
    let steps = size_bytes.div_ceil(READ_UNIT_BYTES).max(1) as u64;
    match consistency {
        Consistency::Strong => CapacityUnits::whole(steps),
        Consistency::Eventual => CapacityUnits::halves(steps),
    }
}

/// What the members of a batch or transaction consume, by table, in the order in which the request names the tables.
#[derive(Debug)]
pub(crate) struct CapacityByTable {
    asked: ReturnConsumedCapacity,
    tables: Vec<(TableName, CapacityBreakdown)>,
}

impl CapacityByTable {
    /// Of a request that asks for so much.
    pub(crate) fn new(asked: ReturnConsumedCapacity) -> CapacityByTable {
        CapacityByTable { asked, tables: Vec::new() }
    }

    /// Adds what a member consumes, if anybody asks.
    pub(crate) fn add<Consumed: Into<CapacityBreakdown>>(
        &mut self,
        table: &TableName,
        consumed: impl FnOnce() -> Consumed,
    ) {
        if self.asked == ReturnConsumedCapacity::None {
            return;
        }
        let consumed = consumed().into();
        match self.tables.iter_mut().find(|(held, _)| held == table) {
            Some((_, sum)) => *sum += consumed,
            None => self.tables.push((table.clone(), consumed)),
        }
    }

    /// The report of a batch, if it asked for one.
    pub(crate) fn report(self) -> Option<Vec<ConsumedCapacity>> {
        if self.asked == ReturnConsumedCapacity::None {
            return None;
        }
        self.tables.into_iter().map(|(table, consumed)| self.asked.report(&table, consumed)).collect()
    }

    /// The report of a transaction, if it asked for one.
    pub(crate) fn report_transaction(self, kind: CapacityKind) -> Option<Vec<ConsumedCapacity>> {
        Some(self.report()?.into_iter().map(|table| table.of_transaction(kind)).collect())
    }
}
