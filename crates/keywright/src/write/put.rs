//! PutItem.

use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::Components;
use keywright_key::declare::{Entity, Table};
use serde::Serialize;

use super::WriteId;
use crate::error::{ServiceError, WriteError};
use crate::item::encode;
use crate::tenant::Tenant;

/// An entity that is about to be stored.
#[derive(Debug)]
#[must_use = "nothing is stored before it is sent"]
pub struct Put<'e, TableType, EntityType> {
    tenant: Tenant<TableType>,
    entity: &'e EntityType,
}

/// A write that had effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The id of the write, which the item holds now.
    pub write_id: WriteId,
    /// The write units that it took.
    pub write_units: f64,
}

impl<TableType, EntityType> Put<'_, TableType, EntityType>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + Serialize,
{
    /// Stores the entity, in place of what has its key.
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known.
    pub async fn send(self) -> Result<Written, WriteError> {
        let encoded = encode::<TableType, EntityType>(self.tenant.identity(), self.entity)?;
        let output = self
            .tenant
            .shared()
            .client
            .put_item()
            .table_name(&self.tenant.shared().table_name)
            .set_item(Some(encoded.attributes))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(ServiceError::new)?;
        let write_units = output.consumed_capacity.and_then(|units| units.capacity_units).unwrap_or(0.0);
        Ok(Written { write_id: encoded.write_id, write_units })
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores an entity of this tenant.
    pub fn put<'e, EntityType>(&self, entity: &'e EntityType) -> Put<'e, TableType, EntityType>
    where
        EntityType: Entity<TableType> + Components + Serialize,
    {
        Put { tenant: self.clone(), entity }
    }
}
