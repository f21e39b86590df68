//! One secondary index of a table: its definition, its place in storage, its figures.
//!
//! Invariants: an index holds one entry for each item of its table that has all of its key attributes, and no others; an
//! entry commits with the item that it is of. Local and global indexes differ in what a reader may ask of them, not in how
//! they are kept.

mod check;
mod entry;
mod history;
mod key;
mod read;

use std::sync::{Mutex, PoisonError};

use keywright_api::{
    CapacityBreakdown, CapacityUnits, IndexDescription, IndexKind, IndexProjection, SecondaryIndex,
    TableStatus, ThroughputHistory,
};

use crate::clock::Timestamp;
use crate::key::TableNumber;
use crate::statistics::Statistics;
use crate::table::throughput::{Owner, Stage, Throughput};
use crate::table::{Audience, Table};

pub(crate) use check::{check_item, check_scalar, check_update, check_updated};
pub(crate) use entry::{EntryChange, changes};
pub(crate) use history::{IndexHistory, PastEntries};
pub(crate) use key::{EntryPartition, segment_range};
pub(crate) use read::{IndexStartKey, ReadSource, find};

/// An index's number within its table, never used again in that table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexNumber(pub(crate) u32);

/// An index of a table of the catalog.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) number: IndexNumber,
    pub(crate) definition: SecondaryIndex,
    /// Of a global index; what its definition says is in effect when the last change is over.
    pub(crate) throughput: Throughput,
    /// Written by the sequencer after each commit.
    statistics: Mutex<Statistics>,
}

impl Index {
    /// An index as it was created.
    pub(crate) fn new(number: IndexNumber, definition: SecondaryIndex, statistics: Statistics) -> Index {
        let throughput = Throughput::default();
        Index { number, definition, throughput, statistics: Mutex::new(statistics) }
    }

    /// The same index, with figures of its own from now on.
    pub(crate) fn copy(&self) -> Index {
        let copy = Index::new(self.number, self.definition.clone(), self.statistics());
        Index { throughput: self.throughput, ..copy }
    }

    pub(crate) fn is_local(&self) -> bool {
        self.definition.kind == IndexKind::Local
    }

    /// Whether its entries have this attribute of their items, where the items have it.
    pub(crate) fn projects(&self, table: &Table, name: &str) -> bool {
        match &self.definition.projection {
            IndexProjection::All => true,
            IndexProjection::KeysOnly => self.key_names(table).contains(&name),
            IndexProjection::Include(names) => {
                names.iter().any(|held| held == name) || self.key_names(table).contains(&name)
            }
        }
    }

    /// The attributes that tell an entry from all others: the table's key, then what the index's adds to it.
    pub(crate) fn key_names<'names>(&'names self, table: &'names Table) -> Vec<&'names str> {
        let mut names: Vec<&str> =
            table.key_schema.attributes().map(|(_, attribute)| attribute.name.as_str()).collect();
        for (_, attribute) in self.definition.key_schema.attributes() {
            if !names.contains(&attribute.name.as_str()) {
                names.push(&attribute.name);
            }
        }
        names
    }

    /// Adds units that the index consumed.
    pub(crate) fn charge(&self, units: CapacityUnits, consumed: &mut CapacityBreakdown) {
        let indexes = match self.is_local() {
            true => &mut consumed.local_indexes,
            false => &mut consumed.global_indexes,
        };
        let held = indexes.entry(self.definition.name.clone()).or_default();
        *held = *held + units;
    }

    pub(crate) fn describe(&self, table: &Table, now: Timestamp, audience: Audience<'_>) -> IndexDescription {
        let figures = self.statistics().described(now);
        let mut index = self.definition.clone();
        // The table may be changing alone.
        let mut status = match table.status(now) {
            TableStatus::Updating => TableStatus::Active,
            status => status,
        };
        let mut throughput = ThroughputHistory::default();
        if let IndexKind::Global(billing_mode) = &mut index.kind {
            let stage = audience.stage(&self.throughput, |table| self.earlier_throughput(table), now);
            let described = self.throughput.describe(Owner::Index, *billing_mode, now, stage);
            *billing_mode = described.billing_mode;
            throughput = described.history;
            if described.stage == Stage::UnderWay && status == TableStatus::Active {
                status = TableStatus::Updating;
            }
        }
        IndexDescription {
            index,
            arn: format!("{}/index/{}", table.arn, self.definition.name),
            status,
            throughput,
            item_count: figures.items,
            size_bytes: figures.size_bytes,
        }
    }

    /// What it had in the table as it was.
    fn earlier_throughput<'table>(&self, earlier: &'table Table) -> Option<&'table Throughput> {
        earlier.indexes.iter().find(|index| index.number == self.number).map(|index| &index.throughput)
    }

    pub(crate) fn statistics(&self) -> Statistics {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn publish_statistics(&self, statistics: Statistics) {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
    }

    /// The key of an index's statistics in the `meta` space.
    pub(crate) fn statistics_key(table: TableNumber, index: IndexNumber) -> Vec<u8> {
        [b"index-statistics/".as_slice(), &table.prefix(), &index.0.to_be_bytes()].concat()
    }
}
