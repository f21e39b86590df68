//! Values of components, apart from their types.

use std::borrow::Cow;

use super::kind::{ComponentKind, IntegerSize, Precision};
use crate::text;

/// A value that fills a component. It says its own kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComponentValue<'a> {
    /// Text; empty text is refused when it is written.
    Text(Cow<'a, str>),
    /// An integer from 0 up.
    Unsigned(u64, IntegerSize),
    /// An integer of either sign.
    Signed(i64, IntegerSize),
    /// A point in time.
    Timestamp(TimestampValue),
    /// 128 bits that are written as a ULID.
    Ulid(u128),
    /// 128 bits that are written as a UUID.
    Uuid(u128),
    /// One of the words.
    Enum {
        /// Every word, in the order of the values.
        words: &'a [&'a str],
        /// Which of them.
        index: usize,
    },
    /// False or true.
    Boolean(bool),
    /// Bytes; no bytes at all are refused when they are written.
    Bytes(Cow<'a, [u8]>),
}

/// A point in time, in UTC. Keys hold the years 0 to 9999; others are refused when they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimestampValue {
    seconds: i64,
    nanoseconds: u32,
    precision: Precision,
}

impl ComponentValue<'_> {
    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> ComponentKind<'_> {
        match self {
            ComponentValue::Text(_) => ComponentKind::Text,
            ComponentValue::Unsigned(_, size) => ComponentKind::Unsigned(*size),
            ComponentValue::Signed(_, size) => ComponentKind::Signed(*size),
            ComponentValue::Timestamp(value) => ComponentKind::Timestamp(value.precision),
            ComponentValue::Ulid(_) => ComponentKind::Ulid,
            ComponentValue::Uuid(_) => ComponentKind::Uuid,
            ComponentValue::Enum { words, .. } => ComponentKind::Enum(words),
            ComponentValue::Boolean(_) => ComponentKind::Boolean,
            ComponentValue::Bytes(_) => ComponentKind::Bytes,
        }
    }

    /// Where `word` stands among `words`, for constants.
    ///
    /// # Panics
    /// When it is none of them; in a constant this stops the compilation.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "a panic is the one way in which a constant function reports")]
    pub const fn place_of_word(words: &[&str], word: &str) -> usize {
        let mut place = 0;
        let mut rest = words;
        while let [one, later @ ..] = rest {
            if text::equal(one, word) {
                return place;
            }
            place += 1;
            rest = later;
        }
        panic!("an enum's value has a word that is none of its words")
    }

    /// The word of an enum's value.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        match self {
            ComponentValue::Enum { words, index } => words.get(*index).copied(),
            _ => None,
        }
    }
}

impl TimestampValue {
    /// So many seconds and nanoseconds after the beginning of 1970; `precision` is that of the type it comes from.
    ///
    /// From 1,000,000,000 nanoseconds on it is in a leap second, which no key can hold: it is refused when it is written.
    /// Nothing for 2,000,000,000 nanoseconds and more.
    #[must_use]
    pub const fn new(seconds: i64, nanoseconds: u32, precision: Precision) -> Option<TimestampValue> {
        if nanoseconds > 1_999_999_999 {
            return None;
        }
        Some(TimestampValue { seconds, nanoseconds, precision })
    }

    /// Whole seconds after the beginning of 1970; negative before it.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after the second, whatever its sign.
    #[must_use]
    pub const fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// The precision of the type that it comes from.
    #[must_use]
    pub const fn precision(self) -> Precision {
        self.precision
    }
}
