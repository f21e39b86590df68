//! The name of a table.

use std::fmt;

/// The name of a table: 3 to 255 characters of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`.
///
/// A request may name a table by its ARN as well; the name is the part after `table/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName(Box<str>);

impl TableName {
    /// A table name, or `None` when `name` is not one. ARNs are not names.
    pub fn new(name: &str) -> Option<Self> {
        let fits = (Self::SHORTEST..=Self::LONGEST).contains(&name.len());
        (fits && name.bytes().all(Self::allows)).then(|| Self(name.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) const SHORTEST: usize = 3;
    pub(crate) const LONGEST: usize = 255;

    pub(crate) const fn allows(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for TableName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
