//! What is said of bytes that are not what this crate wrote.

use std::error::Error;
use std::fmt;

/// Stored bytes that do not hold what they should: a changed byte, a lost end, an unknown format.
///
/// It says what is wrong and at which byte, for the message that names the place of the damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    what: &'static str,
    offset: usize,
}

impl Damage {
    /// Damage found `offset` bytes from the start of the bytes that were examined.
    #[must_use]
    pub const fn new(what: &'static str, offset: usize) -> Damage {
        Damage { what, offset }
    }

    /// What is wrong.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        self.what
    }

    /// Where it was noticed: bytes from the start of the bytes that were examined.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.what, self.offset)
    }
}

impl Error for Damage {}
