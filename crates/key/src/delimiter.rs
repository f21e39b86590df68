//! The byte that joins the segments of a key, and what it makes provable.
//!
//! A delimiter is one printable ASCII byte that is no letter and no digit, since values are written with those.

use std::fmt;

/// The byte between two segments of a key.
///
/// From `!` to `+` a delimiter is **ordering**: it and its successor sort below everything that ids, numbers and
/// timestamps are written with, the lowest of which is `-`. So values can be escaped with the successor, order is kept
/// over several components, and a prefix has an exact range. Above `+` a delimiter only **separates**: it exists for
/// tables that are there already, and the rules refuse what is not provable with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delimiter(u8);

/// Why a character cannot join segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelimiterError {
    /// It is a letter or a digit, which every value may hold.
    Alphanumeric(char),
    /// It opens or closes a component of a template.
    Brace(char),
    /// It is a space, a control character or not ASCII.
    NotPrintable(char),
}

impl Delimiter {
    /// `#`, the delimiter of new tables.
    pub const NUMBER_SIGN: Delimiter = Delimiter(b'#');

    /// The delimiter that is written as `character`.
    ///
    /// # Errors
    /// [`DelimiterError`] for what is not ASCII punctuation, and for braces.
    pub const fn new(character: char) -> Result<Delimiter, DelimiterError> {
        if character.is_ascii_alphanumeric() {
            return Err(DelimiterError::Alphanumeric(character));
        }
        if matches!(character, '{' | '}') {
            return Err(DelimiterError::Brace(character));
        }
        if !character.is_ascii_graphic() {
            return Err(DelimiterError::NotPrintable(character));
        }
        Ok(Delimiter(character as u8))
    }

    /// The delimiter that is written as `character`, for constants.
    ///
    /// # Panics
    /// Where [`Delimiter::new`] gives an error, with its text; in a constant this stops the compilation.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "a panic is the one way in which a constant function reports")]
    pub const fn of(character: char) -> Delimiter {
        match Delimiter::new(character) {
            Ok(delimiter) => delimiter,
            Err(error) => panic!("{}", error.text()),
        }
    }

    /// Whether it sorts below everything that ids, numbers and timestamps are written with.
    #[must_use]
    pub const fn is_ordering(self) -> bool {
        self.successor() < b'-'
    }

    /// The delimiter as a character.
    #[must_use]
    pub const fn character(self) -> char {
        self.0 as char
    }

    /// The delimiter as its one byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The byte after the delimiter: the escape sign of an ordering delimiter, and the end of ranges.
    #[must_use]
    pub const fn successor(self) -> u8 {
        self.0 + 1
    }
}

impl DelimiterError {
    /// The error's text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            DelimiterError::Alphanumeric(_) => {
                "a letter or a digit cannot be the delimiter of keys, since values hold it: use `#`, or the \
                 punctuation that the existing table uses"
            }
            DelimiterError::Brace(_) => {
                "a brace cannot be the delimiter of keys, since it marks the components of a template: use `#`"
            }
            DelimiterError::NotPrintable(_) => {
                "the delimiter of keys is one printable ASCII character other than a space: use `#`, or the \
                 punctuation that the existing table uses"
            }
        }
    }
}

impl fmt::Display for DelimiterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl std::error::Error for DelimiterError {}
