//! Why a value that reads well is still no attribute value.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use crate::{NumberError, quote};

/// A value, or the reason why it is refused.
pub type Checked<T> = Result<T, ValueRefusal>;

/// Why a value is refused: a ValidationException whose text is `Display`, to which some operations add.
///
/// The texts are the service's. Regions differ: newer ones quote the members of a set and sort them, older ones list
/// them as they were sent, as here. That of a null in a number set is ours, since no measured one is known. Of long values
/// and sets only the beginning is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueRefusal {
    /// No type is given, or none that exists.
    NoType,
    /// More than one type is given.
    SeveralTypes,
    /// `{"NULL": false}`.
    NullIsFalse,
    /// A number that is none, or out of range.
    Number(NumberError),
    /// A string set without members.
    EmptyStringSet,
    /// A number set without members.
    EmptyNumberSet,
    /// A binary set without members.
    EmptyBinarySet,
    /// A null among the members of a string set.
    NullInStringSet,
    /// A null among the members of a number set.
    NullInNumberSet,
    /// A null among the members of a binary set.
    NullInBinarySet,
    /// A string set with a member twice; the members as they were sent.
    DuplicateStrings(Vec<String>),
    /// A number set with a member twice.
    DuplicateNumbers,
    /// A binary set with a member twice; the members as they were sent.
    DuplicateBinaries(Vec<Vec<u8>>),
    /// An attribute, of the item or of a map, without a name.
    EmptyName,
    /// An attribute's name of 64 KB or more.
    NameTooLong,
    /// Values nested more than [`NESTING_LIMIT`](crate::NESTING_LIMIT) levels deep.
    TooDeep,
    /// More than any item or expression could hold, so it was not kept.
    TooLarge,
}

impl fmt::Display for ValueRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueRefusal::NoType => formatter.write_str(
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
            ),
            ValueRefusal::SeveralTypes => formatter.write_str(
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported \
                 datatypes",
            ),
            ValueRefusal::NullIsFalse => {
                invalid(formatter, "Null attribute value types must have the value of true")
            }
            ValueRefusal::Number(error) => error.fmt(formatter),
            // The two spaces are the service's.
            ValueRefusal::EmptyStringSet => invalid(formatter, "An string set  may not be empty"),
            ValueRefusal::EmptyNumberSet => invalid(formatter, "An number set  may not be empty"),
            ValueRefusal::EmptyBinarySet => invalid(formatter, "Binary sets should not be empty"),
            ValueRefusal::NullInStringSet => {
                invalid(formatter, "An string set may not have a null string as a member")
            }
            ValueRefusal::NullInNumberSet => {
                invalid(formatter, "An number set may not have a null number as a member")
            }
            ValueRefusal::NullInBinarySet => {
                invalid(formatter, "Binary sets may not contain null or empty values")
            }
            ValueRefusal::DuplicateStrings(members) => {
                invalid(formatter, "Input collection ")?;
                write_members(formatter, members.iter().map(|member| Cow::Borrowed(member.as_str())))?;
                formatter.write_str(" contains duplicates.")
            }
            ValueRefusal::DuplicateNumbers => formatter.write_str("Input collection contains duplicates"),
            // No space before "of": the service's.
            ValueRefusal::DuplicateBinaries(members) => {
                invalid(formatter, "Input collection ")?;
                write_members(formatter, members.iter().map(|bytes| Cow::Owned(super::write::base64(bytes))))?;
                formatter.write_str("of type BS contains duplicates.")
            }
            ValueRefusal::EmptyName => formatter.write_str("Empty attribute name"),
            ValueRefusal::NameTooLong => {
                formatter.write_str("Attribute name is too large, must be less than 65536 bytes")
            }
            ValueRefusal::TooDeep => formatter.write_str(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond \
                 supported limit",
            ),
            ValueRefusal::TooLarge => formatter.write_str("Item size has exceeded the maximum allowed size"),
        }
    }
}

fn invalid(formatter: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
    write!(formatter, "One or more parameter values were invalid: {what}")
}

/// Writes the members until so many of them are shown that a message repeats no more.
fn write_members<'member>(
    formatter: &mut fmt::Formatter<'_>,
    members: impl Iterator<Item = Cow<'member, str>>,
) -> fmt::Result {
    formatter.write_str("[")?;
    let mut shown_bytes = 0;
    for (position, member) in members.enumerate() {
        if shown_bytes > quote::LONGEST_BYTES {
            break;
        }
        if position > 0 {
            formatter.write_str(", ")?;
        }
        let shown = quote::beginning(&member);
        formatter.write_str(shown)?;
        shown_bytes += shown.len() + ", ".len();
    }
    formatter.write_str("]")
}

impl Error for ValueRefusal {}
