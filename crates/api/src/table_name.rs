//! The name of a table, as a request gives it.

use std::fmt;

/// The name of a table: 1 to 255 characters of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`.
///
/// CreateTable asks for at least 3, so that a shorter one names no table. A request may name a table by its Amazon
/// Resource Name as well; the name is the part after `table/`.
///
/// ```
/// use keywright_api::TableName;
/// assert!(TableName::new("App").is_some());
/// assert!(TableName::new("my table").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName(Box<str>);

impl TableName {
    /// A table name, or `None` when `name` is not one. Amazon Resource Names are not names.
    pub fn new(name: &str) -> Option<Self> {
        let fits = (1..=Self::LONGEST).contains(&name.len());
        (fits && Self::has_only_allowed(name)).then(|| Self(name.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The most bytes that a name has.
    pub(crate) const LONGEST: usize = 255;

    /// What the service's model says of the characters of a name.
    pub(crate) const PATTERN: &str = "[a-zA-Z0-9_.-]+";

    /// Whether every character may be in a name.
    pub(crate) fn has_only_allowed(name: &str) -> bool {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    }

    /// The name in `arn:<partition>:dynamodb:<region>:<account>:table/<name>`.
    pub(crate) fn from_arn(arn: &str) -> Option<Self> {
        let mut parts = arn.splitn(6, ':');
        let (prefix, _partition, service) = (parts.next()?, parts.next()?, parts.next()?);
        let (_region, _account, resource) = (parts.next()?, parts.next()?, parts.next()?);
        (prefix == "arn" && service == "dynamodb").then_some(())?;
        Self::new(resource.strip_prefix("table/")?)
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
