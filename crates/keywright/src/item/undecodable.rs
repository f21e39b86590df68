//! Why a stored value does not decode.
//!
//! It holds nothing of what is stored: which type a value has, what was expected, and names of the program's own. Texts that a type's
//! own code makes of a value are not even taken.

use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de;

/// Why a value does not decode, and where.
///
/// It is as small as can be, since every value that decodes is handed on in one result with it.
#[derive(Debug)]
pub(crate) struct Undecodable(Box<Cause>);

#[derive(Debug)]
struct Cause {
    problem: Problem,
    /// From the value outwards.
    path: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Problem {
    /// A type refused something; what, is not known yet.
    Refused,
    /// A type refused what is stored.
    Unfit(Stored),
    /// Another thing was expected than is stored.
    Unexpected(Expected, Stored),
    /// A field is not there.
    Missing(&'static str),
}

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Into a field that a type declares.
    Field(&'static str),
    /// Into something whose name is stored only.
    Member,
    /// Into a member of a list or set.
    Element,
}

/// What a type asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// A value of a type of Rust's.
    Rust(&'static str),
    Character,
    Text,
    Bytes,
    Null,
    List,
    Map,
    /// One of an enum's variants.
    Variant(&'static [&'static str]),
}

/// What is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored {
    Text,
    Number,
    Bytes,
    Boolean,
    Null,
    List,
    Map,
    SetOfTexts,
    SetOfNumbers,
    SetOfBytes,
    /// The name of an attribute, or in a map.
    Name,
    /// A type that DynamoDB did not have when this was written.
    Unknown,
}

impl Undecodable {
    fn of(problem: Problem) -> Undecodable {
        Undecodable(Box::new(Cause { problem, path: Vec::new() }))
    }

    /// Where it is: `owner.name`; empty if it is the whole.
    pub(super) fn path(&self) -> String {
        let missing = match self.0.problem {
            Problem::Missing(field) => Some(Step::Field(field)),
            Problem::Refused | Problem::Unfit(_) | Problem::Unexpected(..) => None,
        };
        let mut path = String::new();
        for step in self.0.path.iter().rev().copied().chain(missing) {
            if !path.is_empty() && !matches!(step, Step::Element) {
                path.push('.');
            }
            path.push_str(match step {
                Step::Field(name) => name,
                Step::Member => "*",
                Step::Element => "[]",
            });
        }
        path
    }

    /// Where it is, and why.
    pub(crate) fn told(&self) -> String {
        let path = self.path();
        if path.is_empty() { self.to_string() } else { format!("`{path}`: {self}") }
    }

    /// The same, inside of something that is stored as this.
    pub(super) fn inside(mut self, step: Step, stored: Stored) -> Undecodable {
        if matches!(self.0.problem, Problem::Refused) {
            self.0.problem = Problem::Unfit(stored);
        }
        self.0.path.push(step);
        self
    }

    pub(super) fn unexpected(expected: Expected, stored: Stored) -> Undecodable {
        Undecodable::of(Problem::Unexpected(expected, stored))
    }
}

impl fmt::Display for Undecodable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.problem {
            Problem::Refused => formatter.write_str("what is stored is none that its type takes"),
            Problem::Unfit(stored) => write!(formatter, "the stored {stored} is none that its type takes"),
            Problem::Unexpected(expected, stored) => {
                write!(formatter, "{expected} expected, and the stored {stored} is none")
            }
            Problem::Missing(_) => formatter.write_str("it is missing"),
        }
    }
}

impl std::error::Error for Undecodable {}

impl de::Error for Undecodable {
    /// The text is not taken: it may be made of what is stored.
    fn custom<Text: fmt::Display>(_text: Text) -> Undecodable {
        Undecodable::of(Problem::Refused)
    }

    fn missing_field(field: &'static str) -> Undecodable {
        Undecodable::of(Problem::Missing(field))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Rust(name) => write!(formatter, "`{name}` was"),
            Expected::Character => formatter.write_str("one character was"),
            Expected::Text => formatter.write_str("a text was"),
            Expected::Bytes => formatter.write_str("bytes were"),
            Expected::Null => formatter.write_str("a null was"),
            Expected::List => formatter.write_str("a list was"),
            Expected::Map => formatter.write_str("a map was"),
            Expected::Variant(variants) => {
                write!(formatter, "one of `{}` was", variants.join("`, `"))
            }
        }
    }
}

impl Stored {
    pub(super) const fn of(value: &AttributeValue) -> Stored {
        match value {
            AttributeValue::S(_) => Stored::Text,
            AttributeValue::N(_) => Stored::Number,
            AttributeValue::B(_) => Stored::Bytes,
            AttributeValue::Bool(_) => Stored::Boolean,
            AttributeValue::Null(_) => Stored::Null,
            AttributeValue::L(_) => Stored::List,
            AttributeValue::M(_) => Stored::Map,
            AttributeValue::Ss(_) => Stored::SetOfTexts,
            AttributeValue::Ns(_) => Stored::SetOfNumbers,
            AttributeValue::Bs(_) => Stored::SetOfBytes,
            _ => Stored::Unknown,
        }
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Stored::Text => "text",
            Stored::Number => "number",
            Stored::Bytes => "bytes",
            Stored::Boolean => "boolean",
            Stored::Null => "null",
            Stored::List => "list",
            Stored::Map => "map",
            Stored::SetOfTexts => "set of texts",
            Stored::SetOfNumbers => "set of numbers",
            Stored::SetOfBytes => "set of bytes",
            Stored::Name => "name",
            Stored::Unknown => "value of a new type",
        })
    }
}

impl Step {
    /// The step into what is stored under this name, of which a type declares some.
    pub(super) fn into_field(fields: &[&'static str], name: &str) -> Step {
        fields.iter().find(|field| **field == name).map_or(Step::Member, |field| Step::Field(field))
    }
}
