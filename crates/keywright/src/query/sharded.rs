//! Reads of a key that is spread over shards: one Query for each shard, merged.
//!
//! - A page has the order of the sort key over all shards, in both directions, and one cursor. It is read from the shards of the
//!   present number and of all earlier ones, and from the key without a shard if items were ever written there.
//! - A shard that is throttled, refused or not answered when it is first asked is an error of the page. Once all were read, a page whose
//!   time is over, or of which a request fails for a while, ends where all of them were read up to: no page has holes.
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
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// for number in 1..=3 {
    ///     acme.put(&event("news", number)).send().await?;
    /// }
    /// let page = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).backward().page().await?;
    /// let latest_first: Vec<u64> = page.into_items()?.iter().map(|event| event.number).collect();
    /// assert_eq!(latest_first, [3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn backward(mut self) -> FannedOut<Pattern> {
        self.query.direction = Direction::Backward;
        self
    }

    /// Goes on after the page that gave this cursor. Whether it is one of this read is found out before anything is sent.
    ///
    /// Cursors outlive a change of the number of shards.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// use keywright::{CursorError, ReadError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=3 { acme.put(&event("news", number)).send().await?; }
    /// let news = || acme.query_sharded(EventsOfTopic { topic: "news".to_owned() });
    /// let first = news().limit(NonZeroU32::MIN).page().await?;
    /// let cursor = first.next.ok_or("there is more")?; // one for all four shards
    ///
    /// let rest = news().after(cursor.clone()).page().await?.into_items()?;
    /// assert_eq!(rest.iter().map(|event| event.number).collect::<Vec<_>>(), [2, 3]);
    /// let turned = news().backward().after(cursor).page().await;
    /// assert!(matches!(turned, Err(ReadError::Cursor(CursorError::Invalid))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, cursor: Cursor) -> FannedOut<Pattern> {
        self.query.after = Some(cursor);
        self
    }

    /// Leaves out more after reading than the pattern does: as [`Query::and_filter`].
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=3 { acme.put(&event("news", number)).send().await?; }
    /// let second = RawExpression::new("#text = :text")?.name("text", "text").value("text", &"Event 2")?;
    /// let page = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).and_filter(second).page().await?;
    /// assert_eq!(page.items_read, 3);
    /// assert_eq!(page.into_items()?.iter().map(|event| event.number).collect::<Vec<_>>(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn and_filter(mut self, filter: RawExpression) -> FannedOut<Pattern> {
        self.query = self.query.and_filter(filter);
        self
    }

    /// At most this many items in a page, of all shards together; whether there are more is said by the page.
    ///
    /// Without a limit each shard is asked once, for up to 1 MB, and all of that is in memory.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=20 { acme.put(&event("news", number)).send().await?; }
    /// const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();
    /// let page = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).limit(FIVE).page().await?;
    /// assert_eq!((page.items.len(), page.has_more()), (5, true));
    /// assert!(page.items_read > 5); // each of the four shards was asked for its share, and some more
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit(mut self, items: NonZeroU32) -> FannedOut<Pattern> {
        self.query.limit = Some(items);
        self
    }

    /// How many requests are made at once; eight by default.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroUsize;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=3 { acme.put(&event("news", number)).send().await?; }
    /// let news = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() });
    /// let page = news.calls_in_flight(NonZeroUsize::MIN).page().await?; // one shard after the other
    /// assert_eq!(page.items.len(), 3);
    /// assert_eq!(store.usage().reads.get("EventsOfTopic").map(|read| read.requests), Some(4)); // as many as ever
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let requests = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).requests()?;
    /// let mut keys = std::collections::BTreeSet::new();
    /// for request in &requests {
    ///     let values = request.expression_attribute_values().ok_or("the key is a value")?;
    ///     keys.insert(format!("{:?}", values.get(":k0")));
    /// }
    /// assert_eq!((requests.len(), keys.len()), (4, 4)); // one for each shard
    /// # Ok(())
    /// # }
    /// ```
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
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// for number in 1..=20 {
    ///     acme.put(&event("news", number)).send().await?; // into four shards
    /// }
    /// let page = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).page().await?;
    /// let numbers: Vec<u64> = page.into_items()?.iter().map(|event| event.number).collect();
    /// assert!(numbers.iter().copied().eq(1..=20)); // in their order, as if there were one
    /// # Ok(())
    /// # }
    /// ```
    pub fn query_sharded<Pattern>(&self, pattern: Pattern) -> FannedOut<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + WithinTenant + FansOut + Components,
    {
        FannedOut::new(Query::new(self.clone(), pattern))
    }

    /// A read across tenants, as [`Tenant::lookup`], by a key that is spread over shards: an item of another tenant is an error in its
    /// place and an event, and never data.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// let theirs = Mention { organization_id: OrganizationId("globex".to_owned()), ..mention("refund", 2) };
    /// acme.put(&mention("refund", 1)).send().await?;
    /// globex.put(&theirs).send().await?;
    ///
    /// let page = acme.lookup_sharded(MentionsOfWord { word: "refund".to_owned() }).page().await?;
    /// let numbers: Vec<Option<u64>> = page.items.iter().map(|item| item.as_ref().ok().map(|found| found.number)).collect();
    /// assert_eq!(numbers, [Some(1), None]); // of globex's there is an error in its place
    /// # Ok(())
    /// # }
    /// ```
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
