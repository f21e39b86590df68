//! Timestamps and dates of `time`.

use ::time::{Date, Duration, OffsetDateTime, UtcDateTime, UtcOffset};

use super::moment;
use crate::component::{ComponentKind, ComponentValue, KeyComponent, Precision, ValueRefusal};

/// A key holds the point in time, not the offset: what is read back is in UTC, and equal.
impl KeyComponent for OffsetDateTime {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Nanoseconds);

    fn to_value(&self) -> ComponentValue<'_> {
        moment::of_nanoseconds(self.unix_timestamp(), self.to_offset(UtcOffset::UTC).nanosecond())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<OffsetDateTime, ValueRefusal> {
        let value = moment::timestamp(value, Self::KIND)?;
        OffsetDateTime::from_unix_timestamp(value.seconds())
            .and_then(|time| time.replace_nanosecond(value.nanoseconds()))
            .map_err(|_| moment::too_far())
    }
}

impl KeyComponent for UtcDateTime {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Nanoseconds);

    fn to_value(&self) -> ComponentValue<'_> {
        moment::of_nanoseconds(self.unix_timestamp(), self.nanosecond())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<UtcDateTime, ValueRefusal> {
        let value = moment::timestamp(value, Self::KIND)?;
        UtcDateTime::from_unix_timestamp(value.seconds())
            .and_then(|time| time.replace_nanosecond(value.nanoseconds()))
            .map_err(|_| moment::too_far())
    }
}

const EPOCH: Date = OffsetDateTime::UNIX_EPOCH.date();

impl KeyComponent for Date {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Days);

    fn to_value(&self) -> ComponentValue<'_> {
        moment::of_days((*self - EPOCH).whole_days())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Date, ValueRefusal> {
        let seconds = moment::days(value)?.checked_mul(86_400).ok_or_else(moment::too_far)?;
        EPOCH.checked_add(Duration::seconds(seconds)).ok_or_else(moment::too_far)
    }
}
