//! Capacity: what a request consumed, and how much of that its answer tells.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html>

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use crate::wire::{ObjectWriter, write_by_name};
use crate::{IndexName, TableName};

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
    pub consumed: CapacityBreakdown,
    /// Whether the answer also says what of that was the table's and what each index's.
    pub detail: CapacityDetail,
    /// What a transaction consumed the units for, which only the answers of transactions say.
    pub transaction: Option<CapacityKind>,
}

/// Units by what consumed them: the table itself, and those of its indexes that the request read or changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CapacityBreakdown {
    /// The table's own.
    pub table: CapacityUnits,
    /// Those of local indexes. An index that cost nothing is not there.
    pub local_indexes: BTreeMap<IndexName, CapacityUnits>,
    /// Those of global indexes. An index that cost nothing is not there.
    pub global_indexes: BTreeMap<IndexName, CapacityUnits>,
}

/// What units are consumed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapacityKind {
    /// Reading.
    Read,
    /// Writing.
    Write,
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

impl Mul<u64> for CapacityUnits {
    type Output = Self;

    fn mul(self, factor: u64) -> Self {
        Self { halves: self.halves.saturating_mul(factor) }
    }
}

impl Sum for CapacityUnits {
    fn sum<Units: Iterator<Item = Self>>(units: Units) -> Self {
        units.fold(Self::ZERO, Add::add)
    }
}

impl CapacityBreakdown {
    /// All of it.
    pub fn total(&self) -> CapacityUnits {
        let indexes = self.local_indexes.values().chain(self.global_indexes.values()).copied();
        self.table + indexes.sum()
    }
}

impl From<CapacityUnits> for CapacityBreakdown {
    /// Units of the table alone.
    fn from(table: CapacityUnits) -> Self {
        Self { table, ..Self::default() }
    }
}

impl AddAssign for CapacityBreakdown {
    fn add_assign(&mut self, other: Self) {
        self.table = self.table + other.table;
        for (mine, theirs) in
            [(&mut self.local_indexes, other.local_indexes), (&mut self.global_indexes, other.global_indexes)]
        {
            for (index, units) in theirs {
                let held = mine.entry(index).or_default();
                *held = *held + units;
            }
        }
    }
}

impl ReturnConsumedCapacity {
    /// The report that a request with this setting gets for what it consumed, if any.
    pub fn report(
        self,
        table_name: &TableName,
        consumed: impl Into<CapacityBreakdown>,
    ) -> Option<ConsumedCapacity> {
        let detail = match self {
            Self::None => return None,
            Self::Total => CapacityDetail::Total,
            Self::Indexes => CapacityDetail::Indexes,
        };
        let consumed = consumed.into();
        Some(ConsumedCapacity { table_name: table_name.clone(), consumed, detail, transaction: None })
    }
}

impl ConsumedCapacity {
    /// The report of a transaction, which consumed all units for this.
    #[must_use]
    pub fn of_transaction(self, kind: CapacityKind) -> Self {
        Self { transaction: Some(kind), ..self }
    }

    /// Appends the report as the service writes it.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        object.string("TableName", self.table_name.as_str());
        self.write_units(self.consumed.total(), &mut object);
        if self.detail == CapacityDetail::Indexes {
            let mut table = ObjectWriter::open(object.member("Table"));
            self.write_units(self.consumed.table, &mut table);
            table.close();
            for (member, indexes) in [
                ("LocalSecondaryIndexes", &self.consumed.local_indexes),
                ("GlobalSecondaryIndexes", &self.consumed.global_indexes),
            ] {
                if !indexes.is_empty() {
                    self.write_indexes(indexes, object.member(member));
                }
            }
        }
        object.close();
    }

    fn write_indexes(&self, indexes: &BTreeMap<IndexName, CapacityUnits>, out: &mut Vec<u8>) {
        let members = indexes.iter().map(|(name, units)| (name.as_str(), *units));
        write_by_name(out, members, |units, out| {
            let mut index = ObjectWriter::open(out);
            self.write_units(units, &mut index);
            index.close();
        });
    }

    fn write_units(&self, units: CapacityUnits, object: &mut ObjectWriter<'_>) {
        object.plain("CapacityUnits", units);
        match self.transaction {
            None => {}
            Some(CapacityKind::Read) => object.plain("ReadCapacityUnits", units),
            Some(CapacityKind::Write) => object.plain("WriteCapacityUnits", units),
        }
    }
}

impl fmt::Display for CapacityUnits {
    /// Decimal with one digit behind the point, as on the wire: `0.5`, `1.0`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = if self.halves.is_multiple_of(2) { 0 } else { 5 };
        write!(formatter, "{}.{digit}", self.halves / 2)
    }
}
