//! One item by its whole key.

use aws_sdk_dynamodb::operation::get_item::GetItemInput;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::declare::{NamesItem, ReadItems, Table};
use keywright_key::{Components, Consistency, SortKeyBounds};
use tracing::Instrument;

use super::projection::projection;
use super::read_key::ReadKey;
use crate::error::{KeyError, ReadError};
use crate::expression::Placeholders;
use crate::item::{Decoded, Decoder, ItemKeys, KeyAttributes};
use crate::retry::{self, CountedAs, Deadline};
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::trace;

impl<TableType: Table> Tenant<TableType> {
    /// The one item that a pattern names; none if it is not there, or if its time is over. It is one GetItem, consistent if the pattern says so.
    ///
    /// An item of a key that is spread over shards is looked for under the present number of shards, and, if it is not there, under each
    /// earlier one: one GetItem more for each.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_none());
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there now")?;
    /// assert_eq!(team.name, "Analysts");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] when the key cannot be written, when the item is not what it should be, and when the service refuses.
    pub async fn get<Pattern>(&self, pattern: Pattern) -> Result<Option<Stored<Pattern::Item>>, ReadError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        Ok(self.read_item(&pattern).await?.and_then(Decoded::live))
    }

    /// The request that [`Tenant::get`] would send first, for a look at it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.get_request(&TeamById { team_id: 1 })?;
    /// assert_eq!(request.key().map(|key| key.len()), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the key cannot be written.
    pub fn get_request<Pattern>(&self, pattern: &Pattern) -> Result<GetItemInput, ReadError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        match self.prepare_get::<Pattern>(self.named_keys(pattern)?.now).as_input().clone().build() {
            Ok(input) => Ok(input),
            Err(_) => unreachable!("`prepare_get` gives what GetItem needs"),
        }
    }

    pub(super) async fn read_item<Pattern>(
        &self,
        pattern: &Pattern,
    ) -> Result<Option<Decoded<Pattern::Item>>, ReadError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let keys = self.named_keys(pattern)?;
        let span = trace::get(self.shared(), Pattern::SHAPE.name);
        let deadline = Deadline::of_call(self.shared());
        async {
            let found = self.read_at::<Pattern>(&keys.now, 1, deadline).await?;
            if found.is_some() {
                return Ok(found);
            }
            for (earlier, requests) in keys.earlier.iter().zip(2..) {
                let found = self.read_at::<Pattern>(earlier, requests, deadline).await?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        }
        .instrument(span)
        .await
    }

    /// The item under one of the keys under which it can lie; with it, this read takes so many requests.
    async fn read_at<Pattern>(
        &self,
        key: &KeyAttributes,
        requests: u64,
        deadline: Deadline,
    ) -> Result<Option<Decoded<Pattern::Item>>, ReadError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let send = || self.prepare_get::<Pattern>(key.clone()).send();
        let output = retry::read(self.shared(), CountedAs::Read(Pattern::SHAPE.name), deadline, send).await?;
        let units = output.consumed_capacity.as_ref().and_then(|units| units.capacity_units).unwrap_or(0.0);
        self.shared().count_key(key, units);
        let decoder = Decoder::<TableType>::new(self.shared(), self.identity()).of_pattern(&Pattern::SHAPE);
        let items_read = u64::from(output.item.is_some());
        let decoded = output
            .item
            .map(|item| decoder.decode(item, |discriminator, source| Pattern::read(discriminator, source)))
            .transpose();
        let is_given = matches!(decoded, Ok(Some(Decoded::Item(..))));
        self.shared().counters.read(Pattern::SHAPE.name, |usage| {
            usage.requests += 1;
            usage.units += units;
            usage.items_read += items_read;
            usage.items_given += u64::from(is_given);
        });
        trace::record_read(requests, units, items_read, u64::from(is_given));
        Ok(decoded?)
    }

    fn prepare_get<Pattern>(&self, key: KeyAttributes) -> GetItemFluentBuilder
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let shape = Pattern::SHAPE;
        let mut placeholders = Placeholders::default();
        let projection = projection(&TableType::SHAPE, &shape, &mut placeholders);
        let consistent = (shape.consistency == Consistency::Strong).then_some(true);
        self.shared()
            .calls
            .get_item()
            .table_name(&self.shared().table_name)
            .set_key(Some(key))
            .set_projection_expression(projection)
            .set_expression_attribute_names(placeholders.take_names())
            .set_consistent_read(consistent)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
    }

    /// The keys under which the item that a pattern names can lie.
    pub(crate) fn named_keys<Pattern>(&self, pattern: &Pattern) -> Result<ItemKeys, KeyError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let ReadKey::Rendered { entity, key, partition_key, sort_key } = ReadKey::of::<Pattern>() else {
            unreachable!("a pattern that names an item reads the table, whose keys are rendered")
        };
        let components = self.identity().beside(pattern);
        let problem = |attribute| move |error| KeyError::new(entity, attribute, error);
        let partition = key.render_partition_key(&components).map_err(problem(partition_key))?;
        let sort = match sort_key {
            Some(attribute) => match Pattern::SHAPE.sort_key.bounds(&components) {
                Ok(Some(SortKeyBounds::Equal(sort))) => Some(sort),
                Ok(_) => unreachable!("rule KW0313 holds that a GetItem has the whole sort key"),
                Err(error) => return Err(problem(attribute)(error)),
            },
            None => None,
        };
        Ok(ItemKeys::new(&TableType::SHAPE, &key, &partition, sort.as_deref()))
    }
}
