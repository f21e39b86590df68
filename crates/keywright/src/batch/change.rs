//! One put or delete of a batch, and the requests that it is.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, WriteRequest};
use keywright_key::Components;
use keywright_key::declare::{Data, Deletable, Entity, NamesItem, ReadItems, Table, Unreserved};
use serde::Serialize;

use super::member::BatchMember;
use super::wire::member_bytes;
use crate::error::WriteError;
use crate::item::{Attributes, Encoded, ItemKey, ItemKeys, KeyAttributes, encode};
use crate::store::{KeysInErrors, Shared};
use crate::tenant::Tenant;
use crate::write::{WriteId, WriteMark};

/// A put or a delete.
pub(super) struct Change {
    pub(super) entity: &'static str,
    /// The key of the present number of shards, by which members are told apart.
    key: ItemKey,
    /// The keys of earlier numbers, under which the item may lie.
    pub(super) earlier: Vec<KeyAttributes>,
    action: Action,
}

/// What a change does.
enum Action {
    Put { item: Attributes, write_id: WriteId, size_bytes: usize },
    Delete { key: KeyAttributes },
}

impl Change {
    /// Puts an entity of the tenant.
    pub(super) fn put<TableType, EntityType>(
        tenant: &Tenant<TableType>,
        entity: &EntityType,
    ) -> Result<Change, WriteError>
    where
        TableType: Table,
        EntityType: Data<TableType> + Unreserved<TableType> + Components + Serialize,
    {
        let Encoded { attributes: item, keys: ItemKeys { now, earlier }, write_id, size_bytes } =
            encode::<TableType, EntityType>(tenant, entity, None, &WriteMark::now(tenant.shared()))?;
        let (entity, key) = (EntityType::SHAPE.name, ItemKey::rendered::<TableType>(&now));
        Ok(Change { entity, key, earlier, action: Action::Put { item, write_id, size_bytes } })
    }

    /// Deletes what a pattern names.
    pub(super) fn delete<TableType, Pattern>(
        tenant: &Tenant<TableType>,
        pattern: &Pattern,
    ) -> Result<Change, WriteError>
    where
        TableType: Table,
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: Deletable<TableType> + Unreserved<TableType>,
    {
        let ItemKeys { now, earlier } = tenant.named_keys(pattern)?;
        let (entity, key) = (Pattern::Entity::SHAPE.name, ItemKey::rendered::<TableType>(&now));
        Ok(Change { entity, key, earlier, action: Action::Delete { key: now } })
    }

    /// Deletes the item with this key, and no other.
    pub(super) fn delete_key<TableType: Table>(entity: &'static str, key: KeyAttributes) -> Change {
        let item_key = ItemKey::rendered::<TableType>(&key);
        Change { entity, key: item_key, earlier: Vec::new(), action: Action::Delete { key } }
    }

    pub(super) const fn key(&self) -> &ItemKey {
        &self.key
    }

    /// How an error names it.
    pub(super) fn name(&self, position: usize, keys_in_errors: KeysInErrors) -> BatchMember {
        BatchMember::new(position, self.entity, self.key.text(keys_in_errors))
    }

    pub(super) const fn is_put(&self) -> bool {
        matches!(self.action, Action::Put { .. })
    }

    /// The bytes that it takes in a request.
    pub(super) fn wire_bytes(&self) -> usize {
        match &self.action {
            Action::Put { item, .. } => member_bytes(item),
            Action::Delete { key } => member_bytes(key),
        }
    }

    pub(super) fn write_id(&self) -> Option<WriteId> {
        match &self.action {
            Action::Put { write_id, .. } => Some(write_id.clone()),
            Action::Delete { .. } => None,
        }
    }

    /// The request under the present key.
    pub(super) fn request(&self) -> WriteRequest {
        match &self.action {
            Action::Put { item, .. } => put_request(item.clone()),
            Action::Delete { key } => delete_request(key.clone()),
        }
    }

    /// The request under another of its keys.
    pub(super) fn request_under(&self, key: &KeyAttributes) -> WriteRequest {
        match &self.action {
            Action::Put { item, .. } => {
                let mut item = item.clone();
                item.extend(key.iter().map(|(name, value)| (name.clone(), value.clone())));
                put_request(item)
            }
            Action::Delete { .. } => delete_request(key.clone()),
        }
    }

    /// About how many units it takes: what a call took is shared out by that.
    fn kilobytes(&self) -> f64 {
        match &self.action {
            Action::Put { size_bytes, .. } => {
                f64::from(u32::try_from(size_bytes.div_ceil(1024)).unwrap_or(u32::MAX)).max(1.0)
            }
            Action::Delete { .. } => 1.0,
        }
    }
}

fn put_request(item: Attributes) -> WriteRequest {
    match PutRequest::builder().set_item(Some(item)).build() {
        Ok(put) => WriteRequest::builder().put_request(put).build(),
        Err(_) => unreachable!("it has an item"),
    }
}

pub(super) fn delete_request(key: KeyAttributes) -> WriteRequest {
    match DeleteRequest::builder().set_key(Some(key)).build() {
        Ok(delete) => WriteRequest::builder().delete_request(delete).build(),
        Err(_) => unreachable!("it has a key"),
    }
}

/// Counts what a call processed, by entity. Its units are shared out by size, since the service says them of the call as a whole.
pub(super) fn count<'c>(shared: &Shared, processed: impl Iterator<Item = &'c Change>, units: f64) {
    let mut by_entity: BTreeMap<&'static str, Vec<&Change>> = BTreeMap::new();
    for change in processed {
        by_entity.entry(change.entity).or_default().push(change);
    }
    let kilobytes = |changes: &[&Change]| changes.iter().map(|change| change.kilobytes()).sum::<f64>();
    let all: f64 = by_entity.values().map(|changes| kilobytes(changes)).sum();
    for (entity, changes) in by_entity {
        shared.counters.write(entity, |usage| {
            usage.requests += 1;
            usage.units += units * kilobytes(&changes) / all;
            for change in changes {
                if let Action::Put { size_bytes, .. } = &change.action {
                    usage.put(*size_bytes as u64);
                }
            }
        });
    }
}
