//! A table's description on disk: one JSON object, described in docs/on-disk/README.md.
//!
//! Members are added, never changed in meaning; a store with members that this program does not know is refused, since
//! they may change how its items must be read.

mod index;
mod throughput;

use std::sync::Mutex;

use keywright_api::{
    BillingMode, DeletionProtection, KeyAttribute, KeySchema, ScalarType, TableClass, TableName, Tag,
};
use serde::{Deserialize, Serialize};

use self::index::StoredIndex;
use self::throughput::StoredThroughput;
use super::Table;
use crate::clock::Timestamp;
use crate::key::TableNumber;
use crate::statistics::Statistics;

/// Why a stored table cannot be read, in words.
#[derive(Debug)]
pub(crate) enum StoredTableError {
    /// It is no JSON, which no build writes.
    Damaged(String),
    /// It is whole, and says what this program does not know: a later one wrote it.
    Unknown(String),
}

impl From<serde_json::Error> for StoredTableError {
    fn from(error: serde_json::Error) -> StoredTableError {
        match error.is_data() {
            true => StoredTableError::Unknown(error.to_string()),
            false => StoredTableError::Damaged(error.to_string()),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTable {
    number: u64,
    name: String,
    id: String,
    arn: String,
    partition_key: StoredKeyAttribute,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sort_key: Option<StoredKeyAttribute>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    indexes: Vec<StoredIndex>,
    billing: StoredBilling,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throughput: Option<StoredThroughput>,
    /// Absent of a table that is on demand since its creation, or never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_demand_since_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<StoredClass>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deletion_protection: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    created_at_ms: u64,
    active_at_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gone_at_ms: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKeyAttribute {
    name: String,
    kind: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum StoredBilling {
    OnDemand,
    Provisioned { read_units: u64, write_units: u64 },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredClass {
    Standard,
    StandardInfrequentAccess,
}

impl Table {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let stored = StoredTable {
            number: self.number.0,
            name: self.name.to_string(),
            id: self.id.clone(),
            arn: self.arn.clone(),
            partition_key: StoredKeyAttribute::of(&self.key_schema.partition_key),
            sort_key: self.key_schema.sort_key.as_ref().map(StoredKeyAttribute::of),
            indexes: self.indexes.iter().map(StoredIndex::of).collect(),
            billing: StoredBilling::of(self.billing_mode),
            throughput: StoredThroughput::of(&self.throughput),
            on_demand_since_ms: self
                .on_demand_since
                .filter(|since| self.billing_mode != BillingMode::OnDemand || *since != self.created_at)
                .map(Timestamp::milliseconds),
            class: self.table_class.map(|class| match class {
                TableClass::Standard => StoredClass::Standard,
                TableClass::StandardInfrequentAccess => StoredClass::StandardInfrequentAccess,
            }),
            deletion_protection: (self.deletion_protection == DeletionProtection::On).then_some(true),
            tags: self.tags.iter().map(|tag| (tag.key.clone(), tag.value.clone())).collect(),
            created_at_ms: self.created_at.milliseconds(),
            active_at_ms: self.active_at.milliseconds(),
            gone_at_ms: self.gone_at.map(Timestamp::milliseconds),
        };
        #[expect(
            clippy::expect_used,
            reason = "strings, numbers and enums always serialize; no map has other keys"
        )]
        serde_json::to_vec(&stored).expect("a stored table serializes")
    }

    /// Reads what `to_bytes` wrote. The statistics are stored apart.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Table, StoredTableError> {
        let stored: StoredTable = serde_json::from_slice(bytes)?;
        let created_at = Timestamp::from_milliseconds(stored.created_at_ms);
        let billing_mode = stored.billing.read();
        let on_demand_since = match stored.on_demand_since_ms {
            Some(since) => Some(Timestamp::from_milliseconds(since)),
            None => (billing_mode == BillingMode::OnDemand).then_some(created_at),
        };
        Ok(Table {
            number: TableNumber(stored.number),
            name: TableName::new(&stored.name)
                .ok_or_else(|| StoredTableError::Unknown(format!("`{}` is not a table name", stored.name)))?,
            id: stored.id,
            arn: stored.arn,
            key_schema: KeySchema {
                partition_key: stored.partition_key.read()?,
                sort_key: stored.sort_key.map(StoredKeyAttribute::read).transpose()?,
            },
            indexes: stored
                .indexes
                .into_iter()
                .map(|index| index.read(created_at))
                .collect::<Result<_, _>>()?,
            billing_mode,
            throughput: stored.throughput.map(StoredThroughput::read).unwrap_or_default(),
            on_demand_since,
            table_class: stored.class.map(|class| match class {
                StoredClass::Standard => TableClass::Standard,
                StoredClass::StandardInfrequentAccess => TableClass::StandardInfrequentAccess,
            }),
            deletion_protection: stored.deletion_protection.unwrap_or(false).into(),
            tags: stored.tags.into_iter().map(|(key, value)| Tag { key, value }).collect(),
            created_at,
            active_at: Timestamp::from_milliseconds(stored.active_at_ms),
            gone_at: stored.gone_at_ms.map(Timestamp::from_milliseconds),
            statistics: Mutex::new(Statistics::new(created_at)),
        })
    }
}

impl StoredBilling {
    fn of(billing_mode: BillingMode) -> StoredBilling {
        match billing_mode {
            BillingMode::OnDemand => StoredBilling::OnDemand,
            BillingMode::Provisioned { read_units, write_units } => {
                StoredBilling::Provisioned { read_units, write_units }
            }
        }
    }

    fn read(self) -> BillingMode {
        match self {
            StoredBilling::OnDemand => BillingMode::OnDemand,
            StoredBilling::Provisioned { read_units, write_units } => {
                BillingMode::Provisioned { read_units, write_units }
            }
        }
    }
}

impl StoredKeyAttribute {
    fn of(attribute: &KeyAttribute) -> StoredKeyAttribute {
        StoredKeyAttribute { name: attribute.name.clone(), kind: attribute.kind.wire_name().to_owned() }
    }

    fn read(self) -> Result<KeyAttribute, StoredTableError> {
        let kind = ScalarType::from_wire_name(&self.kind)
            .ok_or_else(|| StoredTableError::Unknown(format!("`{}` is not a key type", self.kind)))?;
        Ok(KeyAttribute { name: self.name, kind })
    }
}
