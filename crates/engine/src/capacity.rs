//! Capacity units of item operations.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>

use keywright_api::{CapacityUnits, Consistency};
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
