//! Files of a directory on disk.
//!
//! The directory is held through an exclusive lock on its file `LOCK`, which stays empty and is never removed.

use super::{DirectoryLock, File, Files, LockError, Persistence};
use std::fmt::{self, Display, Formatter};
use std::fs::{self, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory on disk.
#[derive(Clone, Debug)]
pub struct DiskFiles {
    directory: PathBuf,
}

impl DiskFiles {
    /// The files of `directory`, which is created when it does not exist (its parents too), durably.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub fn new(directory: impl AsRef<Path>) -> Result<DiskFiles, DirectoryError> {
        let directory = directory.as_ref();
        let refused = |cause| DirectoryError { directory: directory.to_owned(), cause };
        let absolute = std::path::absolute(directory).map_err(refused)?;
        create_durably(&absolute).map_err(refused)?;
        Ok(DiskFiles { directory: absolute })
    }

    /// The absolute path of the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Files for DiskFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        let path = self.directory.join(LOCK_FILE);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| LockError::Io(named(&error, "cannot open", &path)))?;
        match file.try_lock() {
            Ok(()) => Ok(DirectoryLock::new(file)),
            Err(TryLockError::WouldBlock) => Err(LockError::InUse),
            Err(TryLockError::Error(error)) => Err(LockError::Io(named(&error, "cannot lock", &path))),
        }
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let path = self.directory.join(name);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| named(&error, "cannot open", &path))?;
        Ok(Arc::new(DiskFile { file }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.directory.join(name);
        fs::remove_file(&path).map_err(|error| named(&error, "cannot remove", &path))
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.directory.join(name).try_exists()
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            // A name that is no text is not one of ours.
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn sync_directory(&self) -> io::Result<()> {
        sync(&self.directory)
    }

    fn persistence(&self) -> Persistence {
        Persistence::Lasting
    }

    fn location(&self) -> String {
        self.directory.display().to_string()
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

/// Creates the directory and what is missing above it, and makes each new name durable in its parent.
fn create_durably(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        create_durably(parent)?;
        match fs::create_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let refusal = format!("{} is not a directory", directory.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, refusal));
            }
            result => result?,
        }
        sync(parent)?;
    }
    Ok(())
}

#[cfg(unix)]
fn sync(directory: &Path) -> io::Result<()> {
    fs::File::open(directory)?.sync_all()
}

/// Windows has no such call: NTFS journals names.
#[cfg(windows)]
fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// The same error, saying what was tried on which path.
fn named(error: &io::Error, attempt: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{attempt} {}: {error}", path.display()))
}
