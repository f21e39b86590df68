//! The directory of a store, to which several threads have something to do. Its syncs are counted.
//!
//! Invariant: after a sync of it failed there is no other one. A system may have dropped the names that were created and
//! removed since, and report the next sync as a success: who waits for another thread's sync, or comes right behind it, must
//! not take that for its own.

use super::counters::Counters;
use super::health::Health;
use crate::files::{DirectoryLock, File, Files, LockError, Persistence};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Files whose directory is synced by one thread at a time; a failure stops the store before the next one's turn.
#[derive(Debug)]
pub(super) struct SharedDirectory {
    files: Arc<dyn Files>,
    health: Health,
    counters: Arc<Counters>,
    syncing: Mutex<()>,
}

impl SharedDirectory {
    pub(super) fn new(files: Arc<dyn Files>, health: Health, counters: Arc<Counters>) -> SharedDirectory {
        SharedDirectory { files, health, counters, syncing: Mutex::new(()) }
    }
}

impl Files for SharedDirectory {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.files.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.files.open_or_create(name)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.files.remove(name)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.files.exists(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.files.list()
    }

    fn sync_directory(&self) -> io::Result<()> {
        let _turn = self.syncing.lock().unwrap_or_else(PoisonError::into_inner);
        self.health.check().map_err(io::Error::other)?;
        let synced = self.counters.directory_syncs.time(|| self.files.sync_directory());
        synced.inspect_err(|error| drop(self.health.stop_on("syncing the directory", error)))
    }

    fn persistence(&self) -> Persistence {
        self.files.persistence()
    }

    fn location(&self) -> String {
        self.files.location()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Fault, FaultyFiles};

    #[test]
    fn a_sync_that_failed_stops_the_store_and_is_the_last_one() {
        let files = FaultyFiles::counting(1);
        let health = Health::default();
        let directory = SharedDirectory::new(Arc::new(files.clone()), health.clone(), Arc::default());
        directory.sync_directory().unwrap();
        files.strike(Fault::SyncFails, 0);
        assert!(directory.sync_directory().is_err());
        assert!(health.check().is_err());
        assert!(directory.sync_directory().is_err());
        assert_eq!(files.retried_syncs(), 0);
    }
}
