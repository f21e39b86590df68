//! Attribute values: the ten types, and the size that DynamoDB counts for each.

use crate::{AttributeMap, Number, Set};

/// How many levels deep values may nest: an attribute's value is at level 1, the members of a map or list one
/// level below it. So 31 maps or lists around a scalar are accepted, and 32 are not.
///
/// Source: "Nested attribute depth" in <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.
pub const NESTING_LIMIT: usize = 32;

/// The largest item in bytes, names and values together, as [`AttributeMap::size_bytes`] counts.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub const MAX_ITEM_BYTES: usize = 400 * 1024;

/// The value of one attribute.
///
/// The variants are named as on the wire.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html>.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeValue {
    /// A string; it may be empty (but not as a key).
    S(String),
    /// A number.
    N(Number),
    /// Bytes; there may be none (but not in a key).
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// Null, `{"NULL": true}` on the wire.
    Null,
    /// A map.
    M(AttributeMap),
    /// A list.
    L(Vec<AttributeValue>),
    /// A set of strings.
    Ss(Set<String>),
    /// A set of numbers.
    Ns(Set<Number>),
    /// A set of byte strings.
    Bs(Set<Vec<u8>>),
}

impl AttributeValue {
    /// The type's name on the wire: `S`, `N`, `B`, `BOOL`, `NULL`, `M`, `L`, `SS`, `NS` or `BS`.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            AttributeValue::S(_) => "S",
            AttributeValue::N(_) => "N",
            AttributeValue::B(_) => "B",
            AttributeValue::Bool(_) => "BOOL",
            AttributeValue::Null => "NULL",
            AttributeValue::M(_) => "M",
            AttributeValue::L(_) => "L",
            AttributeValue::Ss(_) => "SS",
            AttributeValue::Ns(_) => "NS",
            AttributeValue::Bs(_) => "BS",
        }
    }

    /// How many levels the value has: 1, and one more for each map or list around the deepest value in it. Those that
    /// come out of a request have at most [`NESTING_LIMIT`].
    ///
    /// ```
    /// use keywright_item::AttributeValue;
    ///
    /// let list = AttributeValue::L(vec![AttributeValue::L(vec![AttributeValue::Null])]);
    /// assert_eq!((list.levels(), AttributeValue::L(vec![]).levels()), (3, 1));
    /// ```
    #[must_use]
    pub fn levels(&self) -> usize {
        match self {
            AttributeValue::M(map) => {
                1 + map.iter().map(|(_, value)| value.levels()).max().unwrap_or_default()
            }
            AttributeValue::L(list) => 1 + list.iter().map(AttributeValue::levels).max().unwrap_or_default(),
            _ => 1,
        }
    }

    /// The bytes that DynamoDB counts for the value, without its attribute's name: UTF-8 bytes, raw bytes,
    /// [`Number::size_bytes`], 1 for a boolean or null, the members of a set, and for a map or list 3 and one more
    /// for each member.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        match self {
            AttributeValue::S(string) => string.len(),
            AttributeValue::N(number) => number.size_bytes(),
            AttributeValue::B(bytes) => bytes.len(),
            AttributeValue::Bool(_) | AttributeValue::Null => 1,
            AttributeValue::M(map) => 3 + map.len() + map.size_bytes(),
            AttributeValue::L(list) => {
                3 + list.len() + list.iter().map(AttributeValue::size_bytes).sum::<usize>()
            }
            AttributeValue::Ss(set) => set.iter().map(String::len).sum(),
            AttributeValue::Ns(set) => set.iter().map(Number::size_bytes).sum(),
            AttributeValue::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }
}
