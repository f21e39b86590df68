//! Conditions of writes, time to live included: an item whose time is over is not there, though it is still stored.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Condition, Entity, GivenValues, NamesItem, ReadItems, Table};
use keywright_key::{Components, EntityShape, KeyPlace, TableShape};

use crate::error::WriteError;
use crate::etag::{ETag, ETagMatch};
use crate::expression::{GivenProblem, Placeholders, and};
use crate::item::WRITE_ID_ATTRIBUTE;
use crate::raw::RawExpression;
use crate::tenant::{Identity, Tenant};

/// What an entity lacks whose version is asked for, for whoever compiles it.
pub(crate) const NO_VERSION: &str =
    "this entity has no version: mark a field by `#[entity(version)]`, or compare its tag by `if_match(..)`";

/// How many values `IN` compares with at most.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html>
const MOST_STATES: usize = 100;

/// What must hold for a write, while it is put together.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// Whether the item must be there; nothing is asked if none.
    presence: Option<PresenceAsked>,
    text: Option<String>,
    placeholders: Placeholders,
    /// How many parts the text has: each has placeholders of its own.
    parts: usize,
    names_state: bool,
    /// The version that the item must have.
    version: Option<u64>,
    fence: Option<Fence>,
    /// Whether something must be stored under the key, its time over or not.
    is_in_place: bool,
}

/// The tenant whose the stored item must be, where the key does not hold it.
#[derive(Clone, Debug)]
pub(crate) struct Fence {
    attribute: &'static str,
    stored: AttributeValue,
}

impl Fence {
    /// The fence of an entity's items: none where the key holds the tenant.
    pub(crate) fn of(entity: &EntityShape<'static>, identity: &Identity) -> Option<Fence> {
        match identity {
            Identity::Tenant { attribute, stored, .. } if entity.deviation(KeyPlace::Table).is_some() => {
                Some(Fence { attribute, stored: stored.clone() })
            }
            Identity::Tenant { .. } | Identity::Unshared | Identity::Anybody => None,
        }
    }

    /// The condition that the item is the tenant's.
    pub(crate) fn write(self, placeholders: &mut Placeholders) -> String {
        let name = placeholders.name("c_tenant", self.attribute);
        let value = placeholders.value("c_tenant", self.stored);
        format!("{name} = {value}")
    }
}

/// What is asked of an item's presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PresenceAsked {
    Absent,
    There,
}

/// A value given to a condition that cannot be sent, of the item that a pattern names.
pub(super) fn unsendable<TableType, Pattern>(
    tenant: &Tenant<TableType>,
    pattern: &Pattern,
    problem: GivenProblem,
) -> WriteError
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    let error = WriteError::given(Pattern::Entity::SHAPE.name, problem);
    match tenant.named_keys(pattern) {
        Ok(keys) => error.of_item(tenant.shared(), &keys.now),
        Err(_) => error,
    }
}

impl Conditions {
    pub(crate) fn none() -> Conditions {
        Conditions {
            presence: None,
            text: None,
            placeholders: Placeholders::default(),
            parts: 0,
            names_state: false,
            version: None,
            fence: None,
            is_in_place: false,
        }
    }

    /// The item is not there.
    pub(crate) fn absent() -> Conditions {
        Conditions { presence: Some(PresenceAsked::Absent), ..Conditions::none() }
    }

    /// The item is there.
    pub(crate) fn there() -> Conditions {
        Conditions { presence: Some(PresenceAsked::There), ..Conditions::none() }
    }

    /// The item is there, and this holds for it.
    pub(crate) fn holds<Asked: Condition + GivenValues>(
        mut self,
        asked: &Asked,
    ) -> Result<Conditions, GivenProblem> {
        let text = self.placeholders.expression(&format!("c{}_", self.parts), Asked::SHAPE, asked)?;
        Ok(self.and_there(text))
    }

    /// The item is there, and this expression of the caller's own holds for it.
    pub(crate) fn holds_raw(mut self, expression: RawExpression) -> Conditions {
        let text = expression.write(self.parts, &mut self.placeholders);
        self.and_there(Some(text))
    }

    /// The item is there, in one of these states.
    pub(crate) fn in_state(
        mut self,
        entity: &EntityShape<'static>,
        states: &ETagMatch,
    ) -> Result<Conditions, WriteError> {
        let ETagMatch::OneOf(tags) = states else { return Ok(self.and_there(None)) };
        if tags.len() > MOST_STATES {
            let reason = format!(
                "{} entity tags are asked for, and a condition compares {MOST_STATES} at most",
                tags.len()
            );
            return Err(WriteError::value(entity.name, reason));
        }
        let write_id = |tag: &ETag| AttributeValue::S(tag.write_id().as_str().to_owned());
        let text = match tags.as_slice() {
            [tag] => self.equal(WRITE_ID_ATTRIBUTE, write_id(tag)),
            tags => self.is_one_of(WRITE_ID_ATTRIBUTE, tags.iter().map(write_id)),
        };
        self.names_state = true;
        Ok(self.and_there(Some(text)))
    }

    /// The item is there, with this version.
    pub(crate) fn has_version(mut self, entity: &EntityShape<'static>, version: u64) -> Conditions {
        let Some(attribute) = entity.version else {
            unreachable!("every `if_version` asserts `NO_VERSION` when it is compiled")
        };
        let text = self.equal(attribute, AttributeValue::N(version.to_string()));
        self.version = Some(version);
        self.and_there(Some(text))
    }

    /// The item is there, and these attributes of it are what they were when it was read.
    pub(crate) fn unchanged(mut self, read: &BTreeMap<&'static str, Option<AttributeValue>>) -> Conditions {
        let part = format!("c{}_", self.parts);
        let mut asked = Vec::with_capacity(read.len());
        for (place, (attribute, value)) in read.iter().enumerate() {
            let place = format!("{part}{place}");
            let name = self.placeholders.name(&place, attribute);
            asked.push(match value {
                Some(value) => format!("{name} = {}", self.placeholders.value(&place, value.clone())),
                None => format!("attribute_not_exists({name})"),
            });
        }
        let text = (!asked.is_empty()).then(|| asked.join(" AND "));
        self.and_there(text)
    }

    fn equal(&mut self, attribute: &str, value: AttributeValue) -> String {
        let part = format!("c{}_", self.parts);
        let name = self.placeholders.name(&part, attribute);
        let value = self.placeholders.value(&part, value);
        format!("{name} = {value}")
    }

    /// That an attribute is one of these; of none of them, what never holds.
    fn is_one_of(&mut self, attribute: &str, values: impl Iterator<Item = AttributeValue>) -> String {
        let part = format!("c{}_", self.parts);
        let name = self.placeholders.name(&part, attribute);
        let values: Vec<String> = values
            .enumerate()
            .map(|(place, value)| self.placeholders.value(&format!("{part}{place}"), value))
            .collect();
        if values.is_empty() {
            return format!("attribute_exists({name}) AND attribute_not_exists({name})");
        }
        format!("{name} IN ({})", values.join(", "))
    }

    /// One part more, which is asked of an item that is there.
    fn and_there(mut self, text: Option<String>) -> Conditions {
        self.text = and(self.text, text);
        self.presence = Some(PresenceAsked::There);
        self.parts += 1;
        self
    }

    /// Whether they name states that the item is never in again once the write had effect, whoever writes it then. Tags do: each write has
    /// another one. A version does not: an item that is made again counts from 1 again.
    pub(crate) const fn names_state(&self) -> bool {
        self.names_state
    }

    /// The version that the item must have.
    pub(crate) const fn version(&self) -> Option<u64> {
        self.version
    }

    /// Nobody else's item is touched: where the entity's key is a deviation, whatever is there must be the tenant's.
    pub(crate) fn fenced(mut self, entity: &EntityShape<'static>, identity: &Identity) -> Conditions {
        self.fence = Fence::of(entity, identity);
        self
    }

    /// Something is stored under the key: nothing comes to be where nothing is.
    pub(crate) const fn in_place(mut self) -> Conditions {
        self.is_in_place = true;
        self
    }

    /// Whether they can hold where no item is, so that the write may make one.
    pub(crate) fn can_make(&self) -> bool {
        self.presence != Some(PresenceAsked::There)
    }

    /// Whether an item that is there is in the way.
    pub(crate) fn asks_absence(&self) -> bool {
        self.presence == Some(PresenceAsked::Absent)
    }

    /// The expression with its names and values; none if nothing is asked.
    pub(crate) fn write(
        mut self,
        table: &TableShape<'static>,
        entity: &EntityShape<'static>,
        now_seconds: u64,
    ) -> (Option<String>, Placeholders) {
        let presence = self.presence(table, entity, now_seconds);
        let text = match (self.presence, presence) {
            // Nothing lies there, so it is nobody's.
            (Some(PresenceAsked::Absent), presence) => presence,
            (Some(PresenceAsked::There), presence) => and(presence, self.owner()),
            // Whatever lies there is replaced, if it is the tenant's, or gone.
            (None, _) => {
                self.owner().map(|owner| format!("{} OR {owner}", self.absence(table, entity, now_seconds)))
            }
        };
        let in_place = self.is_in_place.then(|| {
            format!("attribute_exists({})", self.placeholders.name("c_key", table.partition_key.name))
        });
        (and(and(text, self.text), in_place), self.placeholders)
    }

    /// What is asked of whose the item is.
    fn owner(&mut self) -> Option<String> {
        Some(self.fence.take()?.write(&mut self.placeholders))
    }

    /// What is asked of the item's presence.
    fn presence(
        &mut self,
        table: &TableShape<'static>,
        entity: &EntityShape<'static>,
        now_seconds: u64,
    ) -> Option<String> {
        if self.presence? == PresenceAsked::Absent {
            return Some(self.absence(table, entity, now_seconds));
        }
        let key = self.placeholders.name("c_key", table.partition_key.name);
        Some(match self.expiry(entity, now_seconds) {
            None => format!("attribute_exists({key})"),
            // What is no number is compared with none, and ends no item's time.
            Some((expiry, now)) => {
                format!(
                    "attribute_exists({key}) AND (attribute_not_exists({expiry}) OR NOT {expiry} <= {now})"
                )
            }
        })
    }

    /// That no item is there, or one whose time is over.
    fn absence(
        &mut self,
        table: &TableShape<'static>,
        entity: &EntityShape<'static>,
        now_seconds: u64,
    ) -> String {
        let key = self.placeholders.name("c_key", table.partition_key.name);
        match self.expiry(entity, now_seconds) {
            None => format!("attribute_not_exists({key})"),
            Some((expiry, now)) => format!("attribute_not_exists({key}) OR {expiry} <= {now}"),
        }
    }

    /// When the item's time is over, and when it is now.
    fn expiry(&mut self, entity: &EntityShape<'static>, now_seconds: u64) -> Option<(String, String)> {
        let attribute = entity.time_to_live?;
        let now = self.placeholders.value("c_now", AttributeValue::N(now_seconds.to_string()));
        Some((self.placeholders.name("c_expiry", attribute), now))
    }
}
