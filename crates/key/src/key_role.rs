//! The two parts of a key, and how long each may be.

/// Which part of a key something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRole {
    /// The partition key.
    Partition,
    /// The sort key.
    Sort,
}

impl KeyRole {
    /// The longest key that DynamoDB takes, in bytes of UTF-8: 2,048 for a partition key, 1,024 for a sort key.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.
    #[must_use]
    pub const fn longest_bytes(self) -> usize {
        match self {
            KeyRole::Partition => 2048,
            KeyRole::Sort => 1024,
        }
    }

    /// What a message calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KeyRole::Partition => "partition key",
            KeyRole::Sort => "sort key",
        }
    }

    /// Whether both are the same, in a constant.
    pub(crate) const fn is(self, other: KeyRole) -> bool {
        self as u8 == other as u8
    }
}
