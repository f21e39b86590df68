//! The present, as the client of the store tells it: the engine's clock in process, the system's elsewhere.

use std::time::{Duration, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, default_async_sleep};
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};
use keywright_key::Timestamp;

/// The clock of a store.
#[derive(Clone, Debug)]
pub(crate) struct Clock(SharedTimeSource);

impl Clock {
    /// The clock of a client.
    pub(crate) fn of(client: &Client) -> Clock {
        Clock(client.config().time_source().unwrap_or_else(|| SharedTimeSource::new(SystemTimeSource::new())))
    }

    /// The time since the beginning of 1970.
    pub(crate) fn since_epoch(&self) -> Duration {
        self.0.now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Whole seconds since the beginning of 1970, which is how items say when they expire.
    pub(crate) fn seconds(&self) -> u64 {
        self.since_epoch().as_secs()
    }
}

/// What a client sleeps by: its own sleep implementation, or else the one that the SDK takes by itself, if it is built with any.
pub(crate) fn sleep_of(client: &Client) -> Option<SharedAsyncSleep> {
    client.config().sleep_impl().or_else(default_async_sleep)
}

/// A moment at which a lease is looked at. DynamoDB has no clock in conditions, so it is that of whoever asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Milliseconds since 1970.
    pub(crate) now: u64,
    /// How far two clocks may be apart, in milliseconds.
    pub(crate) clock_error: u64,
}

impl Moment {
    /// Whole seconds since 1970.
    pub(crate) const fn seconds(self) -> u64 {
        self.now / 1000
    }

    /// A lease that ended at or before this, by its holder's clock, is over by everybody's.
    pub(crate) const fn over(self) -> u64 {
        self.now.saturating_sub(self.clock_error)
    }

    /// When, by the clock of whoever asks, a lease is over by everybody's that ends `until`.
    pub(crate) fn free(self, until: u64) -> Timestamp {
        timestamp(until.saturating_add(self.clock_error))
    }

    /// So much later, in milliseconds since 1970.
    pub(crate) fn later(self, duration: Duration) -> u64 {
        self.now.saturating_add(milliseconds(duration))
    }

    /// So much later, in seconds since 1970; what is begun of a second is a whole one.
    pub(crate) fn later_seconds(self, duration: Duration) -> u64 {
        self.later(duration).div_ceil(1000)
    }
}

/// A duration in whole milliseconds.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds since 1970 as a timestamp; the latest there is for what is beyond it.
pub(crate) fn timestamp(milliseconds: u64) -> Timestamp {
    /// The last millisecond of the year 9999.
    const LATEST: i64 = 253_402_300_799_999;
    let milliseconds = i64::try_from(milliseconds).unwrap_or(LATEST).min(LATEST);
    Timestamp::from_unix_milliseconds(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
