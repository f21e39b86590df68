//! Every message of a ValidationException, in one place.
//!
//! Invariant: what the service refuses is a variant here, whoever finds it: this crate, which sees the request,
//! or the engine, which sees the table as well.

use std::fmt;

use keywright_expression::ResolveRefusal;

use crate::{KeyRole, ScalarType};

/// Why a request is not valid. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Validation {
    /// A table's key attribute is missing in the item of a PutItem.
    MissingKeyInItem {
        /// The key attribute's name.
        name: String,
    },
    /// A table's key attribute has another type in the item of a PutItem.
    KeyTypeMismatchInItem {
        /// The key attribute's name.
        name: String,
        /// The type that the table asks for.
        expected: ScalarType,
        /// The type of the value in the item, such as `N` or `SS`.
        actual: &'static str,
    },
    /// The `Key` of a request has too few, too many, or wrongly typed attributes for the table.
    KeyDoesNotMatchSchema,
    /// A key attribute's value is an empty string or empty binary.
    EmptyKeyValue {
        /// The key attribute's name.
        name: String,
        /// The type of the value, which cannot be `N`.
        kind: ScalarType,
    },
    /// A key attribute's value is longer than 2,048 bytes (partition key) or 1,024 bytes (sort key).
    KeyTooLong {
        /// Which of the two.
        role: KeyRole,
    },
    /// The exclusive start key is not a key of the table.
    StartKeyMalformed,
    /// The exclusive start key has the form of a key, but its value is refused for another reason.
    StartKeyRefused(Box<Validation>),
    /// The exclusive start key lies in another item collection, and the query has no condition on the sort key.
    StartKeyOutsideBoundaries,
    /// The exclusive start key does not satisfy the condition on the sort key.
    StartKeyOutsideRange,
    /// The exclusive start key satisfies the condition on the sort key, but lies in another item collection.
    StartKeyCannotRestart,
    /// The key condition does not fit the table.
    KeyCondition(ResolveRefusal),
}

impl fmt::Display for Validation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const INVALID: &str = "One or more parameter values were invalid";
        match self {
            Self::MissingKeyInItem { name } => {
                write!(formatter, "{INVALID}: Missing the key {name} in the item")
            }
            Self::KeyTypeMismatchInItem { name, expected, actual } => write!(
                formatter,
                "{INVALID}: Type mismatch for key {name} expected: {} actual: {actual}",
                expected.wire_name()
            ),
            Self::KeyDoesNotMatchSchema => {
                formatter.write_str("The provided key element does not match the schema")
            }
            Self::EmptyKeyValue { name, kind } => {
                let kind = if *kind == ScalarType::B { "binary" } else { "string" };
                write!(
                    formatter,
                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
                     contain an empty {kind} value. Key: {name}"
                )
            }
            Self::KeyTooLong { role: KeyRole::Partition } => {
                write!(
                    formatter,
                    "{INVALID}: Size of hashkey has exceeded the maximum size limit of2048 bytes"
                )
            }
            Self::KeyTooLong { role: KeyRole::Sort } => write!(
                formatter,
                "{INVALID}: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
            ),
            Self::StartKeyMalformed => formatter.write_str("The provided starting key is invalid"),
            Self::StartKeyRefused(refusal) => {
                write!(formatter, "The provided starting key is invalid: {refusal}")
            }
            Self::StartKeyOutsideBoundaries => formatter.write_str(
                "The provided starting key is outside query boundaries based on provided conditions",
            ),
            Self::StartKeyOutsideRange => {
                formatter.write_str("The provided starting key does not match the range key predicate")
            }
            Self::StartKeyCannotRestart => {
                formatter.write_str("The query can return at most one row and cannot be restarted")
            }
            Self::KeyCondition(refusal) => refusal.fmt(formatter),
        }
    }
}

impl From<ResolveRefusal> for Validation {
    fn from(refusal: ResolveRefusal) -> Self {
        Self::KeyCondition(refusal)
    }
}
