//! What the service answers when the JSON of a request does not fit the request's types.

use std::error::Error;
use std::fmt;

/// The body, or a part of it, has the wrong kind of JSON: a SerializationException.
///
/// [`message`](SerializationError::message) is the service's text; for a body that is not JSON the service gives none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SerializationError {
    /// Not JSON, or cut off; the byte where that was noticed.
    Malformed {
        /// Bytes from the start of the body.
        offset: usize,
    },
    /// A scalar of the wrong kind, by the service's names: `NUMBER_VALUE cannot be converted to String`.
    Scalar {
        /// `STRING_VALUE`, `NUMBER_VALUE`, `DECIMAL_VALUE`, `TRUE_VALUE` or `FALSE_VALUE`.
        found: &'static str,
        /// `String`, `Boolean`, `Integer` or `Long`.
        expected: &'static str,
    },
    /// An array where something else belongs; the type that belongs there, as the service names it.
    Collection(String),
    /// An object where a scalar or an array belongs.
    Structure,
    /// A scalar where a list, a map or a structure belongs.
    Field,
    /// A scalar where an element of a list or map belongs that is a structure.
    Value,
    /// A scalar where a list or map of lists or maps belongs.
    Parameterized,
    /// A string that is no boolean.
    Token,
    /// Binary data that is not a string.
    NotBase64,
    /// Base64 whose length is not a multiple of 4; the length.
    Base64Length(usize),
    /// Base64 with characters or bits that do not belong.
    Base64Characters,
}

impl SerializationError {
    /// The service's message, if it gives one.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        match self {
            SerializationError::Malformed { .. } => None,
            _ => Some(self.to_string()),
        }
    }
}

impl fmt::Display for SerializationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SerializationError::Malformed { offset } => {
                write!(formatter, "the body is not JSON at byte {offset}")
            }
            SerializationError::Scalar { found, expected } => {
                write!(formatter, "{found} cannot be converted to {expected}")
            }
            SerializationError::Collection(expected) => {
                write!(formatter, "Unrecognized collection type {expected}")
            }
            SerializationError::Structure => {
                formatter.write_str("Start of structure or map found where not expected")
            }
            SerializationError::Field => formatter.write_str("Unexpected field type"),
            SerializationError::Value => formatter.write_str("Unexpected value type in payload"),
            SerializationError::Parameterized => formatter.write_str(PARAMETERIZED),
            SerializationError::Token => formatter.write_str("Unexpected token received from parser"),
            SerializationError::NotBase64 => {
                formatter.write_str("only base-64-encoded strings are convertible to bytes")
            }
            SerializationError::Base64Length(length) => {
                write!(
                    formatter,
                    "Base64 encoded length is expected a multiple of 4 bytes but found: {length}"
                )
            }
            // The service spells it so.
            SerializationError::Base64Characters => {
                formatter.write_str("Invalid last non-pad Base64 character dectected")
            }
        }
    }
}

const PARAMETERIZED: &str = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class \
    java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module \
    java.base of loader 'bootstrap')";

impl Error for SerializationError {}
