//! All pages of a read.

use std::fmt;

use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};

use super::{Page, Query};
use crate::error::ReadError;
use crate::item::KeyAttributes;

/// The pages of a read, one after the other, until none is left. It keeps one page at a time.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU32;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// # for user_id in ["ada", "bob"] { acme.put(&member(1, user_id)).send().await?; }
/// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
/// let mut pages = acme.query(TeamWithMembers { team_id: 1 }).limit(TWO).pages();
/// let mut sizes = Vec::new();
/// while let Some(page) = pages.next().await? {
///     sizes.push(page.into_items()?.len());
/// }
/// assert_eq!(sizes, [2, 1]);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Pages<Pattern: ReadItems> {
    query: Query<Pattern>,
    position: Position,
}

impl<Pattern: ReadItems> fmt::Debug for Pages<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pages").field("query", &self.query).finish_non_exhaustive()
    }
}

/// Where a reader of pages is.
#[derive(Debug)]
enum Position {
    /// Before the first page.
    First,
    /// Before the page that begins here.
    Before(KeyAttributes),
    /// After the last page.
    End,
}

impl<TableType, Pattern> Query<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The pages, one after the other, from the first or from the cursor that was given.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # for user_id in ["ada", "bob"] { acme.put(&member(1, user_id)).send().await?; }
    /// let first = acme.query(TeamWithMembers { team_id: 1 }).limit(NonZeroU32::MIN).page().await?; // the team
    /// let cursor = first.next.ok_or("there is more")?;
    ///
    /// let mut rest = acme.query(TeamWithMembers { team_id: 1 }).after(cursor).pages();
    /// let mut members = 0;
    /// while let Some(page) = rest.next().await? {
    ///     members += page.items.len();
    /// }
    /// assert_eq!(members, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> Pages<Pattern> {
        Pages { query: self, position: Position::First }
    }
}

impl<TableType, Pattern> Pages<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The next page; none after the last one. A page may be empty and not be the last.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// let mut pages = acme.query(TeamWithMembers { team_id: 1 }).pages();
    /// let page = pages.next().await?.ok_or("the first page is always there")?;
    /// assert_eq!((page.items.len(), page.has_more()), (1, false));
    /// assert!(pages.next().await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`]; the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<Page<Pattern::Item>>, ReadError> {
        let Some(prepared) = self.query.prepare()? else { return Ok(self.end()) };
        let context = self.query.context(&prepared);
        let start = match &self.position {
            Position::First => self
                .query
                .after
                .as_ref()
                .map(|cursor| self.query.open_cursor(&context, cursor))
                .transpose()?,
            Position::Before(start) => Some(start.clone()),
            Position::End => return Ok(None),
        };
        let filled = self.query.page_from(prepared, start, |item, _| item.into_item()).await?;
        let (mut page, next) = filled.page(Pattern::SHAPE.name);
        page.next = next.as_ref().map(|next| self.query.seal_cursor(&context, next)).transpose()?;
        self.position = next.map_or(Position::End, Position::Before);
        Ok(Some(page))
    }

    /// Nothing lies in the range that was given.
    fn end(&mut self) -> Option<Page<Pattern::Item>> {
        self.position = Position::End;
        None
    }
}
