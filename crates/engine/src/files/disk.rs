//! Files of a directory on disk.
//!
//! The directory is held through an exclusive lock on its file `LOCK`, which stays empty and is never removed.
//! Invariant: every file is of the directory that was opened, whatever its path leads to by now.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use self::unix::Directory;
#[cfg(windows)]
use self::windows::Directory;
use super::{DirectoryLock, File, Files, LockError, Persistence};
use std::fmt::{self, Display, Formatter};
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory on disk.
///
/// It is held open: one that is renamed meanwhile is the same, and another one in its place is none of its business (on Windows it
/// cannot be renamed while a file in it is open).
#[derive(Clone, Debug)]
pub struct DiskFiles {
    path: PathBuf,
    directory: Arc<Directory>,
}

impl DiskFiles {
    /// The files of `directory`, which is created when it does not exist (its parents too). The names that lead to one that was not
    /// used yet are made durable, whoever created them.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn new(directory: impl AsRef<Path>) -> Result<DiskFiles, DirectoryError> {
        let directory = directory.as_ref();
        let refused = |cause| DirectoryError { directory: directory.to_owned(), cause };
        let path = std::path::absolute(directory).map_err(refused)?;
        create(&path).map_err(refused)?;
        let directory = Directory::open(&path).map_err(refused)?;
        if !directory.exists(LOCK_FILE).map_err(refused)? {
            let synced = directory.sync_names(&path);
            synced.map_err(|error| refused(named(&error, "cannot sync the directories above", &path)))?;
        }
        Ok(DiskFiles { path, directory: Arc::new(directory) })
    }

    /// The absolute path of the directory, as it was when it was opened.
    pub fn directory(&self) -> &Path {
        &self.path
    }

    fn open(&self, name: &str) -> io::Result<fs::File> {
        self.directory.open_file(name).map_err(|error| named(&error, "cannot open", &self.path.join(name)))
    }
}

impl Files for DiskFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        let file = self.open(LOCK_FILE).map_err(LockError::Io)?;
        lock(&file).map_err(|error| match error {
            LockError::InUse => LockError::InUse,
            LockError::Io(error) => LockError::Io(named(&error, "cannot lock", &self.path.join(LOCK_FILE))),
        })?;
        Ok(DirectoryLock::new(file))
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        Ok(Arc::new(DiskFile { file: self.open(name)? }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.directory.remove(name).map_err(|error| named(&error, "cannot remove", &self.path.join(name)))
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.directory.exists(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = self.directory.list()?;
        names.sort();
        Ok(names)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.directory.sync()
    }

    fn persistence(&self) -> Persistence {
        Persistence::Lasting
    }

    fn location(&self) -> String {
        self.path.display().to_string()
    }
}

/// A directory that could not be created or reached.
#[derive(Debug)]
pub struct DirectoryError {
    /// The directory.
    pub directory: PathBuf,
    /// The system's answer.
    pub cause: io::Error,
}

impl Display for DirectoryError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "cannot create or reach the directory {}: {}", self.directory.display(), self.cause)
    }
}

impl std::error::Error for DirectoryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Its exclusive lock is the lock of the directory.
const LOCK_FILE: &str = "LOCK";

#[derive(Debug)]
struct DiskFile {
    file: fs::File,
}

impl File for DiskFile {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            offset += read as u64;
            buffer = buffer.get_mut(read..).unwrap_or_default();
        }
        Ok(())
    }

    #[cfg(unix)]
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            offset += written as u64;
            bytes = bytes.get(written..).unwrap_or_default();
        }
        Ok(())
    }

    fn lock(&self) -> Result<(), LockError> {
        lock(&self.file)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Creates the directory and what is missing above it.
fn create(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    let Some(parent) = directory.parent() else { return Ok(()) };
    create(parent)?;
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !directory.is_dir() => {
            Err(no_directory(directory))
        }
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// What a path leads to in place of a directory.
fn no_directory(path: &Path) -> io::Error {
    let (kind, words) = match fs::read_link(path) {
        Ok(target) => {
            let words = format!("is a link to {}, where there is no directory", target.display());
            (io::ErrorKind::NotFound, words)
        }
        Err(_) => (io::ErrorKind::NotADirectory, "is not a directory".to_owned()),
    };
    io::Error::new(kind, format!("{} {words}", path.display()))
}

/// Takes the exclusive lock of a file, which lasts as long as it is open.
fn lock(file: &fs::File) -> Result<(), LockError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => LockError::InUse,
        TryLockError::Error(error) => LockError::Io(error),
    })
}

/// The same error, saying what was tried on which path.
fn named(error: &io::Error, attempt: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{attempt} {}: {error}", path.display()))
}
