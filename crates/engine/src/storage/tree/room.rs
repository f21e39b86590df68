//! Room on the disk for the tree: redb never meets a full disk, since a write that does waits here until there is room.
//!
//! redb takes a failed write as the end of the database. A write that finds the disk full changed nothing that counts, so
//! it can be tried again; meanwhile the store is read-only. It is tried again when somebody asks to write, and not in a loop.

use crate::storage::StorageError;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

    /// Asks for another attempt when the disk is full, and waits for its outcome.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`] when it is full still.
    pub(in crate::storage) fn ask(&self) -> Result<(), StorageError> {
        let mut state = self.lock();
        let refusals = state.refusals;
        state.is_asked = state.full.is_some();
        self.0.changed.notify_all();
        while state.full.is_some() && state.refusals == refusals && state.waiting == Waiting::Allowed {
            state = self.wait(state);
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

    /// Tries to write until it does not fail for want of room.
    pub(super) fn write<Value>(&self, attempt: impl Fn() -> io::Result<Value>) -> io::Result<Value> {
        loop {
            match attempt() {
                Ok(value) => {
                    self.found();
                    return Ok(value);
                }
                Err(error) if is_full(&error) && self.wait_for_another_attempt(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Answers `false` when there will be none.
    fn wait_for_another_attempt(&self, error: &io::Error) -> bool {
        let mut state = self.lock();
        if state.waiting == Waiting::Refused {
            return false;
        }
        if state.full.is_none() {
            tracing::warn!(
                target: "keywright::storage", %error,
                "the disk is full: the store is read-only until there is room for what it acknowledged"
            );
        }
        state.full = Some(error.to_string().into());
        state.refusals += 1;
        self.0.changed.notify_all();
        while !state.is_asked && state.waiting == Waiting::Allowed {
            state = self.wait(state);
        }
        state.is_asked = false;
        state.waiting == Waiting::Allowed
    }

    fn found(&self) {
        let mut state = self.lock();
        if state.full.take().is_some() {
            tracing::info!(target: "keywright::storage", "the store goes on writing");
            self.0.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // It is whole at every point where the lock can be lost.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'state>(&'state self, state: MutexGuard<'state, State>) -> MutexGuard<'state, State> {
        self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
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
            let writer = scope.spawn(|| room.write(attempt));
            while room.check().is_ok() {
                std::thread::yield_now();
            }
            assert_eq!(attempts.load(Ordering::SeqCst), 1);
            assert!(matches!(room.ask(), Err(StorageError::DiskFull { .. })));
            assert_eq!(attempts.load(Ordering::SeqCst), 2);
            assert_eq!(room.ask(), Ok(()));
            assert_eq!(writer.join().unwrap().unwrap(), "written");
        });
        assert_eq!(room.check(), Ok(()));
    }

    #[test]
    fn a_write_that_waits_fails_when_the_store_closes() {
        let room = Room::default();
        room.set_waiting(Waiting::Allowed);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| room.write(|| -> io::Result<()> { Err(full()) }));
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
        assert!(room.write(|| -> io::Result<()> { Err(io::Error::other("broken")) }).is_err());
        assert_eq!(room.ask(), Ok(()));
    }
}
