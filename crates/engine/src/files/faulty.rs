//! Files that fail on purpose: a power loss, a failed sync or a full disk at a chosen operation, from a seed.
//!
//! Everything is in memory. Until a file is synced, its writes and its length are pending. What of them a power loss
//! leaves is drawn from the seed: nothing, everything, any subset, or any subset of their 512-byte sectors; lengths
//! change in order. A name survives for certain only once the directory was synced. After the fault every call
//! fails, as for a process whose machine is gone, until [`FaultyFiles::restart`].

mod disk;

use self::disk::{Disk, OnDisk, Operation, Pending, copy_content};
use super::memory::MemoryFile;
use super::{DirectoryLock, File, Files, LockError, MemoryFiles, Persistence};
use crate::random::SeededRandom;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A directory that fails once, as its [`FaultPlan`] says. Clones share it.
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
    /// What the running process sees.
    view: MemoryFiles,
    disk: Arc<Mutex<Disk>>,
}

/// Which fault strikes, when, and the seed that decides the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    /// Decides what survives.
    pub seed: u64,
    /// What happens.
    pub fault: Fault,
    /// The first operation (a write, a change of length or a sync; 1 is the first) at which it may happen.
    pub at_operation: u64,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The machine loses power in the operation, whichever it is.
    PowerLoss,
    /// The first sync from then on fails; its writes may have reached the disk or not.
    SyncFails,
    /// The first write or change of length from then on finds the disk full; a part of a write may be done.
    DiskFull,
}

impl FaultyFiles {
    /// A copy of `files`, all of it durable, in which `plan` will happen.
    ///
    /// # Errors
    /// None in practice: reading memory does not fail.
    pub fn over(files: &MemoryFiles, plan: FaultPlan) -> io::Result<FaultyFiles> {
        let mut disk = Disk::new(SeededRandom::new(plan.seed), Some(plan));
        let view = MemoryFiles::new();
        for name in files.list()? {
            let original = files.open_or_create(&name)?;
            let durable = MemoryFile::default();
            copy_content(original.as_ref(), &durable)?;
            copy_content(original.as_ref(), view.open_or_create(&name)?.as_ref())?;
            disk.files.insert(name, OnDisk { durable, pending: Vec::new(), name_is_durable: true });
        }
        Ok(FaultyFiles { view, disk: Arc::new(Mutex::new(disk)) })
    }

    /// An empty directory without a fault, which counts its operations; a restart of it is a power loss.
    pub fn counting(seed: u64) -> FaultyFiles {
        let disk = Disk::new(SeededRandom::new(seed), None);
        FaultyFiles { view: MemoryFiles::new(), disk: Arc::new(Mutex::new(disk)) }
    }

    /// Writes, changes of length and syncs so far, the one with the fault included.
    pub fn operations(&self) -> u64 {
        self.disk().operations
    }

    /// Whether the fault has happened.
    pub fn has_failed(&self) -> bool {
        self.disk().failed
    }

    /// Writes, changes of length and syncs that were tried after the fault.
    pub fn operations_after_fault(&self) -> u64 {
        self.disk().operations_after_fault
    }

    /// Cuts the power (if it is not cut yet) and answers what the disk holds afterwards. These files fail from then
    /// on; asking again may answer differently.
    ///
    /// # Errors
    /// None in practice: memory does not fail.
    pub fn restart(&self) -> io::Result<MemoryFiles> {
        let mut disk = self.disk();
        disk.failed = true;
        disk.survivors()
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        lock(&self.disk)
    }
}

impl Files for FaultyFiles {
    fn lock(&self) -> Result<DirectoryLock, LockError> {
        self.disk().check().map_err(LockError::Io)?;
        self.view.lock()
    }

    fn open_or_create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let mut disk = self.disk();
        disk.check()?;
        disk.files.entry(name.to_owned()).or_default();
        let view = self.view.open_or_create(name)?;
        Ok(Arc::new(FaultyFile { name: name.to_owned(), view, disk: Arc::clone(&self.disk) }))
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.disk().check()?;
        self.view.exists(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.disk().check()?;
        self.view.list()
    }

    fn sync_directory(&self) -> io::Result<()> {
        let mut disk = self.disk();
        if let Some(fault) = disk.begin(Operation::Sync)? {
            return Err(fault.error());
        }
        for file in disk.files.values_mut() {
            file.name_is_durable = true;
        }
        Ok(())
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
    name: String,
    view: Arc<dyn File>,
    disk: Arc<Mutex<Disk>>,
}

impl File for FaultyFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        lock(&self.disk).check()?;
        self.view.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut disk = lock(&self.disk);
        let fault = disk.begin(Operation::Write)?;
        let done = match fault {
            Some(Fault::DiskFull) => disk.part_of(bytes),
            _ => bytes,
        };
        let end = offset.saturating_add(done.len() as u64);
        if end > self.view.len()? {
            disk.pend(&self.name, Pending::Length(end));
        }
        self.view.write_at(offset, done)?;
        disk.pend(&self.name, Pending::Write { offset, bytes: done.to_vec() });
        fault.map_or(Ok(()), |fault| Err(fault.error()))
    }

    fn len(&self) -> io::Result<u64> {
        lock(&self.disk).check()?;
        self.view.len()
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut disk = lock(&self.disk);
        let fault = disk.begin(Operation::Write)?;
        if fault != Some(Fault::DiskFull) {
            self.view.set_len(length)?;
            disk.pend(&self.name, Pending::Length(length));
        }
        fault.map_or(Ok(()), |fault| Err(fault.error()))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut disk = lock(&self.disk);
        if let Some(fault) = disk.begin(Operation::Sync)? {
            return Err(fault.error());
        }
        disk.settle(&self.name)
    }
}

/// No code panics while it holds this lock, so a poisoned one still holds a whole value.
fn lock(disk: &Mutex<Disk>) -> MutexGuard<'_, Disk> {
    disk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_with(files: &FaultyFiles, bytes: &[u8]) -> Arc<dyn File> {
        let file = files.open_or_create("file").unwrap();
        files.sync_directory().unwrap();
        file.write_at(0, bytes).unwrap();
        file
    }

    fn content(files: &MemoryFiles) -> Vec<u8> {
        let file = files.open_or_create("file").unwrap();
        let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
        file.read_at(0, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_was_synced_survives_every_power_loss() {
        for seed in 0..200 {
            let files = FaultyFiles::counting(seed);
            let file = file_with(&files, &[7; 2_000]);
            file.sync_data().unwrap();
            file.write_at(1_024, &[8; 2_000]).unwrap();
            let after = content(&files.restart().unwrap());
            assert_eq!(after.get(..1_024), Some([7; 1_024].as_slice()), "seed {seed}");
        }
    }

    #[test]
    fn unsynced_writes_survive_wholly_partly_and_not_at_all() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let files = FaultyFiles::counting(seed);
            let file = file_with(&files, &[7; 1_024]);
            file.sync_data().unwrap();
            file.write_at(0, &[8; 1_024]).unwrap();
            let after = content(&files.restart().unwrap());
            assert_eq!(after.len(), 1_024, "seed {seed}");
            seen.insert((after[0], after[511], after[512], after[1_023]));
        }
        let torn_only_between_sectors = [(7, 7, 7, 7), (7, 7, 8, 8), (8, 8, 7, 7), (8, 8, 8, 8)];
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), torn_only_between_sectors);
    }

    #[test]
    fn a_name_that_was_never_synced_may_be_gone() {
        let survived = |seed| {
            let files = FaultyFiles::counting(seed);
            files.open_or_create("file").unwrap();
            files.restart().unwrap().exists("file").unwrap()
        };
        assert!((0..50).any(survived));
        assert!(!(0..50).all(survived));
    }

    #[test]
    fn everything_fails_after_the_fault_and_is_counted() {
        let plan = FaultPlan { seed: 3, fault: Fault::SyncFails, at_operation: 1 };
        let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
        let file = files.open_or_create("file").unwrap();
        file.write_at(0, b"abc").unwrap();
        assert!(!files.has_failed());
        assert!(file.sync_data().is_err());
        assert!(files.has_failed());
        assert!(file.sync_data().is_err());
        assert!(file.write_at(0, b"abc").is_err());
        assert!(file.read_at(0, &mut [0]).is_err());
        assert!(files.list().is_err());
        assert_eq!(files.operations_after_fault(), 2);
    }

    #[test]
    fn a_full_disk_says_so() {
        let plan = FaultPlan { seed: 3, fault: Fault::DiskFull, at_operation: 2 };
        let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
        let file = files.open_or_create("file").unwrap();
        file.write_at(0, b"abc").unwrap();
        assert_eq!(file.write_at(3, b"def").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
