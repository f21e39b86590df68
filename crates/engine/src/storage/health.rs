//! What has failed so far, shared by the storage and the file under it.
//!
//! Invariant: the first failure is kept, and nothing is written after it. What a system does with pages after a
//! failed sync is unknown, so a second try could report success for writes that are lost.

use super::StorageError;
use std::io;
use std::sync::{Arc, OnceLock};

/// The first failure, if any. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Health {
    first: Arc<OnceLock<Failure>>,
}

/// A failure that ends the use of a store.
#[derive(Debug)]
pub(super) struct Failure {
    /// The system's kind of error, when the system reported it.
    pub(super) kind: Option<io::ErrorKind>,
    /// What was tried, and what came of it.
    pub(super) cause: Arc<str>,
}

impl Health {
    /// The first failure, if any.
    pub(super) fn failure(&self) -> Option<&Failure> {
        self.first.get()
    }

    /// An error when something has failed.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        match self.first.get() {
            None => Ok(()),
            Some(failure) => Err(StorageError::Stopped { cause: Arc::clone(&failure.cause) }),
        }
    }

    /// Stops everything because of `cause`, unless something else stopped it before; answers the first cause.
    pub(super) fn stop(&self, cause: impl FnOnce() -> String) -> StorageError {
        let failure = self.first.get_or_init(|| Failure { kind: None, cause: cause().into() });
        StorageError::Stopped { cause: Arc::clone(&failure.cause) }
    }

    /// Watches over work: when that is left by a panic, everything stops, since what it left half done is not gone on with.
    pub(super) fn watch(&self, work: &'static str) -> Watch {
        Watch { health: self.clone(), work, was_panicking: std::thread::panicking() }
    }

    /// Stops everything because the system failed at `attempt`, unless something else stopped it before; answers the first
    /// cause.
    pub(super) fn stop_on(&self, attempt: &str, error: &io::Error) -> StorageError {
        let failure = self.first.get_or_init(|| Failure {
            kind: Some(error.kind()),
            cause: match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    format!("{attempt} failed: {error}; free some space and start again")
                }
                io::ErrorKind::UnexpectedEof => format!("{attempt} failed: the file ends before those bytes"),
                _ => format!("{attempt} failed: {error}; check the disk and start again"),
            }
            .into(),
        });
        StorageError::Stopped { cause: Arc::clone(&failure.cause) }
    }
}

/// See [`Health::watch`].
#[derive(Debug)]
pub(super) struct Watch {
    health: Health,
    work: &'static str,
    /// Whether it began in the middle of another panic, which is not its own.
    was_panicking: bool,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.was_panicking {
            self.health.stop(|| format!("{} ended by a panic", self.work));
        }
    }
}
