//! An entity as the item that stores it.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::Components;
use keywright_key::declare::{Entity, Table};
use serde::Serialize;

use super::index_attribute::{empty_in_index, too_long_in_index};
use super::size::{LARGEST_ITEM_BYTES, remark, size_bytes};
use super::stamp::stamp;
use super::storable::checked;
use super::{Attributes, ItemKeys, WRITE_ID_ATTRIBUTE, index_key_attributes, table_keys};
use crate::error::{ForeignItem, ForeignPlace, WriteError};
use crate::tenant::{Identity, Tenant};
use crate::write::{WriteId, WriteMark};

/// An item to be written.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) attributes: Attributes,
    /// Where it can lie; its attributes have the present key.
    pub(crate) keys: ItemKeys,
    pub(crate) write_id: WriteId,
    pub(crate) size_bytes: usize,
}

/// About how many attributes the layer adds to those of an entity: keys, those of indexes, the discriminator and the write's id.
const ATTRIBUTES_OF_LAYER: usize = 8;

/// The item that stores an entity: its attributes, its keys, which entity it is, its stamps, and the id of the write.
///
/// What is `None`, or a set without members, is not stored: in DynamoDB an attribute is there or not, a key attribute cannot be null, and
/// no set is empty. An entity's version is
/// stored one higher than the one that is replaced: `replaced` where a condition says which that is, else the entity's own.
pub(crate) fn encode<TableType, EntityType>(
    tenant: &Tenant<TableType>,
    entity: &EntityType,
    replaced: Option<u64>,
    mark: &WriteMark,
) -> Result<Encoded, WriteError>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    let table = TableType::SHAPE;
    let shape = EntityType::SHAPE;
    let serialized: serde_dynamo::Item =
        serde_dynamo::to_item(entity).map_err(|error| WriteError::value(shape.name, error.to_string()))?;
    let serialized = serialized.into_inner();
    let mut attributes = Attributes::with_capacity(serialized.len() + ATTRIBUTES_OF_LAYER);
    let mut refused = Vec::new();
    for (name, value) in serialized {
        match checked(value) {
            Ok(AttributeValue::Null(_)) => {}
            Ok(value) => {
                if let Some(reason) = empty_in_index(&table, &name, &value) {
                    refused.push((name.clone(), reason));
                }
                attributes.insert(name, value);
            }
            Err(problem) => refused.push((format!("{name}{}", problem.path), problem.reason)),
        }
    }
    if let Identity::Tenant { attribute, stored, .. } = tenant.identity()
        && attributes.get(*attribute) != Some(stored)
    {
        return Err(ForeignItem::new(shape.name, ForeignPlace::Written).into());
    }
    // The handle's own id, and not the entity's field: serde may store that in another form than a key is rendered of.
    let components = tenant.identity().beside(entity);
    let keys = table_keys(&table, &shape, &components)?;
    // Attributes come in any order; which one is named does not depend on it.
    let refused = refused.into_iter().min().or_else(|| too_long_in_index(&table, &attributes));
    let key_in_errors = || tenant.shared().key_in_errors(&keys.now);
    if let Some((path, reason)) = refused {
        return Err(WriteError::Value { entity: shape.name, key: key_in_errors(), path: Some(path), reason });
    }
    attributes.extend(keys.now.iter().map(|(name, value)| (name.clone(), value.clone())));
    let entries: Vec<_> = shape.indexes.iter().collect();
    index_key_attributes(&table, &shape, &components, &entries, &mut attributes)?;
    attributes.insert(table.discriminator.to_owned(), AttributeValue::S(shape.discriminator.to_owned()));
    if let Some(attribute) = shape.version {
        let Some(version) = next_version(attributes.get(attribute), replaced) else {
            let path = Some(attribute.to_owned());
            let reason =
                format!("what is stored has the next version, and {MOST_VERSION} is the highest one");
            return Err(WriteError::Value { entity: shape.name, key: key_in_errors(), path, reason });
        };
        attributes.insert(attribute.to_owned(), AttributeValue::N(version.to_string()));
    }
    stamp(&shape, mark.since_epoch, &mut attributes);
    let write_id = mark.write_id.clone();
    attributes.insert(WRITE_ID_ATTRIBUTE.to_owned(), write_id.value());
    let size_bytes = size_bytes(&attributes);
    if size_bytes > LARGEST_ITEM_BYTES {
        return Err(WriteError::TooLarge { entity: shape.name, key: key_in_errors(), size_bytes });
    }
    remark(shape.name, size_bytes);
    Ok(Encoded { attributes, keys, write_id, size_bytes })
}

/// The highest version that a put stores. Updates count on from what is stored without knowing it, and what they store must still be a
/// `u64`, or nobody could read the item any more: from here that takes as many updates again.
const MOST_VERSION: u64 = u64::MAX / 2;

/// The version of what is stored; none if it is higher than a put stores.
fn next_version(of_entity: Option<&AttributeValue>, replaced: Option<u64>) -> Option<u64> {
    let of_entity =
        of_entity.and_then(|version| version.as_n().ok()).and_then(|version| version.parse().ok());
    let version = replaced.or(of_entity).unwrap_or_default().checked_add(1)?;
    (version <= MOST_VERSION).then_some(version)
}
