//! A clock that runs as another one does, from a moment of its own, and can be moved forward.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Clock, MovableClock, Pace, Sleep, TimeGoesBack, Timestamp};

/// A clock that runs with another one, usually the system's, from a given moment. Clones share the time.
///
/// ```
/// use keywright_engine::clock::{Clock, MovableClock, OffsetClock, SystemClock};
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// let clock = OffsetClock::new(Arc::new(SystemClock), "2030-01-01T00:00:00Z".parse()?);
/// clock.advance(Duration::from_secs(86_400));
/// assert!(clock.now() >= "2030-01-02T00:00:00Z".parse()?);
/// # Ok::<(), keywright_engine::clock::InvalidTimestamp>(())
/// ```
#[derive(Clone)]
pub struct OffsetClock {
    base: Arc<dyn Clock>,
    shared: Arc<Mutex<Shift>>,
}

impl OffsetClock {
    /// A clock that shows `start` at this moment.
    pub fn new(base: Arc<dyn Clock>, start: Timestamp) -> OffsetClock {
        let shift =
            Shift { base: base.now(), shown: start, moves: 0, next_sleeper: 0, sleepers: BTreeMap::new() };
        OffsetClock { base, shared: Arc::new(Mutex::new(shift)) }
    }

    /// Moves the time to what `moment` makes of the present, and wakes everybody who sleeps: less time is left to each.
    fn move_to(
        &self,
        moment: impl FnOnce(Timestamp) -> Result<Timestamp, TimeGoesBack>,
    ) -> Result<(), TimeGoesBack> {
        let mut shift = lock(&self.shared);
        let base = self.base.now();
        shift.shown = moment(shift.at(base))?;
        shift.base = base;
        shift.moves += 1;
        let sleepers = std::mem::take(&mut shift.sleepers);
        drop(shift);
        sleepers.into_values().for_each(Waker::wake);
        Ok(())
    }
}

impl Clock for OffsetClock {
    /// Stands still while the base is set back, until it has come to where it was.
    fn now(&self) -> Timestamp {
        lock(&self.shared).at(self.base.now())
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        let mut shift = lock(&self.shared);
        let number = shift.next_sleeper;
        shift.next_sleeper += 1;
        let deadline = shift.at(self.base.now()).plus(duration);
        drop(shift);
        Box::pin(OffsetSleep { clock: self.clone(), number, deadline, base: None })
    }
}

impl MovableClock for OffsetClock {
    fn advance(&self, duration: Duration) {
        let moved = self.move_to(|now| Ok(now.plus(duration)));
        debug_assert_eq!(moved, Ok(()), "a later moment was asked for");
    }

    fn set(&self, moment: Timestamp) -> Result<(), TimeGoesBack> {
        self.move_to(|now| if moment < now { Err(TimeGoesBack { now, asked: moment }) } else { Ok(moment) })
    }

    fn pace(&self) -> Pace {
        Pace::Running
    }
}

impl Debug for OffsetClock {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OffsetClock").field("now", &self.now()).finish_non_exhaustive()
    }
}

/// How the time that is shown follows from that of the base.
struct Shift {
    /// At this moment of the base,
    base: Timestamp,
    /// this one was shown.
    shown: Timestamp,
    /// How often the time was moved.
    moves: u64,
    next_sleeper: u64,
    /// Who has been polled and waits.
    sleepers: BTreeMap<u64, Waker>,
}

impl Shift {
    fn at(&self, base: Timestamp) -> Timestamp {
        self.shown.plus(base.since(self.base))
    }
}

struct OffsetSleep {
    clock: OffsetClock,
    number: u64,
    deadline: Timestamp,
    /// The sleep of the base for what was left after so many moves.
    base: Option<(u64, Sleep)>,
}

impl Future for OffsetSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let sleep = &mut *self;
        loop {
            let mut shift = lock(&sleep.clock.shared);
            let now = shift.at(sleep.clock.base.now());
            if now >= sleep.deadline {
                return Poll::Ready(());
            }
            shift.sleepers.insert(sleep.number, context.waker().clone());
            let moves = shift.moves;
            drop(shift);
            let base = match &mut sleep.base {
                Some((held, base)) if *held == moves => base,
                base => &mut base.insert((moves, sleep.clock.base.sleep(sleep.deadline.since(now)))).1,
            };
            match base.as_mut().poll(context) {
                Poll::Pending => return Poll::Pending,
                // What the base still lacks, by rounding or since it was set back, is slept once more.
                Poll::Ready(()) => sleep.base = None,
            }
        }
    }
}

impl Drop for OffsetSleep {
    fn drop(&mut self) {
        lock(&self.clock.shared).sleepers.remove(&self.number);
    }
}

/// No code panics while it holds this lock, so a poisoned one still holds a whole value.
fn lock(shared: &Mutex<Shift>) -> MutexGuard<'_, Shift> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::ManualClock;
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// A clock that shows the year 2030 and runs with one that is moved.
    fn clock() -> (ManualClock, OffsetClock) {
        let base = ManualClock::new("2026-01-01T00:00:00Z".parse().unwrap());
        let clock = OffsetClock::new(Arc::new(base.clone()), "2030-01-01T00:00:00Z".parse().unwrap());
        (base, clock)
    }

    fn is_over(sleep: &mut Sleep) -> bool {
        sleep.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn time_passes_with_the_base_and_by_moves() {
        let (base, clock) = clock();
        base.advance(HOUR);
        assert_eq!(clock.now().to_string(), "2030-01-01T01:00:00.000Z");
        clock.advance(HOUR);
        assert_eq!(clock.now().to_string(), "2030-01-01T02:00:00.000Z");
        base.advance(HOUR);
        let moment = "2030-02-01T00:00:00Z".parse().unwrap();
        assert_eq!(clock.set(moment), Ok(()));
        base.advance(HOUR);
        assert_eq!(clock.now().to_string(), "2030-02-01T01:00:00.000Z");
        assert_eq!(clock.set(moment), Err(TimeGoesBack { now: clock.now(), asked: moment }));
    }

    #[test]
    fn a_sleep_is_over_by_moves_and_by_the_base_together() {
        let (base, clock) = clock();
        let mut sleep = clock.sleep(3 * HOUR);
        assert!(!is_over(&mut sleep));
        clock.advance(HOUR);
        assert!(!is_over(&mut sleep));
        base.advance(HOUR);
        assert!(!is_over(&mut sleep));
        base.advance(HOUR);
        assert!(is_over(&mut sleep));
    }

    #[test]
    fn who_sleeps_is_woken_when_the_time_is_moved() {
        let (_base, clock) = clock();
        let mut sleep = clock.sleep(HOUR);
        let waiting = std::thread::spawn({
            let sleeper = clock.sleep(HOUR);
            move || pollster::block_on(sleeper)
        });
        assert!(!is_over(&mut sleep));
        clock.advance(HOUR);
        waiting.join().unwrap();
        assert!(is_over(&mut sleep));
    }
}
