//! One increment of one item of a counter, as the expressions of an update.
//!
//! An update begins the item if it is not there, with the attributes of the entity. An item whose time is over is no item: it is
//! replaced by an increment, and never brought back to life by a decrement.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Counter, Table};
use keywright_key::{Components, EntityShape, TableShape};
use serde::Serialize;

use super::limits::Limits;
use crate::error::{ForeignItem, ForeignPlace, KeyError, ServiceError, WriteError};
use crate::expression::Placeholders;
use crate::item::kept::{number, signed, stored};
use crate::item::{Attributes, Decoder, KeyAttributes, WRITE_ID_ATTRIBUTE, begin, encode, size_bytes};
use crate::retry::Deadline;
use crate::tenant::Tenant;
use crate::write::{Change, Fence, PreparedWrite, WriteMark};

/// An increment of one item.
#[derive(Clone, Debug)]
pub(super) struct Increment {
    pub(super) entity: EntityShape<'static>,
    /// The item if nothing is there, but for the count.
    attributes: Attributes,
    key: KeyAttributes,
    table: TableShape<'static>,
    count: &'static str,
    pub(super) by: i64,
    limits: Limits,
    fence: Option<Fence>,
    /// Its partition key without a shard, where it is spread over several.
    unsharded: Option<String>,
    mark: WriteMark,
}

/// What an increment that was not made found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It was not made for what is there by now: it is to be tried again.
    Changed,
    /// An item whose time is over, in whose place the counter begins.
    Expired,
    /// It would leave the count beyond its limits, or there is nothing to take from.
    Refused {
        /// The count that is there.
        count: Option<i64>,
    },
}

impl Increment {
    /// An increment of the counter's item, or of a shard of it that the mark chooses.
    pub(super) fn new<TableType, CounterType>(
        tenant: &Tenant<TableType>,
        counter: &CounterType,
        by: i64,
        limits: Limits,
        mark: WriteMark,
    ) -> Result<Increment, WriteError>
    where
        TableType: Table,
        CounterType: Counter<TableType> + Components + Serialize,
    {
        let (table, entity) = (TableType::SHAPE, CounterType::SHAPE);
        let encoded = encode::<TableType, CounterType>(tenant, counter, None, &mark)?;
        let increment = Increment {
            attributes: encoded.attributes,
            key: encoded.keys.now,
            table,
            count: count_attribute(&entity),
            by,
            limits,
            fence: Fence::of(&entity, tenant.identity()),
            unsharded: None,
            mark,
            entity,
        };
        if !entity.key.shards.is_sharded() {
            return Ok(increment);
        }
        let components = tenant.identity().beside(counter);
        let unsharded = entity
            .key
            .render_partition_key(&components)
            .map_err(|error| WriteError::Key(KeyError::new(entity.name, table.partition_key.name, error)))?;
        let delimiter = entity.key.partition_key.format().delimiter;
        let sharded = entity.key.shards.key_of_shard(&unsharded, delimiter, chosen(&increment.mark));
        Ok(Increment { unsharded: Some(unsharded), ..increment.under(AttributeValue::S(sharded)) })
    }

    /// Whether a counter that is not there begins with this increment. Nothing is taken from one that expires.
    pub(super) fn begins(&self) -> bool {
        self.limits.allow(self.by) && !self.takes_from_what_is_there()
    }

    const fn takes_from_what_is_there(&self) -> bool {
        self.by < 0 && self.entity.time_to_live.is_some()
    }

    /// Whether what it takes from may lie under another key than the one that was chosen.
    pub(super) const fn is_to_be_found(&self) -> bool {
        self.unsharded.is_some() && self.takes_from_what_is_there()
    }

    /// The same of the item under this partition key.
    pub(super) fn under(mut self, partition_key: AttributeValue) -> Increment {
        let name = self.table.partition_key.name;
        self.attributes.insert(name.to_owned(), partition_key.clone());
        self.key.insert(name.to_owned(), partition_key);
        self
    }

    /// The item's key with another partition key.
    fn key_in(&self, partition_key: String) -> KeyAttributes {
        let mut key = self.key.clone();
        key.insert(self.table.partition_key.name.to_owned(), AttributeValue::S(partition_key));
        key
    }

    /// The partition key of another item to take from: of those whose time is not over, the one with the most. None if there is none, or
    /// nothing is to be found.
    pub(super) async fn elsewhere<TableType: Table>(
        &self,
        tenant: &Tenant<TableType>,
        deadline: Deadline,
    ) -> Result<Option<AttributeValue>, ServiceError> {
        let name = self.table.partition_key.name;
        let Some(unsharded) = self.unsharded.as_ref().filter(|_| self.is_to_be_found()) else {
            return Ok(None);
        };
        let delimiter = self.entity.key.partition_key.format().delimiter;
        let keys = self.entity.key.shards.keys_to_read(unsharded, delimiter).into_iter();
        let keys = keys.map(|partition_key| self.key_in(partition_key));
        let others: Vec<KeyAttributes> = keys.filter(|key| *key != self.key).collect();
        let decoder = Decoder::<TableType>::new(tenant.shared(), tenant.identity());
        let items = tenant.read_shards(self.entity.name, others, deadline).await?;
        let there = items
            .into_iter()
            .filter(|item| !decoder.is_foreign(item) && !decoder.is_expired(&self.entity, item));
        let most = there.max_by_key(|item| signed(item, self.count).unwrap_or(0));
        Ok(most.and_then(|mut item| item.remove(name)))
    }

    /// The same increment as the write of another mark: of another try, or in a transaction.
    pub(super) fn marked(&self, mark: WriteMark) -> Increment {
        let mut increment = self.clone();
        let write_id = mark.write_id.value();
        increment.attributes.insert(WRITE_ID_ATTRIBUTE.to_owned(), write_id);
        Increment { mark, ..increment }
    }

    /// The update that adds to the item, and begins it if it may.
    pub(super) fn update(&self) -> PreparedWrite {
        let mut placeholders = Placeholders::default();
        let set = begin(&self.table, &self.entity, &self.attributes, &mut placeholders);
        let count = placeholders.name("count", self.count);
        let by = placeholders.value("by", stored(self.by));
        let expression = format!("SET {} ADD {count} {by}", set.join(", "));
        let condition = self.condition(&mut placeholders, &count);
        self.prepared(Change::Update { expression }, condition, placeholders)
    }

    /// The put that begins the counter in place of an item whose time is over.
    pub(super) fn replacement(&self) -> PreparedWrite {
        let mut item = self.attributes.clone();
        item.insert(self.count.to_owned(), stored(self.by));
        let mut placeholders = Placeholders::default();
        let expiry = placeholders.name("expiry", self.entity.time_to_live.unwrap_or_default());
        let now = placeholders.value("now", stored(self.mark.seconds()));
        let mut condition = format!("{expiry} <= {now}");
        if let Some(fence) = self.fence.clone() {
            condition = format!("{condition} AND {}", fence.write(&mut placeholders));
        }
        let size_bytes = size_bytes(&item);
        self.prepared(Change::Put { item, size_bytes }, Some(condition), placeholders)
    }

    fn prepared(
        &self,
        change: Change,
        condition: Option<String>,
        placeholders: Placeholders,
    ) -> PreparedWrite {
        let (key, earlier, mark) = (self.key.clone(), Vec::new(), self.mark.clone());
        let of_one = self.unsharded.clone().map(|unsharded| self.key_in(unsharded));
        PreparedWrite {
            entity: self.entity.name,
            key,
            earlier,
            of_one,
            change,
            condition,
            placeholders,
            mark,
        }
    }

    /// What is asked of the item: none if it may be in any state.
    fn condition(&self, placeholders: &mut Placeholders, count: &str) -> Option<String> {
        let mut of_item = Vec::new();
        if let Some(time_to_live) = self.entity.time_to_live {
            let expiry = placeholders.name("expiry", time_to_live);
            let now = placeholders.value("now", stored(self.mark.seconds()));
            of_item.push(format!("(attribute_not_exists({expiry}) OR {expiry} > {now})"));
        }
        let [at_least, at_most] = self.limits.before(self.by);
        if let Some(at_least) = at_least {
            let at_least = placeholders.value("least", stored(at_least));
            of_item.push(format!("{count} >= {at_least}"));
        }
        if let Some(at_most) = at_most {
            let at_most = placeholders.value("most", stored(at_most));
            of_item.push(format!("{count} <= {at_most}"));
        }
        if let Some(fence) = self.fence.clone() {
            of_item.push(fence.write(placeholders));
        }
        if !self.begins() {
            let key = placeholders.name("key", self.table.partition_key.name);
            of_item.insert(0, format!("attribute_exists({key})"));
            return Some(of_item.join(" AND "));
        }
        if of_item.is_empty() {
            return None;
        }
        let key = placeholders.name("key", self.table.partition_key.name);
        match of_item.as_slice() {
            // DynamoDB refuses parentheses around parentheses.
            [only] => Some(format!("attribute_not_exists({key}) OR {only}")),
            _ => Some(format!("attribute_not_exists({key}) OR ({})", of_item.join(" AND "))),
        }
    }

    /// What a condition that did not hold means, by the item that is there.
    pub(super) fn found<TableType: Table>(
        &self,
        tenant: &Tenant<TableType>,
        item: Option<&Attributes>,
    ) -> Result<Found, WriteError> {
        let nothing = || if self.entity.time_to_live.is_some() { None } else { Some(0) };
        let Some(item) = item.filter(|item| !item.is_empty()) else {
            return Ok(if self.begins() { Found::Changed } else { Found::Refused { count: nothing() } });
        };
        if Decoder::<TableType>::new(tenant.shared(), tenant.identity()).is_foreign(item) {
            return Err(ForeignItem::new(self.entity.name, ForeignPlace::Replaced).into());
        }
        let expires_at = self.entity.time_to_live.and_then(|name| number(item, name));
        if expires_at.is_some_and(|seconds| seconds <= self.mark.seconds()) {
            return Ok(if self.begins() { Found::Expired } else { Found::Refused { count: None } });
        }
        let count = signed(item, self.count).unwrap_or(0);
        let is_allowed = count.checked_add(self.by).is_some_and(|after| self.limits.allow(after));
        Ok(if is_allowed { Found::Changed } else { Found::Refused { count: self.shown(count) } })
    }

    /// The count that the item has, where that is all of it.
    pub(super) fn counted(&self, item: Option<&Attributes>) -> Option<i64> {
        item.and_then(|item| signed(item, self.count)).and_then(|count| self.shown(count))
    }

    /// The count of the item, where that is all of it.
    pub(super) fn shown(&self, count: i64) -> Option<i64> {
        (!self.entity.key.shards.is_sharded()).then_some(count)
    }
}

/// The attribute that holds the count.
pub(super) fn count_attribute(entity: &EntityShape<'static>) -> &'static str {
    match entity.purpose.count() {
        Some(count) => count,
        None => unreachable!("the derive gives every counter an attribute for its count"),
    }
}

/// The number of the shard that a write chooses: by chance, and the same for the same mark.
fn chosen(mark: &WriteMark) -> u16 {
    let bits = mark.write_id.as_str().bytes();
    bits.fold(0, |number: u16, byte| number.wrapping_mul(257).wrapping_add(u16::from(byte)))
}
