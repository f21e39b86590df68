//! Files in memory: memory mode, and the ground of tests.
//!
//! Nothing here can fail but for an offset beyond the address space. A file is a list of fixed chunks, so growing
//! one copies nothing, and a chunk never written takes no memory.

use super::{DirectoryLock, File, Files, LockError, Persistence};
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A directory that lives as long as somebody holds it. Clones share its files, so a test can drop a store and
/// open what it left.
///
/// ```
/// use keywright_engine::files::{File as _, Files as _, MemoryFiles};
///
/// let files = MemoryFiles::new();
/// files.open_or_create("greeting")?.write_at(0, b"hello")?;
/// assert_eq!(files.clone().open_or_create("greeting")?.len()?, 5);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    directory: Arc<Directory>,
}

impl MemoryFiles {
    /// An empty directory.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }
}

impl Files for MemoryFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        let already_locked = self.directory.locked.swap(true, Ordering::AcqRel);
        if already_locked {
            return Err(LockError::InUse);
        }
        Ok(DirectoryLock::new(Unlock(Arc::clone(&self.directory))))
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let mut files = self.directory.files();
        Ok(Arc::clone(files.entry(name.to_owned()).or_default()) as Arc<dyn File>)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.directory.files().remove(name).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        Ok(self.directory.files().contains_key(name))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.directory.files().keys().cloned().collect())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn persistence(&self) -> Persistence {
        Persistence::Volatile
    }

    fn location(&self) -> String {
        "memory".to_owned()
    }
}

#[derive(Debug, Default)]
struct Directory {
    locked: AtomicBool,
    files: Mutex<BTreeMap<String, Arc<MemoryFile>>>,
}

impl Directory {
    /// No code panics while it holds this lock, so a poisoned one still holds a whole value.
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Arc<MemoryFile>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Unlock(Arc<Directory>);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.locked.store(false, Ordering::Release);
    }
}

/// Small enough that an empty store stays small, large enough that a page seldom spans two.
const CHUNK_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub(super) struct MemoryFile {
    content: RwLock<Content>,
}

impl MemoryFile {
    fn read(&self) -> RwLockReadGuard<'_, Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.content.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl File for MemoryFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let content = self.read();
        let end = end_of(offset, buffer.len())?;
        if end > content.length {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file ends before the bytes asked for",
            ));
        }
        content.copy_to(to_index(offset)?, buffer);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut content = self.write();
        let end = end_of(offset, bytes.len())?;
        let start = to_index(offset)?;
        if end > content.length {
            content.set_length(end)?;
        }
        content.copy_from(start, bytes);
        Ok(())
    }

    fn lock(&self) -> Result<(), LockError> {
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.read().length)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.write().set_length(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Debug for MemoryFile {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryFile").field("length", &self.read().length).finish_non_exhaustive()
    }
}

/// Invariant: there are exactly as many chunks as `length` needs, and bytes after `length` in the last are zero.
#[derive(Default)]
struct Content {
    length: u64,
    /// `None` is a chunk of zeros.
    chunks: Vec<Option<Box<[u8]>>>,
}

impl Content {
    fn set_length(&mut self, length: u64) -> io::Result<()> {
        let length_index = to_index(length)?;
        self.chunks.resize_with(length_index.div_ceil(CHUNK_BYTES), || None);
        let used_in_last = length_index % CHUNK_BYTES;
        if used_in_last > 0
            && let Some(Some(last)) = self.chunks.last_mut()
            && let Some(unused) = last.get_mut(used_in_last..)
        {
            unused.fill(0);
        }
        self.length = length;
        Ok(())
    }

    fn copy_to(&self, start: usize, mut buffer: &mut [u8]) {
        let mut position = start;
        while !buffer.is_empty() {
            let within = position % CHUNK_BYTES;
            let (now, later) = buffer.split_at_mut(buffer.len().min(CHUNK_BYTES - within));
            let chunk = self.chunks.get(position / CHUNK_BYTES).and_then(Option::as_ref);
            match chunk.and_then(|chunk| chunk.get(within..within + now.len())) {
                Some(bytes) => now.copy_from_slice(bytes),
                None => now.fill(0),
            }
            position += now.len();
            buffer = later;
        }
    }

    fn copy_from(&mut self, start: usize, mut bytes: &[u8]) {
        let mut position = start;
        while !bytes.is_empty() {
            let within = position % CHUNK_BYTES;
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK_BYTES - within));
            if let Some(chunk) = self.chunks.get_mut(position / CHUNK_BYTES) {
                let chunk = chunk.get_or_insert_with(|| vec![0; CHUNK_BYTES].into_boxed_slice());
                if let Some(target) = chunk.get_mut(within..within + now.len()) {
                    target.copy_from_slice(now);
                }
            }
            position += now.len();
            bytes = later;
        }
    }
}

fn end_of(offset: u64, length: usize) -> io::Result<u64> {
    let length = u64::try_from(length).map_err(|_| too_far())?;
    offset.checked_add(length).ok_or_else(too_far)
}

fn to_index(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| too_far())
}

fn too_far() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the offset is beyond what memory can address")
}
