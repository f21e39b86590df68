//! Entity tags: the states of an item that HTTP's conditional requests name.
//!
//! `If-Match` is compared strongly and `If-None-Match` weakly, so the two headers are read by a function each, and what one of them cannot
//! match is left out where it is read. RFC 9110, sections 8.8.3, 13.1.1 and 13.1.2.

use std::fmt;

use crate::stored::Stored;
use crate::write::WriteId;

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

/// What a client says of the states that it knows: `If-Match` and `If-None-Match`. A write takes it by `if_match`.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{ETag, ETagMatch};
///
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let first = acme.put(&team(1, "Analysts")).send().await?.etag();
/// let team = acme.get(TeamById { team_id: 1 }).await?;
/// // A proxy that compresses may have made the tag a weak one.
/// assert!(ETagMatch::if_none_match(&format!("W/{first}"))?.matches(team.as_ref()));
///
/// let known = ETagMatch::if_match(&format!("\"another\", {first}"))?;
/// let rename = Rename { name: "Testers".to_owned() };
/// assert!(acme.update(TeamById { team_id: 1 }, rename).if_match(&known).send().await?.is_done());
/// # Ok(())
/// # }
/// ```
///
/// Source: <https://www.rfc-editor.org/rfc/rfc9110#name-if-match>
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ETagMatch {
    /// `*`: any state, if there is an item.
    Any,
    /// One of these; of none of them, no state at all.
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

impl ETag {
    /// The tag of what a write stored.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ETag;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let written = acme.put(&team(1, "Analysts")).send().await?;
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!(team.etag(), Some(ETag::of(written.write_id)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn of(write_id: WriteId) -> ETag {
        ETag(write_id)
    }

    pub(crate) const fn write_id(&self) -> &WriteId {
        &self.0
    }

    /// The tag that a header's text is: `"Zk3..."`. Weak tags are none, since a condition on a write compares strongly.
    ///
    /// ```
    /// use keywright::{ETag, InvalidETag};
    ///
    /// assert_eq!(ETag::parse("\"Zk3-Fq_9\"")?.to_string(), "\"Zk3-Fq_9\"");
    /// assert_eq!(ETag::parse("W/\"Zk3-Fq_9\""), Err(InvalidETag)); // a weak one
    /// assert_eq!(ETag::parse("\"Zk3\", \"Fq9\""), Err(InvalidETag)); // a list is for `ETagMatch::if_match`
    /// # Ok::<(), InvalidETag>(())
    /// ```
    ///
    /// # Errors
    /// When it is no tag of this crate.
    pub fn parse(text: &str) -> Result<ETag, InvalidETag> {
        match list(text)?.as_slice() {
            [Listed { strength: Strength::Strong, opaque }] => ETag::of_opaque(opaque).ok_or(InvalidETag),
            _ => Err(InvalidETag),
        }
    }

    /// The tag with this between its quotes; none if it is not of this crate.
    fn of_opaque(opaque: &str) -> Option<ETag> {
        WriteId::stored(opaque).map(ETag)
    }
}

impl ETagMatch {
    /// What the text of an `If-Match` header says: `*`, or a list of tags, perhaps empty. A weak tag matches nothing here, and is left out;
    /// so is one that is not of this crate.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{ETag, ETagMatch};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// assert_eq!(ETagMatch::if_match("*")?, ETagMatch::Any);
    /// assert_eq!(ETagMatch::if_match("\"Zk3\", W/\"Fq9\"")?, ETagMatch::OneOf(vec![ETag::parse("\"Zk3\"")?])); // no weak one
    /// assert!(ETagMatch::if_match("Zk3").is_err()); // 400
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it is neither.
    pub fn if_match(header: &str) -> Result<ETagMatch, InvalidETag> {
        ETagMatch::read(header, |strength| strength == Strength::Strong)
    }

    /// What the text of an `If-None-Match` header says: `*`, or a list of tags, perhaps empty. A weak tag is as good as a strong one here; one
    /// that is not of this crate is left out.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ETagMatch;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// let etag = team.etag().ok_or("it was written by this crate")?;
    /// let header = format!("\"older\", W/{etag}"); // what the browser has, by way of a proxy
    /// let is_known = ETagMatch::if_none_match(&header)?.matches(Some(&team));
    /// assert!(is_known); // 304, and no body
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it is neither.
    pub fn if_none_match(header: &str) -> Result<ETagMatch, InvalidETag> {
        ETagMatch::read(header, |_| true)
    }

    fn read(header: &str, counts: impl Fn(Strength) -> bool) -> Result<ETagMatch, InvalidETag> {
        if header.trim_matches(WHITESPACE) == "*" {
            return Ok(ETagMatch::Any);
        }
        let tags = list(header)?.into_iter().filter(|listed| counts(listed.strength));
        Ok(ETagMatch::OneOf(tags.filter_map(|listed| ETag::of_opaque(listed.opaque)).collect()))
    }

    /// Whether the item is in a state that is said; never where there is none. An item that another program wrote has no tag, and `*` is true
    /// for it all the same.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{ETagMatch, Stored};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let first = acme.put(&team(1, "Analysts")).send().await?.etag();
    /// acme.put(&team(1, "Testers")).send().await?;
    /// let now = acme.get(TeamById { team_id: 1 }).await?;
    /// assert!(!ETagMatch::from(&first).matches(now.as_ref())); // it was written since
    /// assert!(ETagMatch::Any.matches(now.as_ref()));
    /// assert!(!ETagMatch::Any.matches(None::<&Stored<Team>>)); // there is none
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn matches<Item>(&self, item: Option<&Stored<Item>>) -> bool {
        match self {
            ETagMatch::Any => item.is_some(),
            ETagMatch::OneOf(tags) => {
                let written_by = item.and_then(Stored::write_id);
                written_by.is_some_and(|write_id| tags.iter().any(|tag| tag.write_id() == write_id))
            }
        }
    }
}

impl From<&ETag> for ETagMatch {
    fn from(etag: &ETag) -> ETagMatch {
        ETagMatch::OneOf(vec![etag.clone()])
    }
}

impl From<&ETagMatch> for ETagMatch {
    fn from(states: &ETagMatch) -> ETagMatch {
        states.clone()
    }
}

/// A tag as a header has it.
struct Listed<'h> {
    strength: Strength,
    /// What is between its quotes.
    opaque: &'h str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Strong,
    Weak,
}

/// What may stand around an element of a list.
const WHITESPACE: [char; 2] = [' ', '\t'];

/// The tags of a list, which may hold empty elements. A tag may hold a comma.
fn list(header: &str) -> Result<Vec<Listed<'_>>, InvalidETag> {
    let mut tags = Vec::new();
    let mut rest = header;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return Ok(tags);
        }
        let (strength, quoted) = match rest.strip_prefix("W/") {
            Some(quoted) => (Strength::Weak, quoted),
            None => (Strength::Strong, rest),
        };
        let (opaque, behind) =
            quoted.strip_prefix('"').and_then(|inside| inside.split_once('"')).ok_or(InvalidETag)?;
        if !opaque.chars().all(is_of_tag) {
            return Err(InvalidETag);
        }
        tags.push(Listed { strength, opaque });
        rest = behind.trim_start_matches(WHITESPACE);
        if !rest.is_empty() && !rest.starts_with(',') {
            return Err(InvalidETag);
        }
    }
}

/// What may stand between the quotes: everything that is visible, but for the quote, and what is beyond ASCII.
fn is_of_tag(character: char) -> bool {
    matches!(character, '!' | '#'..='~') || !character.is_ascii()
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
