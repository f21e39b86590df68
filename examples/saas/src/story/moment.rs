//! Now, chance, and what is kept of a secret.

use std::error::Error;
use std::time::SystemTime;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use keywright::key::{InvalidTimestamp, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::id::Month;

/// A moment, as timestamps and as times to live have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(Timestamp);

impl Moment {
    /// The system's time.
    pub(super) fn now() -> Result<Moment, InvalidTimestamp> {
        Timestamp::from_system_time(SystemTime::now()).map(Moment)
    }

    pub(super) const fn timestamp(self) -> Timestamp {
        self.0
    }

    /// So many days later, or earlier.
    pub(super) fn plus_days(self, days: i64) -> Result<Moment, InvalidTimestamp> {
        self.plus_seconds(days * 24 * 60 * 60)
    }

    /// So many seconds later.
    pub(super) fn plus_seconds(self, seconds: i64) -> Result<Moment, InvalidTimestamp> {
        Timestamp::from_unix_milliseconds(self.0.unix_milliseconds() + seconds * 1000).map(Moment)
    }

    /// Its day, in UTC.
    pub(super) fn date(self) -> Result<Date, jiff::Error> {
        let moment = jiff::Timestamp::from_millisecond(self.0.unix_milliseconds())?;
        Ok(TimeZone::UTC.to_datetime(moment).date())
    }

    /// Its month, in UTC.
    pub(super) fn month(self) -> Result<Month, jiff::Error> {
        let date = self.date()?;
        Ok(Month(format!("{:04}-{:02}", date.year(), date.month())))
    }

    /// Whole seconds since 1970, as a time to live has them.
    pub(super) fn seconds(self) -> u64 {
        u64::try_from(self.0.unix_milliseconds() / 1000).unwrap_or_default()
    }
}

/// Random bits: for ids, and for secrets of links.
pub(super) fn random() -> Result<u128, Box<dyn Error>> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random bytes: {error}"))?;
    Ok(u128::from_le_bytes(bytes))
}

/// What nobody can guess, as text.
pub(super) fn secret() -> Result<String, Box<dyn Error>> {
    Ok(format!("{:032x}{:032x}", random()?, random()?))
}

/// What is stored of a secret: it can be compared, and nobody who reads the table has it.
pub(super) fn hash(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}
