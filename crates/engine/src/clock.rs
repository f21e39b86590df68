//! Time as a parameter: everything in the engine that needs the present or waits takes a [`Clock`].
//!
//! Nothing else in the engine reads the system's time, so a test (or a user of a test endpoint) can move it. Time that is moved
//! goes forward only: what the engine stored of a moment must not lie ahead of it.

mod manual;
mod offset;
mod timestamp;

use std::fmt::{self, Debug, Display, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use manual::ManualClock;
pub use offset::OffsetClock;
pub use timestamp::{InvalidTimestamp, Timestamp};

/// A clock: the present, and a way to wait for a later present.
///
/// ```
/// use keywright_engine::clock::{Clock, ManualClock, Timestamp};
/// use std::time::Duration;
///
/// let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
/// clock.advance(Duration::from_secs(1));
/// assert_eq!(clock.now().milliseconds(), 1_700_000_001_000);
/// ```
pub trait Clock: Send + Sync + Debug {
    /// The present.
    fn now(&self) -> Timestamp;

    /// A future that is ready once `duration` has passed on this clock, counted from this call.
    fn sleep(&self, duration: Duration) -> Sleep;
}

/// The future that [`Clock::sleep`] returns. It needs no particular runtime.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

/// A clock that can be moved forward while others read it and sleep on it.
///
/// ```
/// use keywright_engine::clock::{ManualClock, MovableClock, Timestamp};
///
/// let clock = ManualClock::new("2026-01-01T00:00:00Z".parse()?);
/// clock.set("2026-02-01T00:00:00Z".parse()?)?;
/// assert!(clock.set("2026-01-31T00:00:00Z".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MovableClock: Clock {
    /// Moves the time by `duration` (whole milliseconds), and wakes everybody who slept until then.
    fn advance(&self, duration: Duration);

    /// Moves the time to a moment, and wakes everybody who slept until then.
    ///
    /// # Errors
    /// When it is later already: then nothing is moved.
    fn set(&self, moment: Timestamp) -> Result<(), TimeGoesBack>;

    /// Whether time passes while nobody moves it.
    fn pace(&self) -> Pace;
}

/// Whether time passes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pace {
    /// It stands still until it is moved.
    Frozen,
    /// It passes as it does outside.
    Running,
}

/// A clock was to be set to a moment that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeGoesBack {
    /// What the clock shows.
    pub now: Timestamp,
    /// What it was to show.
    pub asked: Timestamp,
}

impl Display for TimeGoesBack {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let TimeGoesBack { now, asked } = self;
        write!(formatter, "time never goes back: it is {now}, later than {asked}")
    }
}

impl std::error::Error for TimeGoesBack {}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// The system's wall clock. A machine whose clock stands before 1970 reads 1970.
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::EPOCH.plus(since_epoch)
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        Box::pin(futures_timer::Delay::new(duration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_shows_this_century() {
        let year_2020 = Timestamp::from_milliseconds(1_577_836_800_000);
        assert!(SystemClock.now() > year_2020);
    }
}
