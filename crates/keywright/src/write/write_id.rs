//! The id of a write.

use std::fmt;

use arrayvec::ArrayString;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::item::{Attributes, WRITE_ID_ATTRIBUTE};

/// No id has ever had more.
const MOST_CHARACTERS: usize = 32;

/// The id of one write, never used again: 128 random bits, as 22 characters.
///
/// The item that a write leaves behind holds it. So a write whose answer was lost can be recognised, an ETag names one state of
/// one item, and an item that was deleted and made again never has the ETag of the old one.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ETag;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let written = acme.put(&team(1, "Analysts")).send().await?;
/// let read = acme.get(TeamById { team_id: 1 }).await?.ok_or("it was just stored")?;
/// assert_eq!(read.write_id(), Some(&written.write_id));
/// assert_eq!(ETag::of(written.write_id.clone()).to_string(), format!("\"{}\"", written.write_id.as_str()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WriteId(ArrayString<MOST_CHARACTERS>);

impl WriteId {
    /// A new id.
    #[expect(
        clippy::expect_used,
        reason = "without the system's randomness no id would be unique, and nothing may be written"
    )]
    pub(crate) fn new() -> WriteId {
        let mut bits = [0_u8; 16];
        getrandom::fill(&mut bits).expect("the system gives random bytes");
        WriteId::of_bits(u128::from_be_bytes(bits))
    }

    /// The id of these bits, which are no other write's.
    pub(crate) fn of_bits(bits: u128) -> WriteId {
        let mut text = [0; 22];
        let written = URL_SAFE_NO_PAD.encode_slice(bits.to_be_bytes(), &mut text);
        match written.ok().and_then(|_| WriteId::stored(str::from_utf8(&text).ok()?)) {
            Some(id) => id,
            None => unreachable!("16 bytes are 22 characters, of those that ids have"),
        }
    }

    /// Whether this write left an item as it is.
    pub(crate) fn is_in(&self, item: &Attributes) -> bool {
        matches!(item.get(WRITE_ID_ATTRIBUTE), Some(AttributeValue::S(id)) if *id == self.as_str())
    }

    /// The id as an item holds it.
    pub(crate) fn value(&self) -> AttributeValue {
        AttributeValue::S(self.as_str().to_owned())
    }

    /// The id that an item or a client holds; none if it is of another form than those of this crate: what other programs wrote does not
    /// get into headers.
    pub(crate) fn stored(text: &str) -> Option<WriteId> {
        let is_possible = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_one = !text.is_empty() && text.bytes().all(is_possible);
        ArrayString::from(text).ok().filter(|_| is_one).map(WriteId)
    }

    /// The id as text.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let first = acme.put(&team(1, "Analysts")).send().await?.write_id;
    /// let second = acme.put(&team(1, "Analysts")).send().await?.write_id;
    /// assert_eq!(first.as_str().len(), 22);
    /// assert_ne!(first.as_str(), second.as_str()); // the same content, written twice
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for WriteId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "WriteId({})", self.0)
    }
}
