//! Timestamps and dates of `jiff`.

use ::jiff::{Timestamp, ToSpan, civil::Date};

use super::moment;
use crate::component::{ComponentKind, ComponentValue, KeyComponent, Precision, ValueRefusal};

impl KeyComponent for Timestamp {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Nanoseconds);

    fn to_value(&self) -> ComponentValue<'_> {
        let nanoseconds = self.as_nanosecond();
        // Within the type's years the seconds fit, and a remainder of a thousand million too.
        let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).unwrap_or(i64::MAX);
        let rest = u32::try_from(nanoseconds.rem_euclid(1_000_000_000)).unwrap_or(0);
        moment::of_nanoseconds(seconds, rest)
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Timestamp, ValueRefusal> {
        let value = moment::timestamp(value, Self::KIND)?;
        let nanoseconds = i128::from(value.seconds()) * 1_000_000_000 + i128::from(value.nanoseconds());
        Timestamp::from_nanosecond(nanoseconds).map_err(|_| moment::too_far())
    }
}

const EPOCH: Date = ::jiff::civil::date(1970, 1, 1);

impl KeyComponent for Date {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Days);

    fn to_value(&self) -> ComponentValue<'_> {
        moment::of_days(self.duration_since(EPOCH).as_hours() / 24)
    }

    fn from_value(value: ComponentValue<'_>) -> Result<Date, ValueRefusal> {
        let days = moment::days(value)?;
        EPOCH.checked_add(days.days()).map_err(|_| moment::too_far())
    }
}
