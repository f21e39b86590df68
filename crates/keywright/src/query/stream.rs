//! Pages as a stream.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};

use super::{Page, Pages};
use crate::error::ReadError;

/// The pages of a read as a [`Stream`]. It ends after the last page, and after the first error.
///
/// ```
/// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
/// # use application::*;
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
    reading: Option<Reading<Pattern>>,
}

/// The next page, and the reader that goes on from there.
type Reading<Pattern> = Pin<Box<dyn Future<Output = (Pages<Pattern>, Next<Pattern>)> + Send>>;
type Next<Pattern> = Result<Option<Page<<Pattern as ReadItems>::Item>>, ReadError>;

impl<TableType, Pattern> Pages<Pattern>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + Components + Send + Sync + 'static,
    Pattern::Item: Send,
{
    /// The pages as a [`Stream`], for those who combine streams; [`Pages::next`] needs no other crate.
    ///
    /// ```
    /// # mod application { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-layer/application.rs")); }
    /// # use application::*;
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
        PageStream { reading: Some(read(self)) }
    }
}

fn read<TableType, Pattern>(mut pages: Pages<Pattern>) -> Reading<Pattern>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + Components + Send + Sync + 'static,
    Pattern::Item: Send,
{
    Box::pin(async move {
        let next = pages.next().await;
        (pages, next)
    })
}

impl<TableType, Pattern> Stream for PageStream<Pattern>
where
    TableType: Table + 'static,
    Pattern: ReadItems<Table = TableType> + Components + Send + Sync + 'static,
    Pattern::Item: Send,
{
    type Item = Result<Page<Pattern::Item>, ReadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let Poll::Ready((pages, next)) = reading.as_mut().poll(context) else { return Poll::Pending };
        self.reading = None;
        match next {
            Ok(None) => Poll::Ready(None),
            Ok(Some(page)) => {
                self.reading = Some(read(pages));
                Poll::Ready(Some(Ok(page)))
            }
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }
}

impl<Pattern: ReadItems> fmt::Debug for PageStream<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PageStream").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}
