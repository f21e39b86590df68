//! Timestamps and dates of `chrono`.

use ::chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::moment;
use crate::component::{ComponentKind, ComponentValue, KeyComponent, Precision, ValueRefusal};

impl KeyComponent for DateTime<Utc> {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Nanoseconds);

    fn to_value(&self) -> ComponentValue<'_> {
        // A leap second has more than a second's nanoseconds here as there, and is refused when it is written.
        moment::of_nanoseconds(self.timestamp(), self.timestamp_subsec_nanos())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<DateTime<Utc>, ValueRefusal> {
        let value = moment::timestamp(value, Self::KIND)?;
        DateTime::from_timestamp(value.seconds(), value.nanoseconds()).ok_or_else(moment::too_far)
    }
}

const EPOCH: NaiveDate = match NaiveDate::from_ymd_opt(1970, 1, 1) {
    Some(date) => date,
    None => unreachable!(),
};

impl KeyComponent for NaiveDate {
    const KIND: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Days);

    fn to_value(&self) -> ComponentValue<'_> {
        moment::of_days(self.signed_duration_since(EPOCH).num_days())
    }

    fn from_value(value: ComponentValue<'_>) -> Result<NaiveDate, ValueRefusal> {
        let days = TimeDelta::try_days(moment::days(value)?).ok_or_else(moment::too_far)?;
        EPOCH.checked_add_signed(days).ok_or_else(moment::too_far)
    }
}
