//! Pages as a stream.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::stream::try_unfold;
use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};

use super::{Page, Pages};
use crate::error::ReadError;

/// The pages of a read as a [`Stream`]. It ends after the last page, and after the first error.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use futures_util::TryStreamExt;
///
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// let mut pages = acme.query(TeamWithMembers { team_id: 1 }).pages().into_stream();
/// while let Some(page) = pages.try_next().await? {
///     println!("{} items", page.items.len());
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before the stream is polled"]
pub struct PageStream<Pattern: ReadItems> {
    pages: Pin<Box<dyn Stream<Item = NextPage<Pattern>> + Send>>,
}

type NextPage<Pattern> = Result<Page<<Pattern as ReadItems>::Item>, ReadError>;

impl<Pattern: ReadItems> PageStream<Pattern> {
    pub(super) fn new(pages: impl Stream<Item = NextPage<Pattern>> + Send + 'static) -> PageStream<Pattern> {
        PageStream { pages: Box::pin(pages) }
    }
}

impl<TableType, Pattern> Pages<Pattern>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + Components + Send + Sync + 'static,
    Pattern::Item: Send,
{
    /// The pages as a [`Stream`], for those who combine streams; [`Pages::next`] needs no other crate.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures_core::Stream;
    ///
    /// fn is_stream(_: &impl Stream<Item = Result<keywright::Page<TeamWithMembersItem>, keywright::ReadError>>) {}
    ///
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let pages = acme.query(TeamWithMembers { team_id: 1 }).pages().into_stream();
    /// is_stream(&pages);
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_stream(self) -> PageStream<Pattern> {
        PageStream::new(try_unfold(self, |mut pages| async move {
            Ok(pages.next().await?.map(|page| (page, pages)))
        }))
    }
}

impl<Pattern: ReadItems> Stream for PageStream<Pattern> {
    type Item = NextPage<Pattern>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pages.as_mut().poll_next(context)
    }
}

impl<Pattern: ReadItems> fmt::Debug for PageStream<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PageStream").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}
