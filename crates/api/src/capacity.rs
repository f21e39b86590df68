//! Capacity: what a request consumed, and how much of that its answer tells.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html>

use std::iter::Sum;
use std::ops::Add;

use crate::TableName;

/// Capacity units, counted exactly in halves: an eventually consistent read of up to 4 KB costs half a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CapacityUnits {
    halves: u64,
}

/// What a request consumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumedCapacity {
    /// The table that the request named.
    pub table_name: TableName,
    /// Everything that it consumed.
    pub units: CapacityUnits,
    /// Whether the answer also says what of that was the table's.
    pub detail: CapacityDetail,
}

/// How much an answer tells about the consumed capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapacityDetail {
    /// The sum only.
    Total,
    /// The sum, and the table and its indexes apart.
    Indexes,
}

/// How much a request wants to be told about the capacity that it consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnConsumedCapacity {
    /// Nothing.
    #[default]
    None,
    /// The sum.
    Total,
    /// The sum, and the table and its indexes apart.
    Indexes,
}

impl CapacityUnits {
    /// Nothing.
    pub const ZERO: Self = Self { halves: 0 };

    /// This many whole units.
    pub const fn whole(units: u64) -> Self {
        Self { halves: units.saturating_mul(2) }
    }

    /// This many half units.
    pub const fn halves(halves: u64) -> Self {
        Self { halves }
    }

    /// The number of half units.
    pub const fn in_halves(self) -> u64 {
        self.halves
    }
}

impl Add for CapacityUnits {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { halves: self.halves.saturating_add(other.halves) }
    }
}

impl Sum for CapacityUnits {
    fn sum<Units: Iterator<Item = Self>>(units: Units) -> Self {
        units.fold(Self::ZERO, Add::add)
    }
}

impl ReturnConsumedCapacity {
    /// The report that a request with this setting gets for what it consumed, if any.
    pub fn report(self, table_name: &TableName, units: CapacityUnits) -> Option<ConsumedCapacity> {
        let detail = match self {
            Self::None => return None,
            Self::Total => CapacityDetail::Total,
            Self::Indexes => CapacityDetail::Indexes,
        };
        Some(ConsumedCapacity { table_name: table_name.clone(), units, detail })
    }
}
