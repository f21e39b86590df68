//! A directory by its path: Windows does not rename one while a file in it is open.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A directory.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
}

impl Directory {
    pub(super) fn open(path: &Path) -> io::Result<Directory> {
        Ok(Directory { path: path.to_owned() })
    }

    /// Opens a file for reading and writing; an absent one is created.
    pub(super) fn open_file(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.path.join(name))
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    pub(super) fn exists(&self, name: &str) -> io::Result<bool> {
        self.path.join(name).try_exists()
    }

    /// The names that are text; others are not ours.
    pub(super) fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// There is no such call: NTFS journals names.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// As [`Directory::sync`].
    pub(super) fn sync_names(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}
