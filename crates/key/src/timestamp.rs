//! A timestamp for keys: UTC, in milliseconds, with one text.
//!
//! It never reads the clock.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use crate::component::{
    ComponentKind, ComponentValue, KeyComponent, Precision, TimestampValue, ValueRefusal, timestamp_text,
};
use crate::format::TimestampFormat;

/// A point in time in whole milliseconds, from the year 0 to the year 9999, as `2026-05-01T12:00:00.000Z`.
///
/// ```
/// use keywright_key::Timestamp;
///
/// let timestamp: Timestamp = "2026-05-01T12:00:00.250Z".parse()?;
/// assert_eq!(timestamp.unix_milliseconds(), 1_777_636_800_250);
/// assert_eq!(timestamp.to_string(), "2026-05-01T12:00:00.250Z");
/// # Ok::<(), keywright_key::InvalidTimestamp>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(TimestampValue);

/// A text that is no timestamp, or a time that is not in the years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTimestamp {
    /// The text is not like `2026-05-01T12:00:00.000Z`.
    Text,
    /// The time is not in the years 0 to 9999.
    OutOfRange,
}

impl Timestamp {
    /// The beginning of 1970.
    pub const UNIX_EPOCH: Timestamp = match TimestampValue::new(0, 0, Precision::Milliseconds) {
        Some(value) => Timestamp(value),
        None => unreachable!(),
    };

    /// So many milliseconds after the beginning of 1970; negative before it.
    ///
    /// # Errors
    /// [`InvalidTimestamp::OutOfRange`] outside the years 0 to 9999.
    pub fn from_unix_milliseconds(milliseconds: i64) -> Result<Timestamp, InvalidTimestamp> {
        // Below 1,000, so a million times it is below 2^32.
        let nanoseconds = u32::try_from(milliseconds.rem_euclid(1000) * 1_000_000).unwrap_or(0);
        TimestampValue::new(milliseconds.div_euclid(1000), nanoseconds, Precision::Milliseconds)
            .filter(|value| timestamp_text::is_in_years(*value))
            .map(Timestamp)
            .ok_or(InvalidTimestamp::OutOfRange)
    }

    /// The time of a clock; what is finer than a millisecond is cut off.
    ///
    /// # Errors
    /// [`InvalidTimestamp::OutOfRange`] outside the years 0 to 9999.
    pub fn from_system_time(time: SystemTime) -> Result<Timestamp, InvalidTimestamp> {
        let milliseconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()),
            Err(before) => {
                // Cut off downwards: a part of a millisecond before 1970 belongs to the one before.
                let whole = before.duration().as_nanos().div_ceil(1_000_000);
                i64::try_from(whole).map(i64::wrapping_neg)
            }
        };
        Timestamp::from_unix_milliseconds(milliseconds.map_err(|_| InvalidTimestamp::OutOfRange)?)
    }

    /// Milliseconds after the beginning of 1970; negative before it.
    #[must_use]
    pub fn unix_milliseconds(self) -> i64 {
        self.0.seconds() * 1000 + i64::from(self.0.nanoseconds() / 1_000_000)
    }

    /// The time as the standard library has it; nothing where a platform's clock does not reach.
    #[must_use]
    pub fn to_system_time(self) -> Option<SystemTime> {
        let distance = Duration::from_millis(self.unix_milliseconds().unsigned_abs());
        if self.unix_milliseconds() < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(distance)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(distance)
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&timestamp_text::to_text(self.0, TimestampFormat::Milliseconds))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Timestamp({self})")
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Timestamp, InvalidTimestamp> {
        timestamp_text::read(text, TimestampFormat::Milliseconds, Precision::Milliseconds)
            .map(Timestamp)
            .ok_or(InvalidTimestamp::Text)
    }
}

impl KeyComponent for Timestamp {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Milliseconds);

    fn to_value(&self) -> ComponentValue<'_> {
        ComponentValue::Timestamp(self.0)
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Timestamp, ValueRefusal> {
        match value {
            ComponentValue::Timestamp(value) => {
                TimestampValue::new(value.seconds(), value.nanoseconds(), Precision::Milliseconds)
                    .filter(|value| {
                        timestamp_text::is_in_years(*value) && value.nanoseconds().is_multiple_of(1_000_000)
                    })
                    .map(Timestamp)
                    .ok_or_else(|| ValueRefusal::new("the type holds whole milliseconds"))
            }
            other => Err(ValueRefusal::of_kind(Self::KIND, &other)),
        }
    }
}

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            InvalidTimestamp::Text => "a timestamp is written like 2026-05-01T12:00:00.000Z",
            InvalidTimestamp::OutOfRange => "a timestamp is in the years 0 to 9999",
        })
    }
}

impl Error for InvalidTimestamp {}

#[cfg(feature = "serde")]
impl serde::Serialize for Timestamp {
    fn serialize<Target: serde::Serializer>(&self, target: Target) -> Result<Target::Ok, Target::Error> {
        target.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Timestamp {
    fn deserialize<Source: serde::Deserializer<'de>>(source: Source) -> Result<Timestamp, Source::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize<'de>>::deserialize(source)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
