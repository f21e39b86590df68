//! Cursors: where the next page begins, sealed.
//!
//! A cursor travels through clients, so it is encrypted and authenticated: nobody reads a key out of it or writes one into it. It is
//! bound to the tenant, to the pattern with what it was given, and to the shape of the keys: changed, foreign or outlived, it
//! is refused before anything is read. It is not bound to the page's size, nor to the rest of the design: deploys keep cursors.

mod key;
mod sealed;

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

pub use key::{CursorKey, CursorKeyProblem, CursorKeys};
pub(crate) use sealed::{Context, open, read_position, seal, write_position};

/// How long a cursor is good for, where a store is not told otherwise.
pub(crate) const VALID_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the next page begins: [`Page::next`](crate::Page::next). Its text is safe in URLs and at most 32 KB long, some 200 bytes for common keys.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU32;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Cursor, ReadError};
///
/// const ONE: NonZeroU32 = NonZeroU32::MIN;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// # acme.put(&member(1, "ada")).send().await?;
/// let first = acme.query(TeamWithMembers { team_id: 1 }).limit(ONE).page().await?;
/// let text = first.next.ok_or("there is more")?.to_string(); // to the client, and back
/// let cursor: Cursor = text.parse()?;
///
/// // It fits the read that made it, and no other.
/// let refused = globex.query(TeamWithMembers { team_id: 1 }).after(cursor.clone()).page().await;
/// assert!(matches!(refused, Err(ReadError::Cursor(_))));
/// let second = acme.query(TeamWithMembers { team_id: 1 }).after(cursor).page().await?;
/// assert_eq!(second.items.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cursor(Box<str>);

/// Why a cursor is refused, or cannot be given. When it is refused nothing was read; begin with the first page.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Cursor, CursorError, ReadError};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let changed: Cursor = "AAAA".parse()?;
/// let refused = acme.query(TeamWithMembers { team_id: 1 }).after(changed).page().await;
/// assert!(matches!(refused, Err(ReadError::Cursor(CursorError::Invalid)))); // 400, and the first page
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorError {
    /// It was not made by this store for this tenant, pattern, values and order, or was changed since.
    Invalid,
    /// It is older than cursors are good for.
    Expired,
    /// There is none: so many shards of an index have items with one sort key that the position does not fit.
    TooLong,
}

impl Cursor {
    pub(crate) fn new(text: String) -> Cursor {
        Cursor(text.into())
    }

    /// The cursor as text, for a client to send back.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::Cursor;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// let first = acme.query(TeamWithMembers { team_id: 1 }).limit(NonZeroU32::MIN).page().await?;
    /// let cursor = first.next.ok_or("there is another member")?;
    /// let link = format!("/teams/1/members?after={}", cursor.as_str()); // nothing in it needs escaping
    /// let sent_back: Cursor = link.rsplit('=').next().unwrap_or_default().parse()?;
    /// assert_eq!(sent_back, cursor);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    /// A cursor from the text that a client sent back. Whether it is one is found out when it is used.
    fn from_str(text: &str) -> Result<Cursor, CursorError> {
        let is_possible = !text.is_empty()
            && text.len() <= sealed::LONGEST_TEXT
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_possible { Ok(Cursor(text.into())) } else { Err(CursorError::Invalid) }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Cursor(..)")
    }
}

impl fmt::Display for CursorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CursorError::Invalid => "this cursor does not continue this read: begin with the first page",
            CursorError::Expired => "this cursor has expired: begin with the first page",
            CursorError::TooLong => {
                "the place where this page ends does not fit a cursor, because items of very many shards have one sort key in the \
                 index: let the sort key end with something that tells them apart, or read fewer shards"
            }
        })
    }
}

impl Error for CursorError {}
