//! Types of other crates as components, each behind the feature of its crate's name.
//!
//! A timestamp or a date is written as finely as its type is: `jiff`, `time` and `chrono` have nanoseconds.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "ulid")]
mod ulid;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod moment {
    //! Between values of timestamps and the counts that other crates use.

    use crate::component::{ComponentKind, ComponentValue, Precision, TimestampValue, ValueRefusal};

    const SECONDS_OF_DAY: i64 = 86_400;

    /// The value of a type with nanoseconds.
    pub(super) fn of_nanoseconds(seconds: i64, nanoseconds: u32) -> ComponentValue<'static> {
        value(seconds, nanoseconds, Precision::Nanoseconds)
    }

    /// The value of a date, so many days after the first of January 1970.
    pub(super) fn of_days(days: i64) -> ComponentValue<'static> {
        value(days * SECONDS_OF_DAY, 0, Precision::Days)
    }

    fn value(seconds: i64, nanoseconds: u32, precision: Precision) -> ComponentValue<'static> {
        match TimestampValue::new(seconds, nanoseconds, precision) {
            Some(value) => ComponentValue::Timestamp(value),
            // The callers give whole seconds and less than one second beside them, or a leap second.
            None => unreachable!(),
        }
    }

    /// The timestamp in a value of `kind`.
    pub(super) fn timestamp(
        value: ComponentValue<'_>,
        kind: ComponentKind<'static>,
    ) -> Result<TimestampValue, ValueRefusal> {
        match value {
            ComponentValue::Timestamp(value) => Ok(value),
            other => Err(ValueRefusal::of_kind(kind, &other)),
        }
    }

    /// How many days after the first of January 1970 the date in a value is.
    pub(super) fn days(value: ComponentValue<'_>) -> Result<i64, ValueRefusal> {
        let value = timestamp(value, ComponentKind::Timestamp(Precision::Days))?;
        if value.seconds().rem_euclid(SECONDS_OF_DAY) == 0 && value.nanoseconds() == 0 {
            Ok(value.seconds().div_euclid(SECONDS_OF_DAY))
        } else {
            Err(ValueRefusal::new("the type holds whole days"))
        }
    }

    /// The refusal of a time that a type does not reach.
    pub(super) fn too_far() -> ValueRefusal {
        ValueRefusal::new("the type does not reach so far")
    }
}
