//! How many items and bytes a table or index holds, and what DescribeTable says of it.
//!
//! The service refreshes ItemCount and TableSizeBytes about every six hours; a program that uses them as a count is
//! wrong there, so it is wrong here too: the described figures move only that often, on the engine's clock.

use std::ops::AddAssign;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::key::TableNumber;

/// How long described figures stand.
/// Source: `ItemCount` in <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html>.
const REFRESH_INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);

/// Items and their sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) items: u64,
    pub(crate) size_bytes: u64,
}

/// What one write changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatisticsChange {
    items: i64,
    size_bytes: i64,
}

impl StatisticsChange {
    /// The change from an item of one size to one of another; `None` is no item.
    pub(crate) fn between(before_bytes: Option<usize>, after_bytes: Option<usize>) -> StatisticsChange {
        // An item is at most 400 KB.
        let size = |bytes: Option<usize>| bytes.unwrap_or(0) as i64;
        StatisticsChange {
            items: i64::from(after_bytes.is_some()) - i64::from(before_bytes.is_some()),
            size_bytes: size(after_bytes) - size(before_bytes),
        }
    }
}

impl AddAssign for StatisticsChange {
    fn add_assign(&mut self, other: StatisticsChange) {
        self.items += other.items;
        self.size_bytes += other.size_bytes;
    }
}

/// The true figures of a table or index, and those that DescribeTable answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statistics {
    current: Figures,
    described: Figures,
    described_at: Timestamp,
}

impl Statistics {
    /// Of a table created now.
    pub(crate) fn new(now: Timestamp) -> Statistics {
        Statistics { current: Figures::default(), described: Figures::default(), described_at: now }
    }

    /// The bytes of the items that are there now.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.current.size_bytes
    }

    /// What DescribeTable says at `now`.
    pub(crate) fn described(&self, now: Timestamp) -> Figures {
        if self.is_due(now) { self.current } else { self.described }
    }

    pub(crate) fn changed(self, change: StatisticsChange, now: Timestamp) -> Statistics {
        let refreshed = match self.is_due(now) {
            true => Statistics { described: self.current, described_at: now, ..self },
            false => self,
        };
        let current = Figures {
            items: self.current.items.saturating_add_signed(change.items),
            size_bytes: self.current.size_bytes.saturating_add_signed(change.size_bytes),
        };
        Statistics { current, ..refreshed }
    }

    fn is_due(&self, now: Timestamp) -> bool {
        now >= self.described_at.plus(REFRESH_INTERVAL)
    }

    /// The key of a table's statistics in the `meta` space.
    pub(crate) fn key(number: TableNumber) -> Vec<u8> {
        [b"statistics/".as_slice(), &number.prefix()].concat()
    }

    /// Five big-endian 64-bit numbers: items, bytes, items and bytes as described, and when they were described.
    pub(crate) fn to_bytes(self) -> [u8; 40] {
        let fields = [
            self.current.items,
            self.current.size_bytes,
            self.described.items,
            self.described.size_bytes,
            self.described_at.milliseconds(),
        ];
        let mut bytes = [0; 40];
        for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_be_bytes());
        }
        bytes
    }

    /// Reads what `to_bytes` wrote; `None` for anything else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Statistics> {
        let (fields, rest) = bytes.as_chunks::<8>();
        let [items, size_bytes, described_items, described_size_bytes, described_at] = *fields else {
            return None;
        };
        rest.is_empty().then(|| Statistics {
            current: Figures { items: u64::from_be_bytes(items), size_bytes: u64::from_be_bytes(size_bytes) },
            described: Figures {
                items: u64::from_be_bytes(described_items),
                size_bytes: u64::from_be_bytes(described_size_bytes),
            },
            described_at: Timestamp::from_milliseconds(u64::from_be_bytes(described_at)),
        })
    }
}
