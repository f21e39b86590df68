//! The checksums of all blocks: those of groups that were needed in memory, all of them on the disk.

use super::layout::{BLOCK_BYTES, GROUP_BLOCKS, groups, offset_of_checksums, place_of};
use crate::files::File;
use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use twox_hash::XxHash3_64;

/// The checksums of a file's blocks. In memory they take 8 bytes for each block of 4,096 in a group that was read or written.
#[derive(Debug)]
pub(super) struct Checksums {
    file: Arc<dyn File>,
    /// `None` of a group that nobody has needed.
    groups: RwLock<Vec<Option<Group>>>,
    unwritten: Mutex<Unwritten>,
}

/// The checksums of a group's blocks; zero of one that was never written.
type Group = Box<[AtomicU64]>;

#[derive(Debug)]
struct Unwritten {
    /// The groups with checksums that only memory has.
    groups: BTreeSet<u64>,
    /// How many blocks the file has, the header included.
    blocks: u64,
    /// The groups whose checksums surely have room on the disk, since this process has written them.
    have_room: BTreeSet<u64>,
}

impl Checksums {
    /// Of a file that has so many blocks, the header included.
    pub(super) fn of(file: Arc<dyn File>, blocks: u64) -> Checksums {
        let unwritten = Unwritten { groups: BTreeSet::new(), blocks, have_room: BTreeSet::new() };
        Checksums { file, groups: RwLock::default(), unwritten: Mutex::new(unwritten) }
    }

    /// Whether a block that was read is what was written. One that never was has zeros.
    pub(super) fn fits(&self, block: u64, content: &[u8]) -> io::Result<bool> {
        Ok(match self.with(block, |checksum| checksum.load(Ordering::Acquire))? {
            NEVER_WRITTEN => content.iter().all(|byte| *byte == 0),
            checksum => checksum == checksum_of(block, content),
        })
    }

    /// Notes what is written to a block. It is on the disk after [`Checksums::write`], and has room there after this. Where that fails, it can
    /// be tried again.
    pub(super) fn set(&self, block: u64, content: &[u8]) -> io::Result<()> {
        let checksum = checksum_of(block, content);
        self.with(block, |place| place.store(checksum, Ordering::Release))?;
        let (group, _) = place_of(block);
        self.note(group, &mut self.unwritten())
    }

    /// Notes that memory alone has checksums of a group, for which it takes room on the disk.
    fn note(&self, group: u64, unwritten: &mut Unwritten) -> io::Result<()> {
        if !unwritten.have_room.contains(&group) {
            self.write_group(group)?;
            unwritten.have_room.insert(group);
        }
        unwritten.groups.insert(group);
        Ok(())
    }

    /// Writes what only memory has.
    pub(super) fn write(&self) -> io::Result<()> {
        let mut unwritten = self.unwritten();
        while let Some(number) = unwritten.groups.first().copied() {
            self.write_group(number)?;
            unwritten.groups.remove(&number);
        }
        Ok(())
    }

    /// Follows the file to another number of blocks, and forgets those that were cut off.
    pub(super) fn resize(&self, blocks: u64) -> io::Result<()> {
        let mut unwritten = self.unwritten();
        if blocks < unwritten.blocks {
            self.forget_from(blocks, &mut unwritten)?;
        }
        unwritten.blocks = blocks;
        Ok(())
    }

    fn write_group(&self, number: u64) -> io::Result<()> {
        let known = self.groups.read().unwrap_or_else(PoisonError::into_inner);
        let Some(Some(group)) = known.get(index(number)) else { return Ok(()) };
        let checksums = group.iter().map(|checksum| checksum.load(Ordering::Acquire));
        let bytes: Vec<u8> = checksums.flat_map(u64::to_be_bytes).collect();
        self.file.write_at(offset_of_checksums(number), &bytes)
    }

    /// Forgets the checksums from a block on, since what comes there later begins with zeros.
    fn forget_from(&self, blocks: u64, unwritten: &mut Unwritten) -> io::Result<()> {
        let count = groups(blocks);
        let mut known = self.groups.write().unwrap_or_else(PoisonError::into_inner);
        known.truncate(index(count));
        drop(known);
        unwritten.groups.split_off(&count);
        unwritten.have_room.split_off(&count);
        for block in blocks.max(1)..=count * GROUP_BLOCKS {
            self.with(block, |place| place.store(NEVER_WRITTEN, Ordering::Release))?;
            self.note(place_of(block).0, unwritten)?;
        }
        Ok(())
    }

    /// Shows the checksum of a block, which is read from the disk where none of its group was needed yet.
    fn with<Value>(&self, block: u64, show: impl Fn(&AtomicU64) -> Value) -> io::Result<Value> {
        let (number, within) = place_of(block);
        loop {
            let known = self.groups.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(Some(group)) = known.get(index(number))
                && let Some(checksum) = group.get(within)
            {
                return Ok(show(checksum));
            }
            drop(known);
            self.load(number)?;
        }
    }

    fn load(&self, number: u64) -> io::Result<()> {
        let mut bytes = [0; BLOCK_BYTES];
        self.file.read_at(offset_of_checksums(number), &mut bytes)?;
        let (checksums, _) = bytes.as_chunks();
        let group = checksums.iter().map(|checksum| AtomicU64::new(u64::from_be_bytes(*checksum))).collect();
        let mut known = self.groups.write().unwrap_or_else(PoisonError::into_inner);
        let place = index(number);
        if known.len() <= place {
            known.resize_with(place + 1, || None);
        }
        if let Some(empty @ None) = known.get_mut(place) {
            *empty = Some(group);
        }
        Ok(())
    }

    fn unwritten(&self) -> MutexGuard<'_, Unwritten> {
        // It is whole at every point where the lock can be lost.
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The checksum of a block that was never written.
const NEVER_WRITTEN: u64 = 0;

/// It tells a block from another one's content too: a disk can write, or read, the right bytes at the wrong place.
fn checksum_of(block: u64, content: &[u8]) -> u64 {
    match XxHash3_64::oneshot_with_seed(block, content) {
        NEVER_WRITTEN => 1,
        checksum => checksum,
    }
}

fn index(group: u64) -> usize {
    // 2 MiB of a file each: a number beyond the address space has no file.
    usize::try_from(group).unwrap_or(usize::MAX)
}
