//! Files as a parameter: the engine reaches a disk only through [`Files`] and [`File`].
//!
//! Three kinds exist: [`DiskFiles`], [`MemoryFiles`] and [`FaultyFiles`] (loses power, fills up, or fails in a call,
//! at a chosen moment and from a seed).

mod disk;
mod faulty;
mod memory;

use std::any::Any;
use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::sync::Arc;

pub use disk::{DirectoryError, DiskFiles};
pub use faulty::{Fault, FaultPlan, FaultyFiles, Operation, Struck};
pub use memory::MemoryFiles;

/// One directory of named files. Names are plain: no separators.
pub trait Files: Send + Sync + Debug {
    /// Locks the directory for this process and this handle alone, until the lock is dropped.
    ///
    /// # Errors
    /// [`LockError::InUse`] when another process, or another handle in this one, holds the lock.
    fn lock(&self) -> Result<DirectoryLock, LockError>;

    /// Opens a file for reading and writing; an absent one is created empty. A created file surely survives a
    /// power loss only after [`Files::sync_directory`].
    ///
    /// # Errors
    /// Whatever the system answers.
    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>>;

    /// Removes a file's name. What is open stays usable until it is closed; then its room is given back. The removal
    /// surely survives a power loss only after [`Files::sync_directory`]: until then the file, as it was last synced,
    /// may be back.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such file; whatever the system answers.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Whether a file of this name exists.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn exists(&self, name: &str) -> io::Result<bool>;

    /// The names of the files, sorted.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Makes durable which files were created and removed.
    ///
    /// # Errors
    /// Whatever the system answers. After a failure nothing is known about the names, so it is not tried again.
    fn sync_directory(&self) -> io::Result<()>;

    /// Whether what is synced outlives the process.
    fn persistence(&self) -> Persistence;

    /// Where the files are, for people: a path, or words such as `memory`.
    fn location(&self) -> String;
}

/// Whether files outlive the process that wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// What is synced survives a kill and a power loss.
    Lasting,
    /// Everything is gone with the process: there is nothing to recover, so nothing is spent on recovery.
    Volatile,
}

/// One open file. Offsets and lengths are bytes. Every method may be called from several threads at once.
pub trait File: Send + Sync + Debug {
    /// Fills `buffer` from `offset`.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] when the file ends before the buffer is full; whatever the system answers.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Writes all of `bytes` at `offset`; the file grows when they reach over its end.
    ///
    /// # Errors
    /// [`io::ErrorKind::StorageFull`] on a full disk; whatever the system answers. Part may have been written.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Locks the file for this handle alone, until it is dropped, under whatever names and in whatever directories it is found.
    /// Files that only one [`Files`] leads to have nothing to do here: the lock of the directory is theirs.
    ///
    /// # Errors
    /// [`LockError::InUse`] when another process, or another handle in this one, holds the lock.
    fn lock(&self) -> Result<(), LockError>;

    /// The length in bytes.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn len(&self) -> io::Result<u64>;

    /// Whether the file has no bytes.
    ///
    /// # Errors
    /// As [`File::len`].
    fn is_empty(&self) -> io::Result<bool> {
        self.len().map(|length| length == 0)
    }

    /// Cuts the file, or extends it with zeros.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn set_len(&self, length: u64) -> io::Result<()>;

    /// Makes what was written, and the length, durable.
    ///
    /// # Errors
    /// Whatever the system answers. After a failure the system may have dropped the writes, so it is never tried
    /// again on the same file.
    fn sync_data(&self) -> io::Result<()>;
}

/// Holds a directory for its owner; dropping it lets go.
pub struct DirectoryLock {
    _held: Box<dyn Any + Send + Sync>,
}

impl DirectoryLock {
    /// A lock that lasts as long as `held` is not dropped.
    pub fn new(held: impl Any + Send + Sync) -> DirectoryLock {
        DirectoryLock { _held: Box::new(held) }
    }
}

impl Debug for DirectoryLock {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DirectoryLock").finish_non_exhaustive()
    }
}

/// Why a directory or a file could not be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process, or another handle in this one, holds the lock.
    InUse,
    /// The file could not be opened or locked.
    Io(io::Error),
}

impl Display for LockError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LockError::InUse => formatter.write_str("another process or handle holds the lock"),
            LockError::Io(error) => Display::fmt(error, formatter),
        }
    }
}

impl std::error::Error for LockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LockError::InUse => None,
            LockError::Io(error) => Some(error),
        }
    }
}
