//! Names: one type for each thing that has one, so that a table's name is never taken for an index's.

use std::borrow::Borrow;
use std::fmt;

/// Why a text is not such a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// A table's or index's name is not 3 to 255 of `a-z A-Z 0-9 _ - .`.
    TableOrIndex,
    /// An attribute's name is empty or longer than 255 bytes.
    Attribute,
    /// The name of a part of the design is not a letter followed by letters, digits, `_` or `-`, 64 at most.
    Part,
}

impl fmt::Display for NameProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NameProblem::TableOrIndex => {
                "the name of a table or an index has 3 to 255 characters, each a letter from a to z, a digit, `_`, `-` or `.`"
            }
            NameProblem::Attribute => "the name of an attribute has 1 to 255 bytes",
            NameProblem::Part => {
                "a name begins with a letter and goes on with letters, digits, `_` or `-`: 64 characters at most"
            }
        })
    }
}

impl std::error::Error for NameProblem {}

/// Names of tables and indexes.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>
fn table_or_index(text: &str) -> Result<(), NameProblem> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let has_form = (3..=255).contains(&text.len()) && text.bytes().all(is_allowed);
    has_form.then_some(()).ok_or(NameProblem::TableOrIndex)
}

/// Names of attributes. 255 bytes is the limit of a key attribute; others could be longer, and cost that much in each item.
fn attribute(text: &str) -> Result<(), NameProblem> {
    (1..=255).contains(&text.len()).then_some(()).ok_or(NameProblem::Attribute)
}

/// Names that only the design knows.
fn part(text: &str) -> Result<(), NameProblem> {
    let begins = text.starts_with(|character: char| character.is_ascii_alphabetic());
    let goes_on = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (begins && goes_on && text.len() <= 64).then_some(()).ok_or(NameProblem::Part)
}

macro_rules! names {
    ($($(#[$meta:meta])* $name:ident by $check:ident;)+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(String);

            impl $name {
                /// The name that `text` is.
                ///
                /// # Errors
                /// When it does not have the form of one.
                pub fn new(text: impl Into<String>) -> Result<$name, NameProblem> {
                    let text = text.into();
                    $check(&text).map(|()| $name(text))
                }

                /// The name as text.
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str(&self.0)
                }
            }

            impl Borrow<str> for $name {
                fn borrow(&self) -> &str {
                    &self.0
                }
            }

            impl PartialEq<str> for $name {
                fn eq(&self, other: &str) -> bool {
                    self.0 == other
                }
            }
        )+
    };
}

names! {
    /// The name of a table: 3 to 255 of `a-z A-Z 0-9 _ - .`.
    TableName by table_or_index;
    /// The name of an index: 3 to 255 of `a-z A-Z 0-9 _ - .`.
    IndexName by table_or_index;
    /// The name of an attribute: 1 to 255 bytes.
    AttributeName by attribute;
    /// The name of an entity.
    EntityName by part;
    /// The name of an access pattern.
    PatternName by part;
    /// The name of a write.
    WriteName by part;
    /// The name of a stream's consumer.
    ConsumerName by part;
}
