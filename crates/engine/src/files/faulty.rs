//! Files that fail on purpose, as disks do: from a seed, at a chosen operation.
//!
//! Everything is in memory. The model:
//! - Until a file is synced, its writes and its length are pending. What of them a power loss leaves is drawn from the
//!   seed, for each file apart: nothing, everything, any subset, or any subset of their 512-byte sectors; lengths change
//!   in order. So writes are torn, dropped and reordered, within a file and among files.
//! - Until the directory is synced, created and removed names are pending. A power loss may lose a created name and
//!   bring a removed one back, each name apart; the events of one name keep their order.
//! - A sync that fails has written any part of what was pending and dropped the rest. The process goes on seeing all of
//!   it, and the next sync succeeds: what systems do with the pages of a failed sync, and why it must not be retried.
//! - A disk has room for so many blocks of 4,096 bytes. A write into a block that has none takes one; a length alone
//!   takes none; a removed file gives its own back. A write that meets a full disk is done up to there.
//! - A place that cannot be read stays so; the rest can be read.
//! - A write, a change of a length, a creation, a removal or a listing can fail for no reason that the process knows of. But for
//!   a part of the write nothing of it is done, and the next one works.
//!
//! After a power loss every call fails, until [`FaultyFiles::restart`] answers what the disk holds.

mod disk;
mod plan;
mod survival;
#[cfg(test)]
mod tests;

use self::disk::{Disk, FileId};
use super::memory::MemoryFile;
use super::{DirectoryLock, File, Files, LockError, MemoryFiles, Persistence};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use plan::{Fault, FaultPlan, Operation, Struck};

/// A directory that fails as its [`FaultPlan`] says, once or once more, and whose disk can be full. Clones share it.
///
/// ```
/// use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, File as _, Files as _, MemoryFiles};
///
/// let plan = FaultPlan { seed: 1, fault: Fault::PowerLoss, at_operation: 4 };
/// let files = FaultyFiles::over(&MemoryFiles::new(), plan)?;
/// let file = files.open_or_create("log")?;
/// files.sync_directory()?;
/// file.write_at(0, b"durable")?;
/// file.sync_data()?;
/// assert!(file.write_at(7, b", or not").is_err(), "the fourth operation loses power");
///
/// let after = files.restart()?.open_or_create("log")?;
/// let mut bytes = [0; 7];
/// after.read_at(0, &mut bytes)?;
/// assert_eq!(&bytes, b"durable");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FaultyFiles {
    disk: Arc<Mutex<Disk>>,
    /// Holds the directory's lock, and no file.
    lock: MemoryFiles,
}

impl FaultyFiles {
    /// A copy of `files`, all of it durable, in which `plan` will happen.
    ///
    /// # Errors
    /// None in practice: reading memory does not fail.
    pub fn over(files: &MemoryFiles, plan: FaultPlan) -> io::Result<FaultyFiles> {
        let mut disk = Disk::new(plan.seed);
        disk.plan = Some(plan);
        for name in files.list()? {
            disk.add_durable(&name, files.open_or_create(&name)?.as_ref())?;
        }
        Ok(FaultyFiles::of(disk))
    }

    /// An empty directory without a fault, which counts its operations; a restart of it is a power loss.
    pub fn counting(seed: u64) -> FaultyFiles {
        FaultyFiles::of(Disk::new(seed))
    }

    /// Plans a fault for the operation that comes after so many others from now: 0 is the next one. It replaces a plan
    /// that has not happened yet.
    ///
    /// ```
    /// use keywright_engine::files::{Fault, FaultyFiles, File as _, Files as _};
    ///
    /// let files = FaultyFiles::counting(1);
    /// let file = files.open_or_create("log")?;
    /// files.strike(Fault::SyncFails, 0);
    /// file.write_at(0, b"frame")?;
    /// assert!(file.sync_data().is_err());
    /// assert!(file.sync_data().is_ok(), "and yet the frame may be on no disk");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn strike(&self, fault: Fault, after_operations: u64) {
        let mut disk = self.disk();
        let at_operation = disk.operations.saturating_add(after_operations).saturating_add(1);
        disk.plan = Some(FaultPlan { seed: disk.seed(), fault, at_operation });
        disk.then = None;
    }

    /// Plans another fault for when the planned one has happened: it comes so many operations after it, 0 being the next one.
    /// [`strike`](FaultyFiles::strike) forgets it.
    ///
    /// ```
    /// use keywright_engine::files::{Fault, FaultyFiles, File as _, Files as _};
    ///
    /// let files = FaultyFiles::counting(1);
    /// let file = files.open_or_create("log")?;
    /// files.strike(Fault::DiskFullFor { refusals: 2 }, 0);
    /// files.strike_then(Fault::WriteFails, 0);
    /// assert_eq!(file.write_at(0, b"frame").unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    /// assert_eq!(file.write_at(0, b"frame").unwrap_err().kind(), std::io::ErrorKind::Other);
    /// assert_eq!(files.struck().map(|struck| struck.fault), Some(Fault::WriteFails));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn strike_then(&self, fault: Fault, after_operations: u64) {
        self.disk().then = Some((fault, after_operations));
    }

    /// The fault that happened last, and in what.
    ///
    /// ```
    /// use keywright_engine::files::{Fault, FaultyFiles, File as _, Files as _, Operation, Struck};
    ///
    /// let files = FaultyFiles::counting(1);
    /// files.strike(Fault::PowerLoss, 0);
    /// assert!(files.open_or_create("log")?.write_at(0, b"frame").is_err());
    /// let (fault, operation) = (Fault::PowerLoss, Operation::WriteThatNeedsRoom);
    /// assert_eq!(files.struck(), Some(Struck { fault, operation, file: Some("log".to_owned()) }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn struck(&self) -> Option<Struck> {
        self.disk().struck.clone()
    }

    /// Makes the disk full once the files take so many bytes, counted in blocks; `None` makes room without end. Files
    /// that take more already keep what they have.
    pub fn limit_bytes(&self, limit: Option<u64>) {
        self.disk().limit_bytes(limit);
    }

    /// The bytes that the files take, counted in blocks.
    pub fn used_bytes(&self) -> u64 {
        self.disk().used_bytes()
    }

    /// Operations so far: writes, changes of length, removals and syncs; the one with the fault included, and none after
    /// a power loss.
    pub fn operations(&self) -> u64 {
        self.disk().operations
    }

    /// Whether the fault has happened, or the power was cut.
    pub fn has_failed(&self) -> bool {
        self.disk().has_failed
    }

    /// Operations that were tried after the fault, whether they worked or not.
    pub fn operations_after_fault(&self) -> u64 {
        self.disk().operations_after_fault
    }

    /// Syncs of a file, or of the directory, that were tried although one of the same had failed.
    pub fn retried_syncs(&self) -> u64 {
        self.disk().retried_syncs
    }

    /// Cuts the power (if it is not cut yet) and answers what the disk holds afterwards. These files fail from then
    /// on; asking again may answer differently.
    ///
    /// # Errors
    /// None in practice: memory does not fail.
    pub fn restart(&self) -> io::Result<MemoryFiles> {
        let mut disk = self.disk();
        disk.cut_power();
        disk.survivors()
    }

    fn of(disk: Disk) -> FaultyFiles {
        FaultyFiles { disk: Arc::new(Mutex::new(disk)), lock: MemoryFiles::new() }
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        lock(&self.disk)
    }
}

impl Files for FaultyFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.disk().check_power().map_err(LockError::Io)?;
        self.lock.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let (id, seen) = self.disk().open_or_create(name)?;
        Ok(Arc::new(FaultyFile { id, seen, disk: Arc::clone(&self.disk) }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk().remove(name)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        Ok(self.disk().names()?.contains_key(name))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.disk().list()
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.disk().sync_directory()
    }

    fn persistence(&self) -> Persistence {
        Persistence::Lasting
    }

    fn location(&self) -> String {
        "faulty memory".to_owned()
    }
}

#[derive(Debug)]
struct FaultyFile {
    id: FileId,
    /// As the process sees it. The disk keeps a removed file as long as somebody holds this.
    seen: Arc<MemoryFile>,
    disk: Arc<Mutex<Disk>>,
}

impl File for FaultyFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        // The disk is let go of before the bytes are copied: readers do not wait for each other.
        lock(&self.disk).begin_read(self.id, offset, buffer.len())?;
        self.seen.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        lock(&self.disk).write(self.id, offset, bytes)
    }

    fn lock(&self) -> Result<(), LockError> {
        lock(&self.disk).check_power().map_err(LockError::Io)
    }

    fn len(&self) -> io::Result<u64> {
        lock(&self.disk).check_power()?;
        self.seen.len()
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        lock(&self.disk).set_length(self.id, length)
    }

    fn sync_data(&self) -> io::Result<()> {
        lock(&self.disk).sync(self.id)
    }
}

/// No code panics while it holds this lock, so a poisoned one still holds a whole value.
fn lock(disk: &Mutex<Disk>) -> MutexGuard<'_, Disk> {
    disk.lock().unwrap_or_else(PoisonError::into_inner)
}
