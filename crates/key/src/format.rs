//! How a table's keys are written: delimiter, timestamps and case.
//!
//! New tables take [`KeyFormat::STANDARD`]. The rest is for tables that exist already.

use crate::delimiter::Delimiter;

/// What all templates of a table share. A modifier on a component goes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFormat {
    /// What joins the segments of a key.
    pub delimiter: Delimiter,
    /// How timestamps are written; by default as RFC 3339 with the precision of their type.
    pub timestamp: Option<TimestampFormat>,
    /// The case of text, ULIDs, UUIDs and bytes; by default each type's own.
    pub letter_case: Option<LetterCase>,
}

impl KeyFormat {
    /// `#`, timestamps as RFC 3339, every type's own case.
    pub const STANDARD: KeyFormat =
        KeyFormat { delimiter: Delimiter::NUMBER_SIGN, timestamp: None, letter_case: None };

    /// The same with another delimiter.
    #[must_use]
    pub const fn with_delimiter(self, delimiter: Delimiter) -> KeyFormat {
        KeyFormat { delimiter, ..self }
    }

    /// The same with timestamps written like this.
    #[must_use]
    pub const fn with_timestamp(self, timestamp: TimestampFormat) -> KeyFormat {
        KeyFormat { timestamp: Some(timestamp), ..self }
    }

    /// The same with letters in this case.
    #[must_use]
    pub const fn with_letter_case(self, letter_case: LetterCase) -> KeyFormat {
        KeyFormat { letter_case: Some(letter_case), ..self }
    }
}

impl Default for KeyFormat {
    fn default() -> KeyFormat {
        KeyFormat::STANDARD
    }
}

/// The case of the letters in a component.
///
/// Types whose case means nothing (ULID, UUID, bytes) are written in it. Text must be in it already: to change it would
/// write one key for two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterCase {
    /// Upper case.
    Upper,
    /// Lower case.
    Lower,
}

/// How a timestamp is written: in UTC, always with the same width, so that byte order is the order of time.
///
/// A timestamp that is finer than its format is refused, never rounded: two timestamps must not write one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampFormat {
    /// `2026-05-01T12:00:00Z`
    Seconds,
    /// `2026-05-01T12:00:00.000Z`, as JavaScript's `toISOString` writes it.
    Milliseconds,
    /// `2026-05-01T12:00:00.000000Z`
    Microseconds,
    /// `2026-05-01T12:00:00.000000000Z`
    Nanoseconds,
    /// `2026-05-01`
    Date,
    /// Seconds since 1970 in ten digits, from 0 to 9999999999 (the year 2286).
    UnixSeconds,
    /// Milliseconds since 1970 in thirteen digits, from 0 to 9999999999999 (the year 2286).
    UnixMilliseconds,
}

impl TimestampFormat {
    /// Every format.
    pub const ALL: &'static [TimestampFormat] = &[
        TimestampFormat::Seconds,
        TimestampFormat::Milliseconds,
        TimestampFormat::Microseconds,
        TimestampFormat::Nanoseconds,
        TimestampFormat::Date,
        TimestampFormat::UnixSeconds,
        TimestampFormat::UnixMilliseconds,
    ];

    /// The modifier that asks for it: `{at:unix-seconds}`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TimestampFormat::Seconds => "seconds",
            TimestampFormat::Milliseconds => "milliseconds",
            TimestampFormat::Microseconds => "microseconds",
            TimestampFormat::Nanoseconds => "nanoseconds",
            TimestampFormat::Date => "date",
            TimestampFormat::UnixSeconds => "unix-seconds",
            TimestampFormat::UnixMilliseconds => "unix-milliseconds",
        }
    }

    /// What may stand at each place: `d` is a digit, everything else is itself.
    pub(crate) const fn picture(self) -> &'static str {
        match self {
            TimestampFormat::Seconds => "dddd-dd-ddTdd:dd:ddZ",
            TimestampFormat::Milliseconds => "dddd-dd-ddTdd:dd:dd.dddZ",
            TimestampFormat::Microseconds => "dddd-dd-ddTdd:dd:dd.ddddddZ",
            TimestampFormat::Nanoseconds => "dddd-dd-ddTdd:dd:dd.dddddddddZ",
            TimestampFormat::Date => "dddd-dd-dd",
            TimestampFormat::UnixSeconds => "dddddddddd",
            TimestampFormat::UnixMilliseconds => "ddddddddddddd",
        }
    }
}
