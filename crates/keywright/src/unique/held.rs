//! The reservations that one state of an item has.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Entity, Reservation, Reserving, Table, VisitReservation};
use keywright_key::{Components, EntityShape, Presence, TableShape, Tenancy};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::{Attributes, KeyAttributes, WRITE_ID_ATTRIBUTE, encode, read_value};
use crate::tenant::Tenant;
use crate::write::{Change, PreparedWrite, WriteMark, only_key};

/// A reservation, as an item has it.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) entity: EntityShape<'static>,
    pub(super) key: KeyAttributes,
    attributes: Attributes,
    size_bytes: usize,
    /// The attributes that say which item has it.
    holder: Vec<&'static str>,
}

/// What the reservations of an entity are made of.
#[derive(Debug, Default)]
pub(super) struct Reserved {
    /// For each reservation of the entity, in their order; none where the item lacks what it would hold.
    pub(super) held: Vec<Option<Held>>,
    /// What of the item decides about them.
    pub(super) made_of: BTreeMap<&'static str, Option<AttributeValue>>,
}

/// The reservations of an item with these attributes.
///
/// # Errors
/// When a reservation cannot be written: an empty value, a key that is too long.
pub(super) fn reserved<TableType, EntityType>(
    tenant: &Tenant<TableType>,
    attributes: &Attributes,
) -> Result<Reserved, WriteError>
where
    TableType: Table,
    EntityType: Reserving<TableType>,
{
    let holder = holder(&TableType::SHAPE, &EntityType::SHAPE);
    let mut visitor =
        Visitor { tenant, attributes, holder, reserved: Reserved::default(), owner: PhantomData };
    EntityType::visit_reservations(&mut visitor)?;
    Ok(visitor.reserved)
}

/// The attributes that tell one item of the entity from another: those that its key is made of, and the tenant.
fn holder(table: &TableShape<'static>, entity: &EntityShape<'static>) -> Vec<&'static str> {
    let templates = std::iter::once(entity.key.partition_key).chain(entity.key.sort_key);
    let mut names: Vec<&'static str> = Vec::new();
    for template in templates {
        let mut segment = 0;
        while let Some(part) = template.segment(segment) {
            names.extend(part.component.map(|component| component.field));
            segment += 1;
        }
    }
    if let Tenancy::Attribute(tenant) = table.tenancy {
        names.push(tenant);
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Makes the reservations one by one.
struct Visitor<'a, TableType, Owner> {
    tenant: &'a Tenant<TableType>,
    attributes: &'a Attributes,
    holder: Vec<&'static str>,
    reserved: Reserved,
    owner: PhantomData<fn() -> Owner>,
}

impl<TableType: Table, Owner> VisitReservation<TableType, Owner> for Visitor<'_, TableType, Owner> {
    type Error = WriteError;

    fn visit<ReservationType>(&mut self) -> Result<(), WriteError>
    where
        ReservationType: Reservation<TableType, Owner> + Components + Serialize + DeserializeOwned,
    {
        let entity = <ReservationType as Entity<TableType>>::SHAPE;
        let mut chosen = Attributes::new();
        let mut is_whole = true;
        for attribute in entity.attributes {
            let value = self.attributes.get(attribute.name);
            self.reserved.made_of.insert(attribute.name, value.cloned());
            match value {
                Some(value) => {
                    chosen.insert(attribute.name.to_owned(), value.clone());
                }
                None => is_whole = is_whole && attribute.presence == Presence::Sometimes,
            }
        }
        let held = if is_whole { Some(self.hold::<ReservationType>(entity, chosen)?) } else { None };
        self.reserved.held.push(held);
        Ok(())
    }
}

impl<TableType: Table, Owner> Visitor<'_, TableType, Owner> {
    fn hold<ReservationType>(
        &self,
        entity: EntityShape<'static>,
        chosen: Attributes,
    ) -> Result<Held, WriteError>
    where
        ReservationType: Reservation<TableType, Owner> + Components + Serialize + DeserializeOwned,
    {
        let reservation: ReservationType = read_value(AttributeValue::M(chosen))
            .map_err(|error| WriteError::value(entity.name, error.told()))?;
        // The mark is that of the action by which it is written.
        let mark = WriteMark::now(self.tenant.shared());
        let encoded = encode::<TableType, ReservationType>(self.tenant, &reservation, None, &mark)?;
        Ok(Held {
            entity,
            key: only_key(encoded.keys, entity.name)?,
            attributes: encoded.attributes,
            size_bytes: encoded.size_bytes,
            holder: self.holder.clone(),
        })
    }
}

impl Held {
    /// Whether both hold the same.
    pub(super) fn is_same(&self, other: &Held) -> bool {
        let differs = |name: &String| {
            name != WRITE_ID_ATTRIBUTE && self.attributes.get(name) != other.attributes.get(name)
        };
        !self.attributes.keys().chain(other.attributes.keys()).any(differs)
    }

    /// Takes it: if nobody has it, if the item itself has it, or if its time is over.
    pub(super) fn taken(&self, table: &TableShape<'static>, mark: WriteMark) -> PreparedWrite {
        let mut placeholders = Placeholders::default();
        let mut condition = self.free_or_own(table, &mut placeholders);
        if let Some(attribute) = self.entity.time_to_live {
            let expiry = placeholders.name("c_expiry", attribute);
            let now = AttributeValue::N(mark.seconds().to_string());
            let now = placeholders.value("c_now", now);
            condition = format!("{condition} OR {expiry} <= {now}");
        }
        let mut item = self.attributes.clone();
        item.insert(WRITE_ID_ATTRIBUTE.to_owned(), mark.write_id.value());
        let change = Change::Put { item, size_bytes: self.size_bytes };
        self.prepared(change, condition, placeholders, mark)
    }

    /// Gives it back, if the item has it.
    pub(super) fn given_back(&self, table: &TableShape<'static>, mark: WriteMark) -> PreparedWrite {
        let mut placeholders = Placeholders::default();
        let condition = self.free_or_own(table, &mut placeholders);
        self.prepared(Change::Delete, condition, placeholders, mark)
    }

    fn free_or_own(&self, table: &TableShape<'static>, placeholders: &mut Placeholders) -> String {
        let key = placeholders.name("c_key", table.partition_key.name);
        let own: Vec<String> = self
            .holder
            .iter()
            .enumerate()
            .filter_map(|(place, attribute)| {
                let value = self.attributes.get(*attribute)?.clone();
                let place = format!("h{place}");
                Some(format!(
                    "{} = {}",
                    placeholders.name(&place, attribute),
                    placeholders.value(&place, value)
                ))
            })
            .collect();
        format!("attribute_not_exists({key}) OR ({})", own.join(" AND "))
    }

    fn prepared(
        &self,
        change: Change,
        condition: String,
        placeholders: Placeholders,
        mark: WriteMark,
    ) -> PreparedWrite {
        PreparedWrite {
            entity: self.entity.name,
            key: self.key.clone(),
            earlier: Vec::new(),
            of_one: None,
            change,
            condition: Some(condition),
            placeholders,
            mark,
        }
    }
}
