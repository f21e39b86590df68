//! What the requests of a fan-out have in common: the key without its shard, the shards, and the condition.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::declare::{ReadItems, Table};
use keywright_key::{Components, Delimiter, Shards, SortKeyBounds};

use super::merge::Shard;
use super::position::{MergePosition, from_on};
use crate::error::{KeyError, ReadError};
use crate::expression::Placeholders;
use crate::item::{Attributes, KeyAttributes};
use crate::query::key_condition::KeyCondition;
use crate::query::position::key_names;
use crate::query::read_key::ReadKey;
use crate::query::{Direction, Query};

/// The read of one key, over its shards.
pub(super) struct Plan {
    /// The request, with the key without a shard: what a cursor is bound to.
    pub(super) prepared: QueryFluentBuilder,
    /// The attribute of the partition key that is read.
    pub(super) partition_key: &'static str,
    /// The attribute of the sort key that is read.
    pub(super) sort_key: &'static str,
    /// The attributes beside them that tell items with one sort key apart: none in the table itself.
    pub(super) others: Vec<&'static str>,
    /// The key without a shard.
    pub(super) unsharded: String,
    pub(super) direction: Direction,
    bounds: SortKeyBounds,
    /// The partition keys to read.
    pub(super) keys: Vec<String>,
    shards: Shards<'static>,
    delimiter: Delimiter,
}

impl Plan {
    /// What a query reads; none if no key can lie in the range that was given.
    pub(super) fn of<TableType, Pattern>(query: &Query<Pattern>) -> Result<Option<Plan>, ReadError>
    where
        TableType: Table,
        Pattern: ReadItems<Table = TableType> + Components,
    {
        let Some(prepared) = query.prepare()? else { return Ok(None) };
        let shape = Pattern::SHAPE;
        let ReadKey::Rendered { entity, key, partition_key, sort_key: Some(sort_key) } =
            ReadKey::of::<Pattern>()
        else {
            unreachable!(
                "rule KW0209 holds that a key with shards has a sort key, and attributes have no shards"
            )
        };
        let components = query.tenant.identity().beside(&query.pattern);
        let problem = |attribute| move |error| KeyError::new(entity, attribute, error);
        let unsharded = key.render_partition_key(&components).map_err(problem(partition_key))?;
        let bounds = shape.sort_key.bounds(&components).map_err(problem(sort_key))?;
        let bounds = bounds.unwrap_or(SortKeyBounds::All);
        let delimiter = key.partition_key.format().delimiter;
        let is_local = shape.index.is_some() && partition_key == TableType::SHAPE.partition_key.name;
        let keys = match &bounds {
            // The shard follows from the sort key; in a local index, from another than is read.
            SortKeyBounds::Equal(of_item) if !is_local => {
                key.shards.keys_of_item(&unsharded, delimiter, of_item)
            }
            _ => key.shards.keys_to_read(&unsharded, delimiter),
        };
        let mut others = key_names(&TableType::SHAPE, shape.index);
        others.retain(|name| *name != partition_key && *name != sort_key);
        let (direction, shards) = (query.direction, key.shards);
        Ok(Some(Plan {
            prepared,
            partition_key,
            sort_key,
            others,
            unsharded,
            direction,
            bounds,
            keys,
            shards,
            delimiter,
        }))
    }

    /// The shards, from their beginning or from where the page before ended; each reads at first its share of a page of so many items.
    pub(super) fn shards(&self, start: Option<&MergePosition>, limit: Option<usize>) -> Vec<Shard> {
        let reads = limit.map(|limit| share(limit, self.keys.len()));
        self.keys.iter().map(|key| Shard::new(self, key, start, reads)).collect()
    }

    /// The part of a shard's key that tells its shard; empty for the key without one.
    pub(super) fn suffix<'k>(&self, key: &'k str) -> &'k str {
        key.get(self.unsharded.len()..).unwrap_or_default()
    }

    /// Whether items are told apart by their sort keys.
    pub(super) fn is_of_table(&self) -> bool {
        self.others.is_empty()
    }

    /// Where the item with this sort key is looked for: the lower, the sooner.
    pub(super) fn rank(&self, key: &str, sort_key: &str) -> usize {
        let keys = self.shards.keys_of_item(&self.unsharded, self.delimiter, sort_key);
        keys.iter().position(|candidate| candidate == key).unwrap_or(usize::MAX)
    }

    /// Whether the first sort key comes before the second in this read.
    pub(super) fn precedes(&self, one: &str, other: &str) -> bool {
        match self.direction {
            Direction::Forward => one < other,
            Direction::Backward => one > other,
        }
    }

    /// The sort key of an item or of a start key.
    pub(super) fn sort_key_of<'a>(&self, attributes: &'a Attributes) -> &'a str {
        // What is read by a rendered key has one.
        attributes.get(self.sort_key).and_then(|value| value.as_s().ok()).map_or("", String::as_str)
    }

    /// The request to one shard: after a start key, or from a sort key on, or from the beginning.
    pub(super) fn request(
        &self,
        key: &str,
        from: Option<&str>,
        after: Option<KeyAttributes>,
        reads: Option<usize>,
    ) -> QueryFluentBuilder {
        let bounds =
            from.map_or_else(|| self.bounds.clone(), |from| from_on(&self.bounds, from, self.direction));
        let mut placeholders = Placeholders::default();
        let names = (self.partition_key, self.sort_key);
        let Some(condition) = KeyCondition::rendered(names, key.to_owned(), bounds, &mut placeholders) else {
            unreachable!("a plan has bounds in which keys can lie")
        };
        let mut names = self.prepared.get_expression_attribute_names().clone().unwrap_or_default();
        names.extend(placeholders.take_names().unwrap_or_default());
        let mut values = self.prepared.get_expression_attribute_values().clone().unwrap_or_default();
        // A request is refused for a value that it does not use.
        values.retain(|placeholder, _| !matches!(placeholder.as_str(), ":k1" | ":k2"));
        values.extend(placeholders.take_values().unwrap_or_default());
        self.prepared
            .clone()
            .key_condition_expression(condition.text)
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(values))
            .set_exclusive_start_key(after)
            .set_limit(reads.map(|reads| i32::try_from(reads).unwrap_or(i32::MAX)))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
    }
}

/// How many items each of so many shards is asked for at first, for a page of `limit`.
///
/// Items are spread by chance: about a square root lies above the mean. What is missing then is asked for again.
fn share(limit: usize, shards: usize) -> usize {
    let mean = limit.div_ceil(shards.max(1));
    limit.min(mean + 2 * mean.isqrt() + 1)
}
