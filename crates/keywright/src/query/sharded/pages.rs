//! All pages of a read over several shards.

use std::fmt;

use futures_util::stream::try_unfold;
use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};

use super::FannedOut;
use super::plan::Plan;
use super::position::MergePosition;
use crate::error::ReadError;
use crate::query::{Page, PageStream};

/// The pages of a read over several shards, one after the other, until none is left. It keeps one page at a time, and each page is read
/// when it is asked for.
///
/// ```
/// use keywright::key::Components;
/// use keywright::key::declare::{AcrossTenants, FansOut, ReadItems, Table};
/// use keywright::{FannedOut, FannedOutPages, ReadError, Tenant};
///
/// /// Reads a sharded key that is a deviation, for one tenant.
/// fn find<TableType, Pattern>(tenant: &Tenant<TableType>, pattern: Pattern) -> FannedOut<Pattern>
/// where
///     TableType: Table,
///     Pattern: ReadItems<Table = TableType> + AcrossTenants + FansOut + Components,
/// {
///     tenant.lookup_sharded(pattern)
/// }
///
/// async fn count<TableType, Pattern>(mut pages: FannedOutPages<Pattern>) -> Result<usize, ReadError>
/// where
///     TableType: Table,
///     Pattern: ReadItems<Table = TableType> + Components,
/// {
///     let mut items = 0;
///     while let Some(page) = pages.next().await? {
///         items += page.items.len();
///     }
///     Ok(items)
/// }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct FannedOutPages<Pattern: ReadItems> {
    read: FannedOut<Pattern>,
    position: Position,
}

/// Where a reader of pages is.
#[derive(Debug)]
enum Position {
    /// Before the first page.
    First,
    /// Before the page that begins here.
    Before(MergePosition),
    /// After the last page.
    End,
}

impl<TableType, Pattern> FannedOut<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The pages, one after the other, from the first or from the cursor that was given.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=5 { acme.put(&event("news", number)).send().await?; }
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let mut pages = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).limit(TWO).pages();
    /// let mut numbers = Vec::new();
    /// while let Some(page) = pages.next().await? {
    ///     numbers.push(page.into_items()?.iter().map(|event| event.number).collect::<Vec<_>>());
    /// }
    /// assert_eq!(numbers, [vec![1, 2], vec![3, 4], vec![5]]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> FannedOutPages<Pattern> {
        FannedOutPages { read: self, position: Position::First }
    }
}

impl<TableType, Pattern> FannedOutPages<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The next page; none after the last one. A page may be empty and not be the last.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=5 { acme.put(&event("news", number)).send().await?; }
    /// let mut pages = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).pages();
    /// let page = pages.next().await?.ok_or("the first page is always there")?; // no limit: all that one request a shard reads
    /// assert_eq!((page.items.len(), page.has_more()), (5, false));
    /// assert!(pages.next().await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`]; the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<Page<Pattern::Item>>, ReadError> {
        if matches!(self.position, Position::End) {
            return Ok(None);
        }
        let Some(plan) = Plan::of(&self.read.query)? else {
            // Nothing lies in the range that was given.
            self.position = Position::End;
            return Ok(None);
        };
        let start = match &self.position {
            Position::Before(start) => Some(start.clone()),
            Position::First | Position::End => self.read.start(&plan)?,
        };
        let filled = self.read.page_from(&plan, start.as_ref(), |item, _| item.into_item()).await?;
        let (page, next) = self.read.sealed(&plan, filled)?;
        self.position = next.map_or(Position::End, Position::Before);
        Ok(Some(page))
    }
}

impl<TableType, Pattern> FannedOutPages<Pattern>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + Components + Send + Sync + 'static,
    Pattern::Item: Send,
{
    /// The pages as a [`Stream`](futures_core::Stream), for those who combine streams; [`FannedOutPages::next`] needs no other crate.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// use futures_util::TryStreamExt;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=5 { acme.put(&event("news", number)).send().await?; }
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let news = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).limit(TWO);
    /// let sizes: Vec<usize> = news.pages().into_stream().map_ok(|page| page.items.len()).try_collect().await?;
    /// assert_eq!(sizes, [2, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_stream(self) -> PageStream<Pattern> {
        PageStream::new(try_unfold(self, |mut pages| async move {
            Ok(pages.next().await?.map(|page| (page, pages)))
        }))
    }
}

impl<Pattern: ReadItems> fmt::Debug for FannedOutPages<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FannedOutPages").field("read", &self.read).finish_non_exhaustive()
    }
}
