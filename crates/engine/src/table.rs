//! One table: its key schema, its settings, its status as time passes, and its statistics.
//!
//! Status is derived from the clock, never set by a timer: a table is CREATING until `active_at`, UPDATING while a change of its
//! throughput is under way, and DELETING from the moment that DeleteTable was accepted until `gone_at`. A clock that was set
//! back to before a table's creation does not make it CREATING again.

mod stored;
pub(crate) mod throughput;

use std::sync::{Mutex, PoisonError};

use keywright_api::{
    BillingMode, DeletionProtection, KeySchema, TableClass, TableDescription, TableName, TableStatus, Tag,
};

use crate::clock::Timestamp;
use crate::index::Index;
use crate::key::TableNumber;
use crate::statistics::Statistics;

use self::throughput::{Described, Owner, Stage, Throughput};

pub(crate) use stored::StoredTableError;

/// A table of the catalog.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) number: TableNumber,
    pub(crate) name: TableName,
    /// A UUID.
    pub(crate) id: String,
    pub(crate) arn: String,
    pub(crate) key_schema: KeySchema,
    /// In the order in which they were defined.
    pub(crate) indexes: Vec<Index>,
    /// In effect when the last change of `throughput` is over.
    pub(crate) billing_mode: BillingMode,
    pub(crate) throughput: Throughput,
    /// When it last went on demand, be it by its creation; `None` if never.
    pub(crate) on_demand_since: Option<Timestamp>,
    pub(crate) table_class: Option<TableClass>,
    pub(crate) deletion_protection: DeletionProtection,
    pub(crate) tags: Vec<Tag>,
    pub(crate) created_at: Timestamp,
    pub(crate) active_at: Timestamp,
    pub(crate) gone_at: Option<Timestamp>,
    /// Written by the sequencer after each commit.
    pub(crate) statistics: Mutex<Statistics>,
}

/// For whom a table is described.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience<'table> {
    /// Who asks what it is.
    Reader,
    /// Who just changed it, from this: the change is under way, however short it is.
    Changer(&'table Table),
}

impl Audience<'_> {
    /// How the audience sees a throughput, which `earlier` finds in the table as it was.
    pub(crate) fn stage(
        self,
        throughput: &Throughput,
        earlier: impl Fn(&Table) -> Option<&Throughput>,
        now: Timestamp,
    ) -> Stage {
        let is_new = match self {
            Audience::Reader => false,
            Audience::Changer(table) => earlier(table) != Some(throughput),
        };
        if is_new || throughput.is_changing(now) { Stage::UnderWay } else { Stage::Over }
    }
}

impl Table {
    /// Whether its deletion is over.
    pub(crate) fn is_gone(&self, now: Timestamp) -> bool {
        self.gone_at.is_some_and(|gone_at| gone_at <= now)
    }

    /// Whether its items can be read and written.
    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        matches!(self.status(now), TableStatus::Active | TableStatus::Updating)
    }

    pub(crate) fn status(&self, now: Timestamp) -> TableStatus {
        match self.gone_at {
            Some(_) => TableStatus::Deleting,
            None if self.created_at <= now && now < self.active_at => TableStatus::Creating,
            None if self.throughput.is_changing(now) => TableStatus::Updating,
            None => TableStatus::Active,
        }
    }

    /// Whether its throughput or that of an index is changing.
    pub(crate) fn is_changing(&self, now: Timestamp) -> bool {
        self.throughput.is_changing(now) || self.indexes.iter().any(|index| index.throughput.is_changing(now))
    }

    /// The description that the operations on tables answer.
    pub(crate) fn describe(&self, now: Timestamp, audience: Audience<'_>) -> TableDescription {
        let figures = self.statistics().described(now);
        let stage = audience.stage(&self.throughput, |table| Some(&table.throughput), now);
        let Described { billing_mode, history, stage } =
            self.throughput.describe(Owner::Table, self.billing_mode, now, stage);
        let goes_on_demand = stage == Stage::UnderWay && billing_mode == BillingMode::OnDemand;
        let on_demand_since = self.on_demand_since.filter(|_| !goes_on_demand);
        TableDescription {
            table_name: self.name.clone(),
            table_id: self.id.clone(),
            table_arn: self.arn.clone(),
            status: self.status(now),
            created_at_ms: self.created_at.milliseconds(),
            key_schema: self.key_schema.clone(),
            indexes: self.indexes.iter().map(|index| index.describe(self, now, audience)).collect(),
            billing_mode,
            throughput: history,
            on_demand_since_ms: on_demand_since.map(Timestamp::milliseconds),
            table_class: self.table_class,
            deletion_protection: self.deletion_protection,
            item_count: figures.items,
            size_bytes: figures.size_bytes,
        }
    }

    /// The same table, being deleted, gone at that time.
    pub(crate) fn deleting(&self, gone_at: Timestamp) -> Table {
        Table { gone_at: Some(gone_at), ..self.copy() }
    }

    /// The same table, with figures of its own from now on.
    pub(crate) fn copy(&self) -> Table {
        Table {
            number: self.number,
            name: self.name.clone(),
            id: self.id.clone(),
            arn: self.arn.clone(),
            key_schema: self.key_schema.clone(),
            indexes: self.indexes.iter().map(Index::copy).collect(),
            billing_mode: self.billing_mode,
            throughput: self.throughput,
            on_demand_since: self.on_demand_since,
            table_class: self.table_class,
            deletion_protection: self.deletion_protection,
            tags: self.tags.clone(),
            created_at: self.created_at,
            active_at: self.active_at,
            gone_at: self.gone_at,
            statistics: Mutex::new(self.statistics()),
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn publish_statistics(&self, statistics: Statistics) {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
    }
}
