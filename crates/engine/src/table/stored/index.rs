//! A secondary index within a table's description on disk.

use keywright_api::{IndexKeySchema, IndexKind, IndexName, IndexProjection, SecondaryIndex};
use serde::{Deserialize, Serialize};

use super::throughput::StoredThroughput;
use super::{StoredBilling, StoredKeyAttribute, StoredTableError};
use crate::clock::Timestamp;
use crate::index::{Index, IndexNumber};
use crate::statistics::Statistics;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredIndex {
    number: u32,
    name: String,
    kind: StoredKind,
    partition_key: Vec<StoredKeyAttribute>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sort_key: Vec<StoredKeyAttribute>,
    projection: StoredProjection,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throughput: Option<StoredThroughput>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredKind {
    Local,
    Global(StoredBilling),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredProjection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

impl StoredIndex {
    pub(super) fn of(index: &Index) -> StoredIndex {
        let SecondaryIndex { name, kind, key_schema, projection } = &index.definition;
        StoredIndex {
            number: index.number.0,
            name: name.to_string(),
            kind: match kind {
                IndexKind::Local => StoredKind::Local,
                IndexKind::Global(billing_mode) => StoredKind::Global(StoredBilling::of(*billing_mode)),
            },
            partition_key: key_schema.partition_key.iter().map(StoredKeyAttribute::of).collect(),
            sort_key: key_schema.sort_key.iter().map(StoredKeyAttribute::of).collect(),
            projection: match projection {
                IndexProjection::All => StoredProjection::All,
                IndexProjection::KeysOnly => StoredProjection::KeysOnly,
                IndexProjection::Include(names) => StoredProjection::Include(names.clone()),
            },
            throughput: StoredThroughput::of(&index.throughput),
        }
    }

    /// The statistics are stored apart.
    pub(super) fn read(self, created_at: Timestamp) -> Result<Index, StoredTableError> {
        let read = |attributes: Vec<StoredKeyAttribute>| {
            attributes.into_iter().map(StoredKeyAttribute::read).collect::<Result<Vec<_>, _>>()
        };
        let partition_key = read(self.partition_key)?;
        if partition_key.is_empty() {
            return Err(StoredTableError::Unknown(format!("index `{}` has no partition key", self.name)));
        }
        let definition = SecondaryIndex {
            name: IndexName::new(&self.name)
                .ok_or_else(|| StoredTableError::Unknown(format!("`{}` is not an index name", self.name)))?,
            kind: match self.kind {
                StoredKind::Local => IndexKind::Local,
                StoredKind::Global(billing) => IndexKind::Global(billing.read()),
            },
            key_schema: IndexKeySchema { partition_key, sort_key: read(self.sort_key)? },
            projection: match self.projection {
                StoredProjection::All => IndexProjection::All,
                StoredProjection::KeysOnly => IndexProjection::KeysOnly,
                StoredProjection::Include(names) => IndexProjection::Include(names),
            },
        };
        let mut index = Index::new(IndexNumber(self.number), definition, Statistics::new(created_at));
        index.throughput = self.throughput.map(StoredThroughput::read).unwrap_or_default();
        Ok(index)
    }
}
