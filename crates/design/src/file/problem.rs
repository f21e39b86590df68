//! What is wrong in a file, where, and what to write instead.

use std::fmt;
use std::ops::Range;

/// Something that keeps a file from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// Where it is: bytes of the text.
    pub range: Range<usize>,
    /// What is wrong.
    pub wrong: String,
    /// What to write instead.
    pub instead: String,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The text is not TOML.
    Syntax,
    /// A key that its section does not have.
    UnknownKey,
    /// A key that its section must have, and does not.
    MissingKey,
    /// A value of another type than its key takes.
    WrongType,
    /// A word that is not one of those that its key takes.
    UnknownWord,
    /// A name, or another text, that does not have the form of one.
    Malformed,
    /// A key template that cannot be read: `KW0101`.
    Template,
    /// A number outside of its range.
    OutOfRange,
    /// Something that is there twice.
    Duplicate,
    /// Parts that exclude each other.
    Conflict,
}

impl ProblemKind {
    /// What reports call the kind.
    pub const fn name(self) -> &'static str {
        match self {
            ProblemKind::Syntax => "syntax",
            ProblemKind::UnknownKey => "unknown-key",
            ProblemKind::MissingKey => "missing-key",
            ProblemKind::WrongType => "wrong-type",
            ProblemKind::UnknownWord => "unknown-word",
            ProblemKind::Malformed => "malformed",
            ProblemKind::Template => "template",
            ProblemKind::OutOfRange => "out-of-range",
            ProblemKind::Duplicate => "duplicate",
            ProblemKind::Conflict => "conflict",
        }
    }

    /// The code of the rule that is broken, for problems that a rule describes.
    pub const fn code(self) -> Option<&'static str> {
        match self {
            ProblemKind::Template => Some("KW0101"),
            _ => None,
        }
    }
}

impl Problem {
    /// What is wrong and what to write instead, in one text.
    pub fn message(&self) -> String {
        format!("{}: {}", self.wrong, self.instead)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message())
    }
}

impl std::error::Error for Problem {}

/// The most problems that are kept: nobody reads more, and a hostile text has one in every second byte.
const MOST: usize = 1000;

/// Problems, while they are found.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    pub(super) fn report(
        &mut self,
        kind: ProblemKind,
        range: Range<usize>,
        wrong: impl Into<String>,
        instead: impl Into<String>,
    ) {
        if self.0.len() < MOST {
            self.0.push(Problem { kind, range, wrong: wrong.into(), instead: instead.into() });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problems in the order of the file.
    pub(super) fn in_order(mut self) -> Vec<Problem> {
        self.0.sort_by_key(|problem| (problem.range.start, problem.range.end));
        self.0
    }
}
