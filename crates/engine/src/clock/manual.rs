//! A clock that stands still until it is moved.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Clock, MovableClock, Pace, Sleep, TimeGoesBack, Timestamp};

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
        let mut time = lock(&self.shared);
        let moment = time.now.plus(duration);
        let due = time.move_to(moment);
        drop(time);
        due.into_values().for_each(Waker::wake);
    }
}

impl MovableClock for ManualClock {
    fn advance(&self, duration: Duration) {
        ManualClock::advance(self, duration);
    }

    fn set(&self, moment: Timestamp) -> Result<(), TimeGoesBack> {
        let mut time = lock(&self.shared);
        if moment < time.now {
            return Err(TimeGoesBack { now: time.now, asked: moment });
        }
        let due = time.move_to(moment);
        drop(time);
        due.into_values().for_each(Waker::wake);
        Ok(())
    }

    fn pace(&self) -> Pace {
        Pace::Frozen
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

impl ManualTime {
    /// Those who slept until the moment, in the order in which they are to be woken.
    fn move_to(&mut self, moment: Timestamp) -> BTreeMap<SleeperId, Waker> {
        self.now = moment;
        let first_later = SleeperId { deadline: moment.plus(Duration::from_millis(1)), number: 0 };
        let later = self.sleepers.split_off(&first_later);
        std::mem::replace(&mut self.sleepers, later)
    }
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
    fn the_end_of_time_does_not_overflow() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(u64::MAX - 1));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::from_milliseconds(u64::MAX));
    }

    #[test]
    fn a_clock_is_set_to_a_later_moment_and_never_to_an_earlier_one() {
        let clock = ManualClock::new(Timestamp::from_milliseconds(1_000));
        let (bells, rung) = mpsc::channel();
        let mut sleep = clock.sleep(Duration::from_millis(500));
        assert!(poll(&mut sleep, "sleep", &bells).is_pending());
        let moment = Timestamp::from_milliseconds(1_500);
        assert_eq!(clock.set(moment), Ok(()));
        assert_eq!(rung.try_iter().collect::<Vec<_>>(), ["sleep"]);
        let asked = Timestamp::from_milliseconds(1_499);
        assert_eq!(clock.set(asked), Err(TimeGoesBack { now: moment, asked }));
        assert_eq!((clock.set(moment), clock.now()), (Ok(()), moment));
    }
}
