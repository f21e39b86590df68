//! Room on the disk for the tree: redb never meets a full disk, since a write that does waits here until there is room.
//!
//! redb takes a failed write as the end of the database. A write that finds the disk full changed nothing that counts, so
//! it can be tried again; meanwhile the store is read-only. It is tried again when somebody asks to write, and not in a loop.
//!
//! Invariant: the disk counts as full only while a write waits for room, so nobody who asked waits for a write that has ended.

use crate::storage::StorageError;
use std::cell::Cell;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether the tree waits for room. Clones share it.
#[derive(Clone, Debug, Default)]
pub(in crate::storage) struct Room(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Waiting,
    /// The system's answer to the last attempt, while the disk is full.
    full: Option<Arc<str>>,
    /// How many attempts met a full disk.
    refusals: u64,
    /// Whether somebody asked for another attempt.
    is_asked: bool,
    /// How long writes have waited, until somebody takes it.
    waited: Duration,
}

/// What a write does that finds the disk full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::storage) enum Waiting {
    /// It fails: the store is being opened or closed, or nobody else could ask for another attempt.
    #[default]
    Refused,
    /// It waits.
    Allowed,
}

impl Room {
    /// Says what writes do from now on; those that wait are woken to see it.
    pub(in crate::storage) fn set_waiting(&self, waiting: Waiting) {
        self.lock().waiting = waiting;
        self.0.changed.notify_all();
    }

    /// Asks for another attempt when the disk is full, and waits for its outcome; how long is shown to `waited`.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`] when it is full still.
    pub(in crate::storage) fn ask(&self, waited: impl FnOnce(Duration)) -> Result<(), StorageError> {
        let mut state = self.lock();
        let refusals = state.refusals;
        state.is_asked = state.full.is_some();
        self.0.changed.notify_all();
        let mut began = None;
        while state.full.is_some() && state.refusals == refusals && state.waiting == Waiting::Allowed {
            began.get_or_insert_with(Instant::now);
            state = self.wait(state);
        }
        if let Some(began) = began {
            waited(began.elapsed());
        }
        state.outcome()
    }

    /// Whether there is room, as far as is known.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`] while the tree waits.
    pub(in crate::storage) fn check(&self) -> Result<(), StorageError> {
        self.lock().outcome()
    }

    /// How long writes have waited for room since this was asked last. The machine's time, not the clock's.
    pub(in crate::storage) fn take_waited(&self) -> Duration {
        std::mem::take(&mut self.lock().waited)
    }

    /// Tries to write until it does not fail for want of room, if this thread applies. Another failure is shown to `failed` before those who
    /// asked for the attempt go on.
    ///
    /// Others that write are readers for whom redb makes room in its cache: it does without where that fails, and a read waits for no room.
    pub(super) fn write<Value>(
        &self,
        attempt: impl Fn() -> io::Result<Value>,
        failed: impl FnOnce(&io::Error),
    ) -> io::Result<Value> {
        if self.is_reader() {
            // What it meets says nothing of the write that may be waiting.
            return attempt().inspect_err(|error| {
                if !is_full(error) {
                    failed(error);
                }
            });
        }
        let mut end = EndOfWrite { room: self, is_written: false };
        loop {
            match attempt() {
                Ok(value) => {
                    end.is_written = true;
                    return Ok(value);
                }
                Err(error) if is_full(&error) && self.wait_for_another_attempt(&error) => {}
                Err(error) => {
                    failed(&error);
                    return Err(error);
                }
            }
        }
    }

    /// Whether the store is in use, and this thread is not the one that applies.
    fn is_reader(&self) -> bool {
        !IS_APPLYING.get() && self.lock().waiting == Waiting::Allowed
    }

    /// Answers `false` when there will be none.
    fn wait_for_another_attempt(&self, error: &io::Error) -> bool {
        let is_told = self.lock().full.is_some();
        if !is_told {
            // Without the lock: who is told may ask.
            tracing::warn!(
                target: "keywright::storage", %error,
                "the disk is full: the store is read-only until there is room for what it acknowledged"
            );
        }
        let mut state = self.lock();
        if state.waiting == Waiting::Refused {
            return false;
        }
        state.full = Some(error.to_string().into());
        state.refusals += 1;
        self.0.changed.notify_all();
        let began = Instant::now();
        while !state.is_asked && state.waiting == Waiting::Allowed {
            state = self.wait(state);
        }
        state.waited += began.elapsed();
        state.is_asked = false;
        state.waiting == Waiting::Allowed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // It is whole at every point where the lock can be lost.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'state>(&'state self, state: MutexGuard<'state, State>) -> MutexGuard<'state, State> {
        self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets nobody wait for a write that has ended, however it did.
struct EndOfWrite<'room> {
    room: &'room Room,
    is_written: bool,
}

impl Drop for EndOfWrite<'_> {
    fn drop(&mut self) {
        let was_full = self.room.lock().full.take().is_some();
        if !was_full {
            return;
        }
        self.room.0.changed.notify_all();
        if self.is_written {
            tracing::info!(target: "keywright::storage", "the store goes on writing");
        }
    }
}

impl State {
    fn outcome(&self) -> Result<(), StorageError> {
        match &self.full {
            Some(cause) => Err(StorageError::DiskFull { cause: Arc::clone(cause) }),
            None => Ok(()),
        }
    }
}

thread_local! {
    static IS_APPLYING: Cell<bool> = const { Cell::new(false) };
}

/// Runs what applies the log to the tree: what it writes waits for room.
pub(super) fn while_applying<Value>(apply: impl FnOnce() -> Value) -> Value {
    IS_APPLYING.set(true);
    let applied = apply();
    IS_APPLYING.set(false);
    applied
}

/// The error of a full disk, or of a quota that is used up.
pub(in crate::storage) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn full() -> io::Error {
        io::Error::new(io::ErrorKind::StorageFull, "no space")
    }

    fn write<Value>(
        room: &Room,
        attempt: impl Fn() -> io::Result<Value>,
        failed: impl FnOnce(&io::Error),
    ) -> io::Result<Value> {
        while_applying(|| room.write(attempt, failed))
    }

    /// A read under a full cache could wait for room on the disk.
    #[test]
    fn a_write_for_a_reader_waits_for_no_room_and_stops_nothing() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        let refused = room.write(|| -> io::Result<()> { Err(full()) }, |_| panic!("the store stops"));
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(room.check(), Ok(()));
    }

    #[test]
    fn a_write_for_a_reader_says_nothing_of_the_one_that_waits() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        let is_full = AtomicU32::new(1);
        let attempt = || if is_full.load(Ordering::SeqCst) == 1 { Err(full()) } else { Ok(()) };
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write(&room, attempt, |_| ()));
            while room.check().is_ok() {
                std::thread::yield_now();
            }
            for outcome in [Err(full()), Ok(())] {
                let outcome = Mutex::new(Some(outcome));
                let _ = room.write(|| outcome.lock().unwrap().take().unwrap(), |_| ());
                assert!(matches!(room.check(), Err(StorageError::DiskFull { .. })), "it waits still");
            }
            is_full.store(0, Ordering::SeqCst);
            while room.ask(drop).is_err() {}
            writer.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_write_waits_for_room_and_is_tried_again_only_when_asked() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        let attempts = AtomicU32::new(0);
        let attempt = || match attempts.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => Err(full()),
            _ => Ok("written"),
        };
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write(&room, attempt, |_| ()));
            while room.check().is_ok() {
                std::thread::yield_now();
            }
            assert_eq!(attempts.load(Ordering::SeqCst), 1);
            assert!(matches!(room.ask(drop), Err(StorageError::DiskFull { .. })));
            assert_eq!(attempts.load(Ordering::SeqCst), 2);
            assert_eq!(room.ask(drop), Ok(()));
            assert_eq!(writer.join().unwrap().unwrap(), "written");
        });
        assert_eq!(room.check(), Ok(()));
    }

    #[test]
    fn a_write_that_waits_fails_when_the_store_closes() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write(&room, || -> io::Result<()> { Err(full()) }, |_| ()));
            while room.check().is_ok() {
                std::thread::yield_now();
            }
            room.set_waiting(Waiting::Refused);
            assert!(writer.join().unwrap().is_err());
        });
    }

    #[test]
    fn other_failures_are_not_waited_for() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        let mut shown = None;
        let broken = || -> io::Result<()> { Err(io::Error::other("broken")) };
        assert!(write(&room, broken, |error| shown = Some(error.to_string())).is_err());
        assert_eq!(shown.as_deref(), Some("broken"));
        assert_eq!(room.ask(drop), Ok(()));
    }

    #[test]
    fn whoever_asked_goes_on_when_the_next_attempt_fails_otherwise_and_knows_of_it() {
        for is_panic in [false, true] {
            let room = Room::default();
            room.set_waiting(Waiting::Allowed);
            let (attempts, has_failed) = (AtomicU32::new(0), AtomicU32::new(0));
            let attempt = || -> io::Result<()> {
                match attempts.fetch_add(1, Ordering::SeqCst) {
                    0 => Err(full()),
                    _ if is_panic => panic!("a panic of the test's"),
                    _ => Err(io::Error::other("broken")),
                }
            };
            std::thread::scope(|scope| {
                let writer = scope.spawn(|| {
                    write(&room, attempt, |_| has_failed.store(1, Ordering::SeqCst)).unwrap_err();
                });
                while room.check().is_ok() {
                    std::thread::yield_now();
                }
                assert_eq!(room.ask(drop), Ok(()));
                assert_eq!(has_failed.load(Ordering::SeqCst), u32::from(!is_panic));
                assert_eq!(writer.join().is_err(), is_panic);
            });
        }
    }

    #[test]
    fn the_time_of_waiting_is_told_once() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        let attempts = AtomicU32::new(0);
        let attempt = || match attempts.fetch_add(1, Ordering::SeqCst) {
            0 => Err(full()),
            _ => Ok(()),
        };
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write(&room, attempt, |_| ()));
            while room.check().is_ok() {
                std::thread::yield_now();
            }
            // Whoever sees that it is full sees it no sooner than the write waits.
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(2) {
                std::thread::yield_now();
            }
            assert_eq!(room.ask(drop), Ok(()));
            writer.join().unwrap().unwrap();
        });
        assert!(room.take_waited() >= Duration::from_millis(2));
        assert_eq!(room.take_waited(), Duration::ZERO);
    }
}
