//! Items that were read, as what a pattern returns or an entity is.

use std::marker::PhantomData;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::Table;
use keywright_key::{EntityShape, PatternShape, TableShape, Tenancy, TenantScope};
use serde::de::DeserializeOwned;

use super::Attributes;
use super::read_back::read_back;
use super::source::{Aside, Source};
use super::undecodable::Undecodable;
use crate::error::{ForeignItem, ForeignPlace, ItemError, ItemProblem, WriteError};
use crate::store::{KeysInErrors, Shared};
use crate::stored::Stored;
use crate::tenant::Identity;
use crate::write::{Old, WriteId};

/// Decodes items of one table for one tenant.
pub(crate) struct Decoder<'a, TableType> {
    shared: &'a Shared,
    identity: &'a Identity,
    /// When it is; nothing for what a write left, which is shown though its time be over.
    now_seconds: Option<u64>,
    table: TableShape<'static>,
    /// The index that items come from, which may hold less of them.
    index: Option<&'static str>,
    /// Whether the partition key by which items are found holds the tenant.
    key_holds_tenant: bool,
    marker: PhantomData<fn() -> TableType>,
}

/// What an item turned out to be.
#[derive(Debug)]
pub(crate) enum Decoded<Item> {
    /// This, and where it is from.
    Item(Stored<Item>, Origin),
    /// Nothing that was asked for.
    Skipped,
    /// An item whose time is over: it is gone, though it is still stored.
    Expired,
}

/// Which entity an item is, and whose.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The entity's name.
    pub(crate) entity: &'static str,
    /// Whose it says it is, where that is not decided yet.
    pub(crate) owner: Option<AttributeValue>,
}

impl<Item> Decoded<Item> {
    /// The item, if it is one that was asked for and its time is not over.
    pub(crate) fn live(self) -> Option<Stored<Item>> {
        match self {
            Decoded::Item(item, _) => Some(item),
            Decoded::Skipped | Decoded::Expired => None,
        }
    }
}

impl<'a, TableType: Table> Decoder<'a, TableType> {
    pub(crate) fn new(shared: &'a Shared, identity: &'a Identity) -> Decoder<'a, TableType> {
        Decoder {
            shared,
            identity,
            now_seconds: Some(shared.clock.seconds()),
            table: TableType::SHAPE,
            index: None,
            key_holds_tenant: false,
            marker: PhantomData,
        }
    }

    /// For items that a pattern reads.
    pub(crate) fn of_pattern(mut self, pattern: &PatternShape<'static>) -> Decoder<'a, TableType> {
        self.index = pattern.index;
        self.key_holds_tenant = pattern.tenants != TenantScope::AcrossTenants;
        self
    }

    /// For the item that a write left.
    pub(crate) fn of_write(mut self) -> Decoder<'a, TableType> {
        self.now_seconds = None;
        self
    }

    /// The item as one entity.
    pub(crate) fn entity<Entity: DeserializeOwned>(
        &self,
        entity: &EntityShape<'static>,
        attributes: Attributes,
    ) -> Result<Decoded<Entity>, ItemError> {
        self.decode(attributes, |discriminator, source| {
            (discriminator == entity.discriminator).then(|| Entity::deserialize(source))
        })
    }

    /// The item that is there where a condition did not hold. One that is somebody else's is not shown.
    pub(crate) fn current<Entity: DeserializeOwned>(
        &self,
        entity: &EntityShape<'static>,
        attributes: Option<Attributes>,
    ) -> Result<Option<Stored<Entity>>, WriteError> {
        let Some(attributes) = attributes else { return Ok(None) };
        match self.entity(entity, attributes) {
            Ok(decoded) => Ok(decoded.live()),
            Err(error) if matches!(error.problem(), ItemProblem::Foreign(_)) => Ok(None),
            Err(error) => Err(WriteError::Current(error)),
        }
    }

    /// What an answer says was there before a write that had effect.
    pub(crate) fn old<Entity: DeserializeOwned>(
        &self,
        entity: &EntityShape<'static>,
        attributes: Option<Attributes>,
    ) -> Result<Old<Entity>, WriteError> {
        let Some(attributes) = attributes else { return Ok(Old::Nothing) };
        match self.entity(entity, attributes).map_err(WriteError::Item)? {
            Decoded::Item(item, _) => Ok(Old::Item(item)),
            Decoded::Expired => Ok(Old::Nothing),
            Decoded::Skipped => {
                let problem = ItemProblem::AnotherEntity { expected: entity.name };
                Err(WriteError::Item(ItemError::new("", None, problem)))
            }
        }
    }

    /// Whether an item is known to be somebody else's.
    pub(crate) fn is_foreign(&self, attributes: &Attributes) -> bool {
        let Tenancy::Attribute(attribute) = self.table.tenancy else { return false };
        attributes.get(attribute).is_some_and(|owner| !self.identity.owns(owner))
    }

    /// The item as `read` makes it of its discriminator and its attributes, or what is wrong with it.
    pub(crate) fn decode<Item>(
        &self,
        mut attributes: Attributes,
        read: impl FnOnce(&str, Source<'_>) -> Option<Result<Item, Undecodable>>,
    ) -> Result<Decoded<Item>, ItemError> {
        let Some(entity) = self.entity_of(&attributes)? else {
            tracing::debug!("an item of an entity that this program does not know was skipped");
            return Ok(Decoded::Skipped);
        };
        // What is over is gone for everybody, whosever it was.
        if self.is_expired(entity, &attributes) {
            return Ok(Decoded::Expired);
        }
        let discriminator = entity.discriminator;
        let read_back = match self.index {
            Some(index) => read_back(&self.table, entity, index, &attributes),
            None => Attributes::new(),
        };
        let owner = self.verify(entity, &attributes, &read_back)?;
        attributes.extend(read_back);
        let mut aside = Aside::of_key(self.key_names(), |name| entity.attribute(name).is_some());
        match read(discriminator, Source::new(entity, attributes, &mut aside)) {
            Some(Ok(item)) => {
                let write_id = aside.write_id.as_ref().and_then(|id| WriteId::stored(id.as_s().ok()?));
                Ok(Decoded::Item(Stored::new(item, write_id), Origin { entity: entity.name, owner }))
            }
            None => Ok(Decoded::Skipped),
            Some(Err(error)) => {
                let key = if self.identity.is_anybody() { None } else { self.shown(aside.key()) };
                let problem = ItemProblem::Attribute { path: error.path(), reason: error.to_string() };
                Err(ItemError::new(discriminator, key, problem))
            }
        }
    }

    /// Which entity an item is: by its discriminator, or, in an index that does not project that, by its key in the table, which no
    /// other entity can have. Nothing if it is none that this program knows.
    fn entity_of(&self, attributes: &Attributes) -> Result<Option<&'static EntityShape<'static>>, ItemError> {
        let mut entities = self.table.entities.iter().copied();
        match attributes.get(self.table.discriminator) {
            Some(AttributeValue::S(discriminator)) => {
                Ok(entities.find(|entity| entity.discriminator == discriminator))
            }
            None if self.index.is_some() => {
                Ok(entities.find(|entity| has_key(&self.table, entity, attributes)))
            }
            _ => {
                let problem = ItemProblem::NoDiscriminator { attribute: self.table.discriminator };
                Err(ItemError::new("", self.key(attributes), problem))
            }
        }
    }

    /// Whether the item is the tenant's: an item of somebody else is an error and an event, never data.
    ///
    /// Whose it is, where that is not decided here: across tenants, without a tenant.
    fn verify(
        &self,
        entity: &EntityShape<'static>,
        attributes: &Attributes,
        read_back: &Attributes,
    ) -> Result<Option<AttributeValue>, ItemError> {
        let Tenancy::Attribute(attribute) = self.table.tenancy else { return Ok(None) };
        // Where the key by which it was found does not hold the tenant, that in the table may.
        let of_key = read_back.get(attribute).filter(|_| !self.key_holds_tenant);
        let problem = match attributes.get(attribute).or(of_key) {
            Some(value) if self.identity.is_anybody() => return Ok(Some(value.clone())),
            Some(value) if self.identity.owns(value) => return Ok(None),
            Some(_) => ItemProblem::Foreign(ForeignItem::new(entity.name, ForeignPlace::Read)),
            // The partition key by which it was found holds the tenant.
            None if self.index.is_some() && self.key_holds_tenant => return Ok(None),
            None => ItemProblem::NoTenant { attribute },
        };
        tracing::error!(
            entity = entity.name,
            "an item was found that is not known to be the tenant's; it was not given to the caller"
        );
        // Nothing of an item that is somebody else's is in the error, its key included.
        Err(ItemError::new(entity.discriminator, None, problem))
    }

    /// Whether the item's time is over.
    pub(crate) fn is_expired(&self, entity: &EntityShape<'static>, attributes: &Attributes) -> bool {
        let Some(AttributeValue::N(seconds)) = entity.time_to_live.and_then(|name| attributes.get(name))
        else {
            return false;
        };
        // Another program may have stored a sign or a fraction, with which conditions of writes compare, too.
        let is_over = |now: u64| match seconds.parse::<u64>() {
            Ok(seconds) => seconds <= now,
            Err(_) => seconds.parse::<f64>().is_ok_and(|seconds| seconds <= now as f64),
        };
        self.now_seconds.is_some_and(is_over)
    }

    /// Whether an item is known to be the tenant's, by its attribute or by the key that it was found by.
    fn is_own(&self, attributes: &Attributes) -> bool {
        match self.table.tenancy {
            Tenancy::Attribute(attribute) => match attributes.get(attribute) {
                Some(owner) => self.identity.owns(owner),
                None => self.key_holds_tenant && !self.identity.is_anybody(),
            },
            Tenancy::None => true,
        }
    }

    /// The item's key for a message, unless the item may be somebody else's.
    fn key(&self, attributes: &Attributes) -> Option<String> {
        if !self.is_own(attributes) {
            return None;
        }
        self.shown(self.key_names().iter().flatten().filter_map(|name| attributes.get(*name)))
    }

    fn key_names(&self) -> [Option<&'static str>; 2] {
        [Some(self.table.partition_key.name), self.table.sort_key.map(|attribute| attribute.name)]
    }

    /// A key in a message, unless keys are kept out of them.
    fn shown<'k>(&self, parts: impl Iterator<Item = &'k AttributeValue>) -> Option<String> {
        if self.shared.keys_in_errors == KeysInErrors::Redacted {
            return None;
        }
        let texts: Vec<&str> = parts.filter_map(|part| part.as_s().ok()).map(String::as_str).collect();
        Some(texts.join(" / "))
    }
}

/// Whether an item's key in the table is one of the entity's.
fn has_key(table: &TableShape<'static>, entity: &EntityShape<'static>, attributes: &Attributes) -> bool {
    let text = |name: &str| attributes.get(name).and_then(|value| value.as_s().ok());
    let template = entity.key.partition_key;
    let is_partition_key = text(table.partition_key.name).is_some_and(|key| {
        let unsharded = entity.key.shards.without_shard(key, template.format().delimiter);
        template.decode(key).is_ok() || unsharded.is_some_and(|key| template.decode(key).is_ok())
    });
    let is_sort_key = match (table.sort_key, entity.key.sort_key) {
        (Some(attribute), Some(template)) => {
            text(attribute.name).is_some_and(|key| template.decode(key).is_ok())
        }
        _ => true,
    };
    is_partition_key && is_sort_key
}
