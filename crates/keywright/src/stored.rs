//! An item as it was stored, and the state of it that an ETag names.

use std::fmt;
use std::ops::Deref;

use crate::write::WriteId;

/// An item that was read, and the id of the write that stored it. It is used like the item itself.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let written = acme.put(&team(1, "Analysts")).send().await?;
/// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?;
/// assert_eq!(team.name, "Analysts");
/// assert_eq!(team.etag(), Some(written.etag()));
/// let team: Team = team.into_item();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<Item> {
    item: Item,
    write_id: Option<WriteId>,
}

/// The entity tag of one state of one item, for HTTP's conditional requests.
///
/// It is the id of the write: an item that was deleted and made again has another, and so has one that was written with the same
/// content. As text it is in double quotes, as the header `ETag` has it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ETag;
///
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let first = acme.put(&team(1, "Analysts")).send().await?.etag();
/// let header = first.to_string();
/// assert_eq!(ETag::parse(&header)?, first);
///
/// acme.put(&team(1, "Analysts")).send().await?;
/// let late = acme.update(TeamById { team_id: 1 }, Rename { name: "Late".to_owned() }).if_match(&first).send().await?;
/// assert!(!late.is_done());
/// # Ok(())
/// # }
/// ```
///
/// Source: <https://www.rfc-editor.org/rfc/rfc9110#name-etag>
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ETag(WriteId);

/// What a client says of the states that it knows: `If-Match` and `If-None-Match`.
///
/// ```
/// use keywright::{ETag, ETagMatch};
///
/// let known = ETag::parse("\"Zk3xw0q1T9aV5mJ8rY2b7A\"")?;
/// assert!(ETagMatch::parse("\"other\", \"Zk3xw0q1T9aV5mJ8rY2b7A\"")?.contains(Some(&known)));
/// assert!(ETagMatch::parse("*")?.contains(Some(&known)));
/// assert!(!ETagMatch::parse("*")?.contains(None));
/// # Ok::<(), keywright::InvalidETag>(())
/// ```
///
/// Source: <https://www.rfc-editor.org/rfc/rfc9110#name-if-match>
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ETagMatch {
    /// `*`: any state.
    Any,
    /// One of these.
    OneOf(Vec<ETag>),
}

/// A header that holds no entity tags.
///
/// ```
/// use keywright::{ETag, InvalidETag};
///
/// assert_eq!(ETag::parse("no quotes"), Err(InvalidETag));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidETag;

impl<Item> Stored<Item> {
    pub(crate) const fn new(item: Item, write_id: Option<WriteId>) -> Stored<Item> {
        Stored { item, write_id }
    }

    /// The item alone.
    #[must_use]
    pub fn into_item(self) -> Item {
        self.item
    }

    /// The id of the write that stored it; none if that was not written through this crate.
    #[must_use]
    pub const fn write_id(&self) -> Option<&WriteId> {
        self.write_id.as_ref()
    }

    /// Its entity tag; none if it was not written through this crate.
    #[must_use]
    pub fn etag(&self) -> Option<ETag> {
        self.write_id.clone().map(ETag)
    }
}

impl<Item> Deref for Stored<Item> {
    type Target = Item;

    fn deref(&self) -> &Item {
        &self.item
    }
}

impl ETag {
    /// The tag of what a write stored.
    #[must_use]
    pub const fn of(write_id: WriteId) -> ETag {
        ETag(write_id)
    }

    pub(crate) const fn write_id(&self) -> &WriteId {
        &self.0
    }

    /// The tag that a header's text is: `"Zk3..."`. Weak tags are none, since a condition on a write compares strongly.
    ///
    /// # Errors
    /// When it is no tag of this crate.
    pub fn parse(text: &str) -> Result<ETag, InvalidETag> {
        let inside =
            text.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(InvalidETag)?;
        let is_possible = !inside.is_empty()
            && inside.len() <= 64
            && inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_possible { Ok(ETag(WriteId::stored(inside))) } else { Err(InvalidETag) }
    }
}

impl ETagMatch {
    /// What the text of an `If-Match` or `If-None-Match` header says.
    ///
    /// # Errors
    /// When it is neither `*` nor a list of tags. A tag that is not of this crate matches nothing, and is left out.
    pub fn parse(header: &str) -> Result<ETagMatch, InvalidETag> {
        let header = header.trim();
        if header == "*" {
            return Ok(ETagMatch::Any);
        }
        let parts: Vec<&str> = header.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let are_tags = parts.iter().all(|part| {
            let part = part.strip_prefix("W/").unwrap_or(part);
            part.len() >= 2 && part.starts_with('"') && part.ends_with('"')
        });
        if parts.is_empty() || !are_tags {
            return Err(InvalidETag);
        }
        Ok(ETagMatch::OneOf(parts.into_iter().filter_map(|part| ETag::parse(part).ok()).collect()))
    }

    /// Whether a state is among those that are said.
    #[must_use]
    pub fn contains(&self, etag: Option<&ETag>) -> bool {
        match self {
            ETagMatch::Any => etag.is_some(),
            ETagMatch::OneOf(tags) => etag.is_some_and(|etag| tags.contains(etag)),
        }
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.0)
    }
}

impl fmt::Display for InvalidETag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("an entity tag is a text in double quotes, and a list of them is separated by commas")
    }
}

impl std::error::Error for InvalidETag {}
