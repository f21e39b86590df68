//! Reads of a key that is spread over shards: one Query for each shard, merged.
//!
//! - A page has the order of the sort key over all shards, in both directions, and one cursor. It is read from the shards of the
//!   present number and of all earlier ones, and from the key without a shard if items were ever written there.
//! - A shard that is throttled, refused or not answered is an error of the page. A page is never short because of it.
//! - Every request is counted: the cost of a page is that of all its shards.

mod merge;
mod page;
mod pages;
mod plan;
mod position;

use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};

use aws_sdk_dynamodb::operation::query::QueryInput;
use keywright_key::Components;
use keywright_key::declare::{AcrossTenants, FansOut, ReadItems, Table, WithinTenant};

use super::{Direction, Query};
use crate::cursor::Cursor;
use crate::error::ReadError;
use crate::raw::RawExpression;
use crate::tenant::Tenant;
use plan::Plan;

pub use pages::FannedOutPages;

/// An access pattern of a key that is spread over shards, about to be read: [`Tenant::query_sharded`].
///
/// It fans out: a page is one Query for each shard, eight at once unless [`FannedOut::calls_in_flight`] says otherwise, and costs what
/// they cost together. Each shard is asked for its share of the page and a little more, so a page of 50 items over ten shards
/// reads about 100 items; a page that is small beside the number of shards wastes most of what it reads.
///
/// ```
/// # use applications::feed::*;
/// # use std::num::NonZeroU32;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// for number in 1..=5 {
///     acme.put(&event("news", number)).send().await?;
/// }
///
/// // The newest two of the topic, over its four shards, and the next two.
/// let news = || EventsOfTopic { topic: "news".to_owned() };
/// let page = acme.query_sharded(news()).backward().limit(TWO).page().await?;
/// assert_eq!(page.items.iter().flatten().map(|event| event.number).collect::<Vec<_>>(), [5, 4]);
/// let page = acme.query_sharded(news()).backward().limit(TWO).after(page.next.ok_or("there is more")?).page().await?;
/// assert_eq!(page.items.iter().flatten().map(|event| event.number).collect::<Vec<_>>(), [3, 2]);
/// # Ok(())
/// # }
/// ```
///
/// The plain query of such a pattern does not compile: it would be one Query, and find a part of the items.
///
/// ```compile_fail,E0277
/// # use applications::feed::*;
/// # fn main() {}
/// async fn newest(acme: keywright::Tenant<Feed>) {
///     let _ = acme.query(EventsOfTopic { topic: "news".to_owned() });
/// }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct FannedOut<Pattern: ReadItems> {
    query: Query<Pattern>,
    in_flight: NonZeroUsize,
}

/// How many requests are made at once unless it is said.
const IN_FLIGHT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(7);

impl<Pattern: ReadItems> FannedOut<Pattern> {
    const fn new(query: Query<Pattern>) -> FannedOut<Pattern> {
        FannedOut { query, in_flight: IN_FLIGHT }
    }

    /// Highest sort key first, over all shards: the latest, where the sort key ends with a time. It costs the same.
    pub fn backward(mut self) -> FannedOut<Pattern> {
        self.query.direction = Direction::Backward;
        self
    }

    /// Goes on after the page that gave this cursor. Whether it is one of this read is found out before anything is sent.
    ///
    /// Cursors outlive a change of the number of shards.
    pub fn after(mut self, cursor: Cursor) -> FannedOut<Pattern> {
        self.query.after = Some(cursor);
        self
    }

    /// Leaves out more after reading than the pattern does: as [`Query::and_filter`].
    pub fn and_filter(mut self, filter: RawExpression) -> FannedOut<Pattern> {
        self.query = self.query.and_filter(filter);
        self
    }

    /// At most this many items in a page, of all shards together; whether there are more is said by the page.
    ///
    /// Without a limit each shard is asked once, for up to 1 MB, and all of that is in memory.
    pub fn limit(mut self, items: NonZeroU32) -> FannedOut<Pattern> {
        self.query.limit = Some(items);
        self
    }

    /// How many requests are made at once; eight by default.
    pub fn calls_in_flight(mut self, calls: NonZeroUsize) -> FannedOut<Pattern> {
        self.in_flight = calls;
        self
    }
}

impl<TableType, Pattern> FannedOut<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The requests that would be sent first, one for each shard, for a look at them; none if no key can lie in the range that was given.
    ///
    /// # Errors
    /// When a key or a value cannot be written, and when the cursor is refused.
    pub fn requests(&self) -> Result<Vec<QueryInput>, ReadError> {
        let Some(plan) = Plan::of(&self.query)? else { return Ok(Vec::new()) };
        let start = self.start(&plan)?;
        let shards = plan.shards(start.as_ref(), self.query.limit_of_items());
        Ok(shards
            .iter()
            .filter_map(|shard| match shard.request(&plan)?.as_input().clone().build() {
                Ok(input) => Some(input),
                Err(_) => unreachable!("`prepare` gives what a Query needs"),
            })
            .collect())
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// An access pattern of this tenant's items whose key is spread over shards: one Query for each shard and page. One whose key is not
    /// is read by [`Tenant::query`].
    pub fn query_sharded<Pattern>(&self, pattern: Pattern) -> FannedOut<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + WithinTenant + FansOut + Components,
    {
        FannedOut::new(Query::new(self.clone(), pattern))
    }

    /// A read across tenants, as [`Tenant::lookup`], by a key that is spread over shards: an item of another tenant is an error in its
    /// place and an event, and never data.
    pub fn lookup_sharded<Pattern>(&self, pattern: Pattern) -> FannedOut<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + AcrossTenants + FansOut + Components,
    {
        FannedOut::new(Query::new(self.clone(), pattern))
    }
}

impl<Pattern: ReadItems> fmt::Debug for FannedOut<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FannedOut")
            .field("query", &self.query)
            .field("in_flight", &self.in_flight)
            .finish()
    }
}
