//! The primary key of a table: a partition key, and perhaps a sort key.

/// The key attributes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchema {
    /// The attribute that says which item collection an item is in (`HASH` on the wire).
    pub partition_key: KeyAttribute,
    /// The attribute that orders the items of a collection (`RANGE` on the wire).
    pub sort_key: Option<KeyAttribute>,
}

/// A key attribute and the type that its values must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// The attribute's name, 1 to 255 bytes.
    pub name: String,
    /// The type of its values.
    pub kind: ScalarType,
}

/// A type that a key attribute can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// A string.
    S,
    /// A number.
    N,
    /// Binary.
    B,
}

/// What a key attribute does in its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyRole {
    /// The partition key (`HASH` on the wire).
    Partition,
    /// The sort key (`RANGE` on the wire).
    Sort,
}

impl KeySchema {
    /// The key attributes with their roles, the partition key first.
    pub fn attributes(&self) -> impl Iterator<Item = (KeyRole, &KeyAttribute)> {
        let sort = self.sort_key.iter().map(|attribute| (KeyRole::Sort, attribute));
        std::iter::once((KeyRole::Partition, &self.partition_key)).chain(sort)
    }
}

impl ScalarType {
    /// The name on the wire: `S`, `N` or `B`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }

    /// The type of a value that can be empty, in the service's words.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            Self::S => "string",
            Self::N => "number",
            Self::B => "binary",
        }
    }

    /// The type with this name on the wire.
    pub fn from_wire_name(name: &str) -> Option<Self> {
        [Self::S, Self::N, Self::B].into_iter().find(|kind| kind.wire_name() == name)
    }
}

impl KeyRole {
    /// The name on the wire: `HASH` or `RANGE`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Partition => "HASH",
            Self::Sort => "RANGE",
        }
    }
}
