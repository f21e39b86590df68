//! Items that were read, as what a pattern returns.

use std::marker::PhantomData;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{ReadItems, Table};
use keywright_key::{EntityShape, Tenancy};
use serde_dynamo::Deserializer;

use super::Attributes;
use crate::error::{ForeignItem, ForeignPlace, ItemError, ItemProblem};
use crate::store::{KeysInErrors, Shared};
use crate::tenant::Identity;

/// Decodes what a pattern reads.
pub(crate) struct Decoder<'a, Pattern> {
    shared: &'a Shared,
    identity: &'a Identity,
    now_seconds: u64,
    pattern: PhantomData<fn() -> Pattern>,
}

/// What an item turned out to be.
pub(crate) enum Decoded<Item> {
    /// This.
    Item(Item),
    /// Nothing that the pattern returns.
    Skipped,
    /// An item whose time is over: it is gone, though it is still stored.
    Expired,
}

impl<'a, Pattern: ReadItems> Decoder<'a, Pattern> {
    pub(crate) fn new(shared: &'a Shared, identity: &'a Identity) -> Decoder<'a, Pattern> {
        Decoder { shared, identity, now_seconds: shared.clock.seconds(), pattern: PhantomData }
    }

    /// The item, or what is wrong with it.
    pub(crate) fn decode(&self, attributes: Attributes) -> Result<Decoded<Pattern::Item>, ItemError> {
        let table = <Pattern::Table as Table>::SHAPE;
        let Some(AttributeValue::S(discriminator)) = attributes.get(table.discriminator) else {
            let problem = ItemProblem::NoDiscriminator { attribute: table.discriminator };
            return Err(self.error(String::new(), &attributes, problem));
        };
        let discriminator = discriminator.clone();
        let Some(entity) = table.entities.iter().find(|entity| entity.discriminator == discriminator) else {
            tracing::debug!(
                pattern = Pattern::SHAPE.name,
                entity = discriminator,
                "an item of an entity that this program does not know was skipped"
            );
            return Ok(Decoded::Skipped);
        };
        self.verify(entity, table.tenancy, &attributes)?;
        if self.is_expired(entity, &attributes) {
            return Ok(Decoded::Expired);
        }
        let key = self.key(&attributes);
        let map = attributes.into_iter().map(|(name, value)| (name, value.into())).collect();
        let source = Deserializer::from_attribute_value(serde_dynamo::AttributeValue::M(map));
        let mut track = serde_path_to_error::Track::new();
        match Pattern::read(&discriminator, serde_path_to_error::Deserializer::new(source, &mut track)) {
            Some(Ok(item)) => Ok(Decoded::Item(item)),
            None => Ok(Decoded::Skipped),
            Some(Err(error)) => {
                let problem =
                    ItemProblem::Attribute { path: track.path().to_string(), reason: error.to_string() };
                Err(ItemError::new(discriminator, key, problem))
            }
        }
    }

    /// Whether the item is the tenant's: an item of somebody else is an error and an event, never data.
    fn verify(
        &self,
        entity: &EntityShape<'static>,
        tenancy: Tenancy<'static>,
        attributes: &Attributes,
    ) -> Result<(), ItemError> {
        let Tenancy::Attribute(attribute) = tenancy else { return Ok(()) };
        let problem = match attributes.get(attribute) {
            Some(value) if self.identity.owns(value) => return Ok(()),
            Some(_) => ItemProblem::Foreign(ForeignItem::new(entity.name, ForeignPlace::Read)),
            None => ItemProblem::NoTenant { attribute },
        };
        tracing::error!(
            pattern = Pattern::SHAPE.name,
            entity = entity.name,
            "an item was found that is not known to be the tenant's; it was not given to the caller"
        );
        // Nothing of an item that is somebody else's is in the error, its key included.
        Err(ItemError::new(entity.discriminator, None, problem))
    }

    fn is_expired(&self, entity: &EntityShape<'static>, attributes: &Attributes) -> bool {
        let Some(AttributeValue::N(seconds)) = entity.time_to_live.and_then(|name| attributes.get(name))
        else {
            return false;
        };
        seconds.parse::<u64>().is_ok_and(|seconds| seconds <= self.now_seconds)
    }

    fn error(&self, entity: String, attributes: &Attributes, problem: ItemProblem) -> ItemError {
        ItemError::new(entity, self.key(attributes), problem)
    }

    fn key(&self, attributes: &Attributes) -> Option<String> {
        if self.shared.keys_in_errors == KeysInErrors::Redacted {
            return None;
        }
        let table = <Pattern::Table as Table>::SHAPE;
        let parts = std::iter::once(table.partition_key).chain(table.sort_key);
        let texts: Vec<&str> = parts
            .filter_map(|part| attributes.get(part.name))
            .filter_map(|value| value.as_s().ok())
            .map(String::as_str)
            .collect();
        Some(texts.join(" / "))
    }
}
