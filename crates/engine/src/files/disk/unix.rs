//! A directory by its handle: what becomes of its path while it is open changes nothing.

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory {
    handle: File,
}

impl Directory {
    pub(super) fn open(path: &Path) -> io::Result<Directory> {
        let opened = retry_on_intr(|| rustix::fs::openat(CWD, path, DIRECTORY, Mode::empty()))?;
        Ok(Directory { handle: File::from(opened) })
    }

    /// Opens a file for reading and writing; an absent one is created.
    pub(super) fn open_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        Ok(File::from(retry_on_intr(|| rustix::fs::openat(&self.handle, name, flags, mode))?))
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    pub(super) fn exists(&self, name: &str) -> io::Result<bool> {
        match retry_on_intr(|| rustix::fs::statat(&self.handle, name, AtFlags::empty())) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The names that are text; others are not ours.
    pub(super) fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.handle)? {
            match entry?.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => names.push(name.to_owned()),
            }
        }
        Ok(names)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.handle.sync_all()
    }

    /// Makes the names durable that lead to this directory, whoever created them, up to where its file system begins. The path is for
    /// people.
    ///
    /// Where a directory above may not be read, or the next one is on another file system, all of this one is synced instead, as far as that is
    /// possible: whoever made the name had the right to sync it, so it is no reason not to start.
    pub(super) fn sync_names(&self, path: &Path) -> io::Result<()> {
        let device = self.handle.metadata()?.dev();
        let mut above = above(&self.handle, device)?;
        if matches!(above, Above::OtherFileSystem) {
            self.sync_all_of_its_file_system(path);
        }
        loop {
            match above {
                Above::Directory(directory) => {
                    directory.sync_all()?;
                    above = self::above(&directory, device)?;
                }
                Above::Unreadable => {
                    self.sync_all_of_its_file_system(path);
                    return Ok(());
                }
                Above::OtherFileSystem | Above::Nothing => return Ok(()),
            }
        }
    }

    fn sync_all_of_its_file_system(&self, path: &Path) {
        if let Err(error) = sync_file_system(&self.handle) {
            tracing::warn!(
                target: "keywright::storage", directory = %path.display(), %error,
                "the directory's name could not be synced: unless whoever created it did, a power loss may take it"
            );
        }
    }
}

#[cfg(target_os = "linux")]
fn sync_file_system(directory: &File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(directory)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_directory: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// What is above a directory.
#[derive(Debug)]
enum Above {
    /// A directory of the same file system.
    Directory(File),
    /// One that this process may not read.
    Unreadable,
    /// One of another file system.
    OtherFileSystem,
    /// Nothing: it is the root.
    Nothing,
}

fn above(directory: &File, device: u64) -> io::Result<Above> {
    let opened = match retry_on_intr(|| rustix::fs::openat(directory, "..", DIRECTORY, Mode::empty())) {
        Ok(opened) => File::from(opened),
        Err(Errno::ACCESS | Errno::PERM) => return Ok(Above::Unreadable),
        Err(error) => return Err(error.into()),
    };
    let (below, metadata) = (directory.metadata()?, opened.metadata()?);
    Ok(if metadata.dev() != device {
        Above::OtherFileSystem
    } else if metadata.ino() == below.ino() {
        Above::Nothing
    } else {
        Above::Directory(opened)
    })
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
