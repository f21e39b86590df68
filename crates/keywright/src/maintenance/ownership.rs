//! Whose a row is, and by which key it may be deleted.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::Table;
use keywright_key::{EntityShape, KeyPlace, TableShape, Tenancy};

use super::row::Row;
use crate::item::{Attributes, read_back};
use crate::tenant::Identity;

/// Whose a row is, for somebody who asks for one tenant's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership {
    /// The tenant's, and its key in the table is one that no other tenant's item can have.
    ByKey,
    /// The tenant's, by its attribute alone: the same key can be another tenant's later.
    ByAttribute,
    /// Not the tenant's, as far as anything tells.
    None,
}

impl<TableType: Table> Row<TableType> {
    /// Whose it is. The tenant attribute decides; where that is missing, the tenant in the row's key.
    pub(super) fn ownership(&self, identity: &Identity) -> Ownership {
        let Identity::Tenant { attribute, stored, .. } = identity else { return Ownership::None };
        let of_key = self.tenant_in_key();
        match self.attributes().get(*attribute) {
            Some(owner) if owner == stored && of_key.as_ref() == Some(stored) => Ownership::ByKey,
            Some(owner) if owner == stored => Ownership::ByAttribute,
            Some(_) => Ownership::None,
            None if of_key.as_ref() == Some(stored) => Ownership::ByKey,
            None => Ownership::None,
        }
    }

    /// The tenant that the row's key in the table holds, as items store it; none if the key is a deviation, or of no entity's form.
    pub(super) fn tenant_in_key(&self) -> Option<AttributeValue> {
        let table = TableType::SHAPE;
        let Tenancy::Attribute(tenant) = table.tenancy else { return None };
        let key = key_alone(&table, self.attributes());
        // A row that does not say which entity it is has the key of one all the same.
        let entities = self.shape().map_or_else(|| table.entities.to_vec(), |entity| vec![entity]);
        entities.into_iter().find_map(|entity: &EntityShape<'static>| {
            if entity.deviation(KeyPlace::Table).is_some() {
                return None;
            }
            read_back(&table, entity, "", &key).remove(tenant)
        })
    }
}

/// The attributes of the row's key in the table.
pub(super) fn key_alone(table: &TableShape<'static>, attributes: &Attributes) -> Attributes {
    std::iter::once(table.partition_key)
        .chain(table.sort_key)
        .filter_map(|attribute| Some((attribute.name.to_owned(), attributes.get(attribute.name)?.clone())))
        .collect()
}
