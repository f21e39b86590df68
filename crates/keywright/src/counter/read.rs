//! Reading a counter: every shard of it, added up.

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity};
use keywright_key::Components;
use keywright_key::declare::{Counter, Table};
use serde::Serialize;
use tracing::Instrument;

use super::increment::count_attribute;
use crate::error::{ForeignItem, ForeignPlace, ItemError, ItemProblem, KeyError, ReadError, ServiceError};
use crate::item::kept::{number, signed};
use crate::item::{Attributes, Decoder, KeyAttributes};
use crate::retry::{self, CountedAs, Deadline, Tries};
use crate::tenant::Tenant;
use crate::trace;

/// The most keys of one BatchGetItem.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
const MOST_KEYS: usize = 100;

impl<TableType: Table> Tenant<TableType> {
    /// The count of a counter, with every increment that was made before; 0 if it is not there, or its time is over.
    ///
    /// A counter in one item is one consistent GetItem. Of a sharded one all shards are read consistently, those of earlier numbers of shards
    /// included: one BatchGetItem for each hundred, and a read unit a shard. What is added meanwhile is in the count or is not.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let views = PageViews { organization_id: OrganizationId("acme".to_owned()), page: "prices".to_owned() };
    /// for _ in 0..20 {
    ///     let _ = acme.add(&views, 1).send().await?; // into one of eight shards
    /// }
    /// assert_eq!(acme.count(&views).await?, 20);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] when the key cannot be written, when what is there is not the tenant's, and when a shard was not read: part of a count
    /// is never given.
    pub async fn count<CounterType>(&self, counter: &CounterType) -> Result<i64, ReadError>
    where
        CounterType: Counter<TableType> + Components + Serialize,
    {
        let entity = CounterType::SHAPE;
        let keys = self.keys_of_counter(counter)?;
        let span = trace::get(self.shared(), entity.name);
        let deadline = Deadline::of_call(self.shared());
        let items = match <[KeyAttributes; 1]>::try_from(keys) {
            Ok([key]) => {
                self.read_one(entity.name, key, deadline).instrument(span).await?.into_iter().collect()
            }
            Err(keys) => self.read_shards(entity.name, keys, deadline).instrument(span).await?,
        };
        let decoder = Decoder::<TableType>::new(self.shared(), self.identity());
        let now = self.shared().clock.seconds();
        let mut sum: i64 = 0;
        for item in &items {
            if decoder.is_foreign(item) {
                let foreign = ForeignItem::new(entity.name, ForeignPlace::Read);
                return Err(ItemError::new(entity.discriminator, None, ItemProblem::Foreign(foreign)).into());
            }
            let expires_at = entity.time_to_live.and_then(|name| number(item, name));
            if expires_at.is_some_and(|seconds| seconds <= now) {
                continue;
            }
            let count = count_attribute(&entity);
            let after = signed(item, count).and_then(|count| sum.checked_add(count));
            let Some(after) = after.or_else(|| (!item.contains_key(count)).then_some(sum)) else {
                let reason = "it is no whole number of 64 bits, or the sum of the shards is none".to_owned();
                let problem = ItemProblem::Attribute { path: count.to_owned(), reason };
                return Err(ItemError::new(entity.discriminator, None, problem).into());
            };
            sum = after;
        }
        Ok(sum)
    }

    /// The keys of all items of a counter.
    fn keys_of_counter<CounterType>(&self, counter: &CounterType) -> Result<Vec<KeyAttributes>, KeyError>
    where
        CounterType: Counter<TableType> + Components,
    {
        let (table, entity) = (TableType::SHAPE, CounterType::SHAPE);
        let components = self.identity().beside(counter);
        let problem = |attribute| move |error| KeyError::new(entity.name, attribute, error);
        let partition_key = table.partition_key.name;
        let unsharded = entity.key.render_partition_key(&components).map_err(problem(partition_key))?;
        let sort_key = match table.sort_key {
            Some(attribute) => {
                let rendered = entity.key.render_sort_key(&components).map_err(problem(attribute.name))?;
                rendered.map(|rendered| (attribute.name, rendered))
            }
            None => None,
        };
        let delimiter = entity.key.partition_key.format().delimiter;
        let keys = entity.key.shards.keys_to_read(&unsharded, delimiter);
        Ok(keys
            .into_iter()
            .map(|key| {
                let sort_key = sort_key.iter().map(|(name, key)| (*name, key.clone()));
                let parts = std::iter::once((partition_key, key)).chain(sort_key);
                parts.map(|(name, key)| (name.to_owned(), AttributeValue::S(key))).collect()
            })
            .collect())
    }

    async fn read_one(
        &self,
        entity: &'static str,
        key: KeyAttributes,
        deadline: Deadline,
    ) -> Result<Option<Attributes>, ServiceError> {
        let shared = self.shared();
        let get = shared.calls.get_item().table_name(&shared.table_name).set_key(Some(key.clone()));
        let get = get.consistent_read(true).return_consumed_capacity(ReturnConsumedCapacity::Total);
        let output = retry::read(shared, CountedAs::Read(entity), deadline, || get.clone().send()).await?;
        let units = output.consumed_capacity.and_then(|units| units.capacity_units).unwrap_or(0.0);
        shared.count_key(&key, units);
        let found = u64::from(output.item.is_some());
        shared.counters.read(entity, |usage| {
            usage.requests += 1;
            usage.units += units;
            usage.items_read += found;
            usage.items_given += found;
        });
        trace::record_read(1, units, found, found);
        Ok(output.item)
    }

    /// Every one of these items that is there. What comes back unprocessed is asked again; what comes back too often, one by one.
    pub(super) async fn read_shards(
        &self,
        entity: &'static str,
        keys: Vec<KeyAttributes>,
        deadline: Deadline,
    ) -> Result<Vec<Attributes>, ServiceError> {
        let shared = self.shared();
        let mut items = Vec::new();
        let mut reading = Reading::default();
        for chunk in keys.chunks(MOST_KEYS) {
            let mut left = chunk.to_vec();
            let mut tries = Tries::begin(shared, CountedAs::Read(entity), deadline);
            loop {
                let request = shared
                    .calls
                    .batch_get_item()
                    .request_items(&shared.table_name, asked(left.clone()))
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                let output = match request.send().await.map_err(ServiceError::new) {
                    Ok(output) => output,
                    Err(error) => {
                        tries.failed(&error);
                        if error.problem().is_passing() && tries.wait().await {
                            continue;
                        }
                        return Err(error);
                    }
                };
                reading.requests += 1;
                let units = output.consumed_capacity.unwrap_or_default();
                let units: f64 = units.into_iter().filter_map(|units| units.capacity_units).sum();
                reading.units += units;
                for key in &left {
                    // The service says units of the call as a whole.
                    shared.count_key(key, units / left.len() as f64);
                }
                items.extend(
                    output.responses.unwrap_or_default().remove(&shared.table_name).unwrap_or_default(),
                );
                let mut unprocessed = output.unprocessed_keys.unwrap_or_default();
                left = unprocessed.remove(&shared.table_name).map(|left| left.keys).unwrap_or_default();
                if left.is_empty() {
                    tries.answered();
                    break;
                }
                if !tries.wait().await {
                    break;
                }
            }
            for key in left {
                items.extend(self.read_one(entity, key, deadline).await?);
            }
        }
        let found = items.len() as u64;
        shared.counters.read(entity, |usage| {
            usage.requests += reading.requests;
            usage.units += reading.units;
            usage.items_read += found;
            usage.items_given += found;
        });
        trace::record_read(reading.requests, reading.units, found, found);
        Ok(items)
    }
}

/// What reading took.
#[derive(Default)]
struct Reading {
    requests: u64,
    units: f64,
}

fn asked(keys: Vec<KeyAttributes>) -> KeysAndAttributes {
    match KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build() {
        Ok(asked) => asked,
        Err(_) => unreachable!("keys are all that is needed, and they are given"),
    }
}
