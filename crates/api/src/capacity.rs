//! Capacity: what a request consumed, and how much of that its answer tells.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html>

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use crate::TableName;
use crate::wire::ObjectWriter;

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

impl ConsumedCapacity {
    /// Appends the report as the service writes it.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        object.string("TableName", self.table_name.as_str());
        object.plain("CapacityUnits", self.units);
        if self.detail == CapacityDetail::Indexes {
            let mut table = ObjectWriter::open(object.member("Table"));
            table.plain("CapacityUnits", self.units);
            table.close();
        }
        object.close();
    }
}

impl fmt::Display for CapacityUnits {
    /// Decimal with one digit behind the point, as on the wire: `0.5`, `1.0`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = if self.halves.is_multiple_of(2) { 0 } else { 5 };
        write!(formatter, "{}.{digit}", self.halves / 2)
    }
}
