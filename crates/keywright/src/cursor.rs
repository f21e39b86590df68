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
pub(crate) use sealed::{Context, open, seal};

/// How long a cursor is good for, where a store is not told otherwise.
pub(crate) const VALID_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the next page begins. Its text is safe in URLs.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cursor(Box<str>);

/// Why a cursor is refused. Nothing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorError {
    /// It was not made by this store for this tenant, pattern, values and order, or was changed since.
    Invalid,
    /// It is older than cursors are good for.
    Expired,
}

impl Cursor {
    pub(crate) fn new(text: String) -> Cursor {
        Cursor(text.into())
    }

    /// The cursor as text, for a client to send back.
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
        })
    }
}

impl Error for CursorError {}
