//! A moment, and how it is written.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

/// A moment: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// 1970-01-01T00:00:00Z, the first moment.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// The moment `milliseconds` after the epoch.
    pub const fn from_milliseconds(milliseconds: u64) -> Timestamp {
        Timestamp(milliseconds)
    }

    /// Milliseconds since the epoch.
    pub const fn milliseconds(self) -> u64 {
        self.0
    }

    /// Whole seconds since the epoch, rounded down.
    pub const fn seconds(self) -> u64 {
        self.0 / 1000
    }

    /// The moment `duration` later, cut to whole milliseconds; the last representable one on overflow.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(milliseconds_of(duration)))
    }

    /// The time from `earlier` to this moment; zero when `earlier` is later.
    pub const fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl Timestamp {
    /// In the words of the service's messages, such as `Friday, October 9, 2026 at 12:21:34 AM`, in UTC; moments after the
    /// year 9999 in milliseconds since 1970.
    pub(crate) fn in_words(self) -> String {
        match i64::try_from(self.0).ok().and_then(|moment| jiff::Timestamp::from_millisecond(moment).ok()) {
            Some(moment) => moment.strftime("%A, %B %-d, %Y at %-I:%M:%S %p").to_string(),
            None => self.to_string(),
        }
    }
}

impl Display for Timestamp {
    /// As RFC 3339 has it, in UTC with milliseconds; moments after the year 9999 in milliseconds since 1970.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match i64::try_from(self.0).ok().and_then(|moment| jiff::Timestamp::from_millisecond(moment).ok()) {
            Some(moment) => write!(formatter, "{moment:.3}"),
            None => write!(formatter, "{} ms", self.0),
        }
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    /// Reads a moment as RFC 3339 has it, with any offset from UTC; parts of a millisecond are cut.
    fn from_str(text: &str) -> Result<Timestamp, InvalidTimestamp> {
        let moment: jiff::Timestamp = text.parse().map_err(|_| InvalidTimestamp)?;
        u64::try_from(moment.as_millisecond()).map(Timestamp).map_err(|_| InvalidTimestamp)
    }
}

/// A text that is no moment from 1970 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTimestamp;

impl Display for InvalidTimestamp {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a moment is written as in RFC 3339, from 1970 on, such as 2026-01-01T00:00:00Z")
    }
}

impl std::error::Error for InvalidTimestamp {}

fn milliseconds_of(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_and_written_as_rfc_3339() {
        let written = |text: &str| text.parse::<Timestamp>().map(|moment| moment.to_string());
        for (text, expected) in [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"),
            ("2026-01-01T02:00:00.1239+02:00", "2026-01-01T00:00:00.123Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            ("2024-02-29t23:59:59z", "2024-02-29T23:59:59.000Z"),
        ] {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
        for text in
            ["", "now", "2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "1969-12-31T23:59:59Z"]
        {
            assert_eq!(written(text), Err(InvalidTimestamp), "{text}");
        }
        assert_eq!(Timestamp::from_milliseconds(u64::MAX).to_string(), "18446744073709551615 ms");
    }
}
