//! What has failed so far, shared by the storage and the file under it.
//!
//! Invariant: the first failure is kept, and nothing is written after it. What a system does with pages after a
//! failed sync is unknown, so a second try could report success for writes that are lost.

use super::StorageError;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The first failure, if any, and where damage was met. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Health {
    first: Arc<OnceLock<Failure>>,
    damaged: Arc<Mutex<BTreeSet<(&'static str, u64)>>>,
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

    /// Notes a place in a file whose bytes are not those that were written. It stops nothing: the calls that need them fail.
    pub(super) fn note_damage(&self, file: &'static str, offset: u64) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = damaged.len() < MOST_PLACES && damaged.insert((file, offset));
        // Who is told may ask.
        drop(damaged);
        if is_new {
            tracing::error!(
                target: "keywright::storage", file, offset,
                "the store is damaged: a checksum does not fit; calls that need what is there fail"
            );
        }
    }

    /// Where damage was met so far, in words.
    pub(super) fn damage(&self) -> Option<String> {
        let damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, offset) = damaged.first()?;
        Some(match damaged.len() - 1 {
            0 => format!("a checksum does not fit ({file} at offset {offset})"),
            more => format!("checksums do not fit ({file} at offset {offset} and at {more} other places)"),
        })
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
                io::ErrorKind::InvalidData => format!("{attempt} failed: {error}"),
                io::ErrorKind::UnexpectedEof => format!("{attempt} failed: the file ends before those bytes"),
                _ => format!("{attempt} failed: {error}; check the disk and start again"),
            }
            .into(),
        });
        StorageError::Stopped { cause: Arc::clone(&failure.cause) }
    }
}

/// More places than these are neither told nor counted.
const MOST_PLACES: usize = 1_000;

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
