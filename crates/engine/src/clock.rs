//! Time as a parameter: what the engine knows of the present comes from a [`Clock`].
//!
//! Nothing else in the engine reads the system's time, so a test (or a user of a test endpoint) can move it.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// A moment: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
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

impl Display for Timestamp {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ms", self.0)
    }
}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// The system's wall clock. A machine whose clock stands before 1970 reads 1970.
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(milliseconds_of(since_epoch))
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        Box::pin(futures_timer::Delay::new(duration))
    }
}

/// A clock that stands still until [`ManualClock::advance`] moves it. Clones share the time.
#[derive(Clone)]
pub struct ManualClock {
    shared: Arc<Mutex<ManualTime>>,
}

impl ManualClock {
    /// A clock that shows `start`.
    pub fn new(start: Timestamp) -> ManualClock {
        let time = ManualTime { now: start, next_sleeper: 0, sleepers: BTreeMap::new() };
        ManualClock { shared: Arc::new(Mutex::new(time)) }
    }

    /// Moves the time by `duration` (whole milliseconds) and wakes, earliest deadline first, everybody who
    /// slept until then.
    pub fn advance(&self, duration: Duration) {
        let due = {
            let mut time = lock(&self.shared);
            time.now = time.now.plus(duration);
            let first_later = SleeperId { deadline: Timestamp(time.now.0.saturating_add(1)), number: 0 };
            let later = time.sleepers.split_off(&first_later);
            std::mem::replace(&mut time.sleepers, later)
        };
        for waker in due.into_values() {
            waker.wake();
        }
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        lock(&self.shared).now
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        let mut time = lock(&self.shared);
        let id = SleeperId { deadline: time.now.plus(duration), number: time.next_sleeper };
        time.next_sleeper += 1;
        Box::pin(ManualSleep { shared: Arc::clone(&self.shared), id })
    }
}

impl Debug for ManualClock {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let time = lock(&self.shared);
        formatter
            .debug_struct("ManualClock")
            .field("now", &time.now)
            .field("sleepers", &time.sleepers.len())
            .finish()
    }
}

struct ManualTime {
    now: Timestamp,
    next_sleeper: u64,
    /// Who has been polled and waits, in the order in which they are to be woken.
    sleepers: BTreeMap<SleeperId, Waker>,
}

/// Orders sleepers by deadline, and by the order of their calls when deadlines are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SleeperId {
    deadline: Timestamp,
    number: u64,
}

struct ManualSleep {
    shared: Arc<Mutex<ManualTime>>,
    id: SleeperId,
}

impl Future for ManualSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut time = lock(&self.shared);
        if time.now >= self.id.deadline {
            return Poll::Ready(());
        }
        time.sleepers.insert(self.id, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for ManualSleep {
    fn drop(&mut self) {
        lock(&self.shared).sleepers.remove(&self.id);
    }
}

/// No code panics while it holds this lock, so a poisoned one still holds a whole value.
fn lock(shared: &Mutex<ManualTime>) -> MutexGuard<'_, ManualTime> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn milliseconds_of(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::task::Wake;

    /// Sends its name when it is woken.
    struct Bell(&'static str, mpsc::Sender<&'static str>);

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            self.1.send(self.0).unwrap();
        }
    }

    fn poll(sleep: &mut Sleep, name: &'static str, bells: &mpsc::Sender<&'static str>) -> Poll<()> {
        let waker = Waker::from(Arc::new(Bell(name, bells.clone())));
        sleep.as_mut().poll(&mut Context::from_waker(&waker))
    }

    #[test]
    fn a_manual_clock_wakes_sleepers_in_the_order_of_their_deadlines() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(1_000));
        let (bells, rung) = mpsc::channel();
        let mut late = clock.sleep(Duration::from_millis(300));
        let mut early = clock.sleep(Duration::from_millis(100));
        let mut far = clock.sleep(Duration::from_secs(3600));
        assert!(poll(&mut late, "late", &bells).is_pending());
        assert!(poll(&mut early, "early", &bells).is_pending());
        assert!(poll(&mut far, "far", &bells).is_pending());

        clock.advance(Duration::from_millis(300));

        assert_eq!(rung.try_iter().collect::<Vec<_>>(), ["early", "late"]);
        assert!(poll(&mut late, "late", &bells).is_ready());
        assert!(poll(&mut early, "early", &bells).is_ready());
        assert!(poll(&mut far, "far", &bells).is_pending());
    }

    #[test]
    fn a_sleep_that_is_dropped_is_not_woken() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(0));
        let (bells, rung) = mpsc::channel();
        let mut sleep = clock.sleep(Duration::from_millis(1));
        assert!(poll(&mut sleep, "dropped", &bells).is_pending());
        drop(sleep);
        clock.advance(Duration::from_millis(1));
        assert_eq!(rung.try_iter().count(), 0);
    }

    #[test]
    fn a_sleep_counts_from_the_call_and_not_from_its_first_poll() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(0));
        let (bells, _rung) = mpsc::channel();
        let mut sleep = clock.sleep(Duration::from_millis(5));
        clock.advance(Duration::from_millis(5));
        assert!(poll(&mut sleep, "sleep", &bells).is_ready());
    }

    #[test]
    fn the_system_clock_shows_this_century() {
        let year_2020 = Timestamp::from_milliseconds(1_577_836_800_000);
        assert!(SystemClock.now() > year_2020);
    }

    #[test]
    fn the_end_of_time_does_not_overflow() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(u64::MAX - 1));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::from_milliseconds(u64::MAX));
    }
}
