//! One table: its key schema, its settings, its status as time passes, and its statistics.
//!
//! Status is derived from the clock, never set by a timer: a table is CREATING until `active_at`, and DELETING from the
//! moment that DeleteTable was accepted until `gone_at`. A clock that was set back to before a table's creation does not make it
//! CREATING again.

mod stored;

use std::sync::{Mutex, PoisonError};

use keywright_api::{BillingMode, KeySchema, TableClass, TableDescription, TableName, TableStatus, Tag};

use crate::clock::Timestamp;
use crate::index::Index;
use crate::key::TableNumber;
use crate::statistics::Statistics;

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
    pub(crate) billing_mode: BillingMode,
    pub(crate) table_class: Option<TableClass>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) created_at: Timestamp,
    pub(crate) active_at: Timestamp,
    pub(crate) gone_at: Option<Timestamp>,
    /// Written by the sequencer after each commit.
    pub(crate) statistics: Mutex<Statistics>,
}

impl Table {
    /// Whether its deletion is over.
    pub(crate) fn is_gone(&self, now: Timestamp) -> bool {
        self.gone_at.is_some_and(|gone_at| gone_at <= now)
    }

    /// Whether its items can be read and written.
    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        self.status(now) == TableStatus::Active
    }

    pub(crate) fn status(&self, now: Timestamp) -> TableStatus {
        match self.gone_at {
            Some(_) => TableStatus::Deleting,
            None if self.created_at <= now && now < self.active_at => TableStatus::Creating,
            None => TableStatus::Active,
        }
    }

    /// The description that CreateTable and DescribeTable answer.
    pub(crate) fn describe(&self, now: Timestamp) -> TableDescription {
        let figures = self.statistics().described(now);
        TableDescription {
            table_name: self.name.clone(),
            table_id: self.id.clone(),
            table_arn: self.arn.clone(),
            status: self.status(now),
            created_at_ms: self.created_at.milliseconds(),
            key_schema: self.key_schema.clone(),
            indexes: self.indexes.iter().map(|index| index.describe(self, now)).collect(),
            billing_mode: self.billing_mode,
            table_class: self.table_class,
            item_count: figures.items,
            size_bytes: figures.size_bytes,
        }
    }

    /// The same table, being deleted, gone at that time.
    pub(crate) fn deleting(&self, gone_at: Timestamp) -> Table {
        Table {
            number: self.number,
            name: self.name.clone(),
            id: self.id.clone(),
            arn: self.arn.clone(),
            key_schema: self.key_schema.clone(),
            indexes: self.indexes.iter().map(Index::copy).collect(),
            billing_mode: self.billing_mode,
            table_class: self.table_class,
            tags: self.tags.clone(),
            created_at: self.created_at,
            active_at: self.active_at,
            gone_at: Some(gone_at),
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
