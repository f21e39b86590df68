//! redb's view of one of our files.
//!
//! Invariants: after the first failure nothing reaches the file any more; a full disk is no failure but waited for.

use super::room::Room;
use crate::files::File;
use crate::storage::health::Health;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::Arc;

/// Lets redb read and write a [`File`], and remembers the first failure.
pub(super) struct Backend {
    file: Arc<dyn File>,
    name: &'static str,
    health: Health,
    room: Room,
}

impl Backend {
    pub(super) fn new(file: Arc<dyn File>, name: &'static str, health: Health, room: Room) -> Backend {
        Backend { file, name, health, room }
    }

    fn attempt<Value>(
        &self,
        name: impl FnOnce() -> String,
        action: impl FnOnce(&dyn File) -> io::Result<Value>,
    ) -> io::Result<Value> {
        self.check()?;
        action(self.file.as_ref()).inspect_err(|error| {
            self.health.stop_on(&name(), error);
        })
    }

    /// As `attempt`, for what may need room.
    fn attempt_with_room(
        &self,
        name: impl FnOnce() -> String,
        action: impl Fn(&dyn File) -> io::Result<()>,
    ) -> io::Result<()> {
        let attempt = || {
            // The store may have stopped while this waited for room.
            self.check()?;
            action(self.file.as_ref())
        };
        self.room.write(attempt, |error| drop(self.health.stop_on(&name(), error)))
    }

    fn check(&self) -> io::Result<()> {
        match self.health.failure() {
            Some(failure) => Err(io::Error::other(failure.cause.to_string())),
            None => Ok(()),
        }
    }
}

impl redb::StorageBackend for Backend {
    fn len(&self) -> io::Result<u64> {
        self.attempt(|| format!("measuring {}", self.name), |file| file.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let length = out.len();
        self.attempt(
            || format!("reading {length} bytes at offset {offset} of {}", self.name),
            |file| file.read_at(offset, out),
        )
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.attempt_with_room(
            || format!("resizing {} to {length} bytes", self.name),
            |file| file.set_len(length),
        )
    }

    fn sync_data(&self) -> io::Result<()> {
        self.attempt(|| format!("syncing {}", self.name), |file| file.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.attempt_with_room(
            || format!("writing {} bytes at offset {offset} of {}", data.len(), self.name),
            |file| file.write_at(offset, data),
        )
    }
}

impl Debug for Backend {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Backend").field("name", &self.name).finish_non_exhaustive()
    }
}
