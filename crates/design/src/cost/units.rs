//! Capacity units of single operations, by size alone. Pure arithmetic; nothing here knows a design.
//!
//! A read unit is 4 KB read with strong consistency, a write unit is 1 KB written. GetItem and each item of a batch or a
//! transaction are rounded up by themselves; a page of a Query or a Scan is rounded up once, for the sum of its items.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>

use keywright_key::Consistency;

/// What one read unit reads.
pub const READ_UNIT_BYTES: u64 = 4 * 1024;
/// What one write unit writes.
pub const WRITE_UNIT_BYTES: u64 = 1024;
/// What one page of a Query or a Scan reads at most.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html>
pub const PAGE_BYTES: u64 = 1024 * 1024;
/// What an item has at most, names included.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub const LARGEST_ITEM_BYTES: u64 = 400 * 1024;
/// What an item collection has at most in a table with a local index.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit>
pub const LARGEST_COLLECTION_BYTES: u64 = 10 * 1024 * 1024 * 1024;
/// Read units a second of one partition, and so of one item.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>
pub const PARTITION_READ_UNITS: f64 = 3000.0;
/// Write units a second of one partition, and so of one item.
pub const PARTITION_WRITE_UNITS: f64 = 1000.0;
/// What storage counts beside each item and each index entry.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>
pub const ITEM_OVERHEAD_BYTES: u64 = 100;
/// What storage counts beside each item of a global table, over [`ITEM_OVERHEAD_BYTES`].
pub const REPLICATION_OVERHEAD_BYTES: u64 = 48;

/// How a read is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    /// Half a unit for 4 KB.
    Eventual,
    /// A unit for 4 KB.
    Strong,
    /// Two units for 4 KB.
    Transactional,
}

/// How a write is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteKind {
    /// A unit for 1 KB, in batches too.
    Standard,
    /// Two units for 1 KB in the table. Its indexes are written as ever.
    Transactional,
}

impl From<Consistency> for ReadKind {
    fn from(consistency: Consistency) -> ReadKind {
        match consistency {
            Consistency::Eventual => ReadKind::Eventual,
            Consistency::Strong => ReadKind::Strong,
        }
    }
}

impl ReadKind {
    const fn units_of_a_block(self) -> f64 {
        match self {
            ReadKind::Eventual => 0.5,
            ReadKind::Strong => 1.0,
            ReadKind::Transactional => 2.0,
        }
    }
}

/// The units of reading so many bytes in one piece: an item, or a page. What is not there costs what 4 KB cost.
///
/// ```
/// use keywright_design::cost::units::{ReadKind, read_units};
///
/// assert_eq!(read_units(10 * 1024, ReadKind::Strong), 3.0);
/// assert_eq!(read_units(0, ReadKind::Eventual), 0.5);
/// ```
pub fn read_units(bytes: u64, kind: ReadKind) -> f64 {
    as_figure(bytes.div_ceil(READ_UNIT_BYTES).max(1)) * kind.units_of_a_block()
}

/// The units of writing an item, or an index entry, of so many bytes: the larger of before and after.
///
/// ```
/// use keywright_design::cost::units::{WriteKind, write_units};
///
/// assert_eq!(write_units(1536, WriteKind::Standard), 2.0);
/// assert_eq!(write_units(1536, WriteKind::Transactional), 4.0);
/// ```
pub fn write_units(bytes: u64, kind: WriteKind) -> f64 {
    let units = as_figure(bytes.div_ceil(WRITE_UNIT_BYTES).max(1));
    match kind {
        WriteKind::Standard => units,
        WriteKind::Transactional => units * 2.0,
    }
}

/// What a Query or a Scan reads, page after page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pages {
    /// How many pages: at least one.
    pub count: u64,
    /// The units of all of them.
    pub units: f64,
    /// The units of the largest page.
    pub largest_page_units: f64,
}

impl Pages {
    /// The pages of `items` items of `item_bytes` each; a page ends before 1 MB is passed, and after `limit` items.
    ///
    /// ```
    /// use keywright_design::cost::units::{Pages, ReadKind};
    ///
    /// let pages = Pages::of(1_500, 64, None, ReadKind::Strong);
    /// assert_eq!((pages.count, pages.units), (1, 24.0));
    /// ```
    pub fn of(items: u64, item_bytes: u64, limit: Option<u64>, kind: ReadKind) -> Pages {
        let by_size = (PAGE_BYTES / item_bytes.max(1)).max(1);
        let in_a_page = limit.map_or(by_size, |limit| by_size.min(limit.max(1)));
        let full = items / in_a_page;
        let rest = items % in_a_page;
        let full_units = read_units(in_a_page.saturating_mul(item_bytes), kind);
        let rest_units = read_units(rest.saturating_mul(item_bytes), kind);
        let has_rest = rest > 0 || full == 0;
        Pages {
            count: full + u64::from(has_rest),
            units: as_figure(full) * full_units + if has_rest { rest_units } else { 0.0 },
            largest_page_units: if full > 0 { full_units } else { rest_units },
        }
    }
}

/// A count as a figure: exact up to 2^53, which no table reaches.
#[expect(clippy::cast_precision_loss, reason = "counts above 2^53 are rounded, which no bill shows")]
pub(super) const fn as_figure(count: u64) -> f64 {
    count as f64
}

/// A figure as a count, rounded up; never below 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a conversion that saturates: below 0 is 0, and above the largest count is that"
)]
pub(crate) fn as_count(figure: f64) -> u64 {
    figure.ceil() as u64
}
