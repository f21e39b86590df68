//! The disk under faulty files: what is durable, what is pending, what the process sees, and where it has no room.
//!
//! Invariants: `seen` is `durable` with everything pending applied, but for what a failed sync dropped; a file is kept as
//! long as the process sees its name, the durable directory has it, or a handle is open.

use super::super::memory::MemoryFile;
use super::plan::{Fault, FaultPlan, Operation, Struck, disk_is_full, failed, power_is_lost};
use super::survival::{Pending, let_survive};
use crate::files::{File, Files as _, MemoryFiles};
use crate::random::SeededRandom;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// A file, whatever its name is or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileId(u64);

/// What an operation is done with.
#[derive(Clone, Copy, Debug)]
enum On<'name> {
    Directory,
    Name(&'name str),
    File(FileId),
}

#[derive(Debug)]
pub(super) struct Disk {
    random: SeededRandom,
    pub(super) plan: Option<FaultPlan>,
    /// What is planned for so many operations after the planned fault.
    pub(super) then: Option<(Fault, u64)>,
    pub(super) struck: Option<Struck>,
    pub(super) operations: u64,
    pub(super) operations_after_fault: u64,
    pub(super) retried_syncs: u64,
    pub(super) has_failed: bool,
    power_is_off: bool,
    files: BTreeMap<FileId, OnDisk>,
    next_id: u64,
    /// As the process sees them.
    names: BTreeMap<String, FileId>,
    durable_names: BTreeMap<String, FileId>,
    /// What became of names since the directory was synced, in order; `None` is a removal.
    pending_names: Vec<(String, Option<FileId>)>,
    directory_sync_failed: bool,
    room: Room,
    unreadable: Vec<(FileId, Range<u64>)>,
}

#[derive(Debug, Default)]
struct OnDisk {
    /// As the process sees it.
    seen: Arc<MemoryFile>,
    durable: MemoryFile,
    /// In the order in which they happened.
    pending: Vec<Pending>,
    /// The numbers of its blocks.
    blocks: BTreeSet<u64>,
    sync_failed: bool,
}

/// How much the disk takes.
#[derive(Debug, Default)]
struct Room {
    /// In blocks, of all files; `None` is without end.
    limit: Option<u64>,
    /// After so many more refusals there is room without end.
    refusals_left: Option<u64>,
}

impl Disk {
    pub(super) fn new(seed: u64) -> Disk {
        Disk {
            random: SeededRandom::new(seed),
            plan: None,
            then: None,
            struck: None,
            operations: 0,
            operations_after_fault: 0,
            retried_syncs: 0,
            has_failed: false,
            power_is_off: false,
            files: BTreeMap::new(),
            next_id: 0,
            names: BTreeMap::new(),
            durable_names: BTreeMap::new(),
            pending_names: Vec::new(),
            directory_sync_failed: false,
            room: Room::default(),
            unreadable: Vec::new(),
        }
    }

    pub(super) fn seed(&self) -> u64 {
        self.random.seed()
    }

    /// A file that was there before the process started.
    pub(super) fn add_durable(&mut self, name: &str, content: &dyn File) -> io::Result<()> {
        let mut file = OnDisk::default();
        copy_content(content, &file.durable)?;
        copy_content(content, file.seen.as_ref())?;
        file.blocks = blocks_of(0, content.len()?).collect();
        let id = self.add(file);
        self.names.insert(name.to_owned(), id);
        self.durable_names.insert(name.to_owned(), id);
        Ok(())
    }

    pub(super) fn check_power(&self) -> io::Result<()> {
        if self.power_is_off {
            return Err(io::Error::other("injected: nothing works after the power loss"));
        }
        Ok(())
    }

    pub(super) fn cut_power(&mut self) {
        self.power_is_off = true;
        self.has_failed = true;
    }

    pub(super) fn limit_bytes(&mut self, limit: Option<u64>) {
        self.room = Room { limit: limit.map(|bytes| bytes / BLOCK_BYTES), refusals_left: None };
    }

    pub(super) fn used_bytes(&self) -> u64 {
        self.used_blocks() * BLOCK_BYTES
    }

    pub(super) fn names(&self) -> io::Result<&BTreeMap<String, FileId>> {
        self.check_power()?;
        Ok(&self.names)
    }

    pub(super) fn list(&mut self) -> io::Result<Vec<String>> {
        match self.begin(Operation::List, On::Directory)? {
            None => Ok(self.names.keys().cloned().collect()),
            Some(Fault::ListFails) => Err(failed(Operation::List)),
            Some(_) => Err(power_is_lost()),
        }
    }

    pub(super) fn open_or_create(&mut self, name: &str) -> io::Result<(FileId, Arc<MemoryFile>)> {
        if let Some(id) = self.names()?.get(name) {
            return Ok((*id, self.file(*id).map(|file| Arc::clone(&file.seen))?));
        }
        match self.begin(Operation::Create, On::Name(name))? {
            Some(Fault::CreateFails) => return Err(failed(Operation::Create)),
            Some(_) => return Err(power_is_lost()),
            None => {}
        }
        let file = OnDisk::default();
        let seen = Arc::clone(&file.seen);
        let id = self.add(file);
        self.names.insert(name.to_owned(), id);
        self.pending_names.push((name.to_owned(), Some(id)));
        Ok((id, seen))
    }

    pub(super) fn remove(&mut self, name: &str) -> io::Result<()> {
        let fault = self.begin(Operation::Remove, On::Name(name))?;
        if fault == Some(Fault::RemoveFails) {
            return Err(failed(Operation::Remove));
        }
        let id = self.names.remove(name).ok_or(io::ErrorKind::NotFound)?;
        self.pending_names.push((name.to_owned(), None));
        if let Some(file) = self.files.get_mut(&id) {
            file.blocks.clear();
        }
        fault.map_or(Ok(()), |_| Err(power_is_lost()))
    }

    pub(super) fn sync_directory(&mut self) -> io::Result<()> {
        let fault = self.begin(Operation::SyncDirectory, On::Directory)?;
        self.retried_syncs += u64::from(self.directory_sync_failed);
        match fault {
            Some(Fault::SyncFails | Fault::DirectorySyncFails) => {
                self.directory_sync_failed = true;
                self.durable_names = self.surviving_names();
                self.pending_names.clear();
                Err(failed(Operation::SyncDirectory))
            }
            Some(_) => Err(power_is_lost()),
            None => {
                for (name, id) in self.pending_names.drain(..) {
                    set_name(&mut self.durable_names, name, id);
                }
                self.forget_nameless_files();
                Ok(())
            }
        }
    }

    /// Whether these bytes can be read.
    pub(super) fn begin_read(&mut self, id: FileId, offset: u64, length: usize) -> io::Result<()> {
        let place = offset..offset.saturating_add(length as u64);
        match self.begin(Operation::Read, On::File(id))? {
            Some(Fault::ReadFails) => self.unreadable.push((id, place.clone())),
            Some(_) => return Err(power_is_lost()),
            None => {}
        }
        let overlaps = |(file, bad): &(FileId, Range<u64>)| {
            *file == id && bad.start < place.end && place.start < bad.end
        };
        if self.unreadable.iter().any(overlaps) {
            return Err(failed(Operation::Read));
        }
        Ok(())
    }

    pub(super) fn set_length(&mut self, id: FileId, length: u64) -> io::Result<()> {
        let fault = self.begin(Operation::SetLength, On::File(id))?;
        if fault == Some(Fault::ResizeFails) {
            return Err(failed(Operation::SetLength));
        }
        let file = self.file_mut(id)?;
        file.blocks.retain(|block| *block < length.div_ceil(BLOCK_BYTES));
        file.change(Pending::Length(length))?;
        fault.map_or(Ok(()), |_| Err(power_is_lost()))
    }

    pub(super) fn write(&mut self, id: FileId, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let needed = self.file(id)?.blocks_missing(offset, bytes);
        let kind = if needed > 0 { Operation::WriteThatNeedsRoom } else { Operation::Overwrite };
        let fault = self.begin(kind, On::File(id))?;
        match fault {
            Some(Fault::DiskFull) => self.fill_up(needed, None),
            Some(Fault::DiskFullFor { refusals }) => self.fill_up(needed, Some(refusals)),
            _ => {}
        }
        let mut done = self.part_with_room(self.file(id)?, offset, bytes);
        if fault == Some(Fault::WriteFails) {
            let blocks = self.random.below(done.len() as u64 / BLOCK_BYTES + 1);
            let part = usize::try_from(blocks * BLOCK_BYTES).ok().and_then(|part| done.get(..part));
            done = part.unwrap_or_default();
        }
        let end = offset.saturating_add(done.len() as u64);
        let file = self.file_mut(id)?;
        if !done.is_empty() {
            if end > file.seen.len()? {
                file.change(Pending::Length(end))?;
            }
            file.blocks.extend(blocks_of(offset, end));
            file.change(Pending::Write { offset, bytes: done.to_vec() })?;
        }
        match fault {
            Some(Fault::PowerLoss | Fault::PowerLossIn(_)) => Err(power_is_lost()),
            Some(Fault::WriteFails) => Err(failed(kind)),
            _ if done.len() < bytes.len() => {
                self.room.count_refusal();
                Err(disk_is_full())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn sync(&mut self, id: FileId) -> io::Result<()> {
        let fault = self.begin(Operation::Sync, On::File(id))?;
        let random = &self.random;
        let file = self.files.get_mut(&id).ok_or_else(is_forgotten)?;
        self.retried_syncs += u64::from(file.sync_failed);
        match fault {
            Some(Fault::SyncFails) => {
                file.sync_failed = true;
                let pending = std::mem::take(&mut file.pending);
                let_survive(&pending, &file.durable, random)?;
                Err(failed(Operation::Sync))
            }
            Some(_) => Err(power_is_lost()),
            None => file.pending.drain(..).try_for_each(|change| change.apply(&file.durable)),
        }
    }

    /// What the disk holds after a power loss.
    pub(super) fn survivors(&self) -> io::Result<MemoryFiles> {
        let survivors = MemoryFiles::new();
        for (name, id) in self.surviving_names() {
            let survivor = survivors.open_or_create(&name)?;
            if let Some(file) = self.files.get(&id) {
                copy_content(&file.durable, survivor.as_ref())?;
                let_survive(&file.pending, survivor.as_ref(), &self.random)?;
            }
        }
        Ok(survivors)
    }

    /// Counts an operation and answers the fault that strikes in it.
    fn begin(&mut self, operation: Operation, on: On<'_>) -> io::Result<Option<Fault>> {
        let is_counted = operation.is_counted();
        let number = self.operations + 1;
        self.operations_after_fault += u64::from(self.has_failed && is_counted);
        self.check_power()?;
        self.operations += u64::from(is_counted);
        let struck = self
            .plan
            .filter(|plan| number >= plan.at_operation && plan.fault.strikes(operation))
            .map(|plan| plan.fault);
        if let Some(fault) = struck {
            let seed = self.random.seed();
            self.plan = self.then.take().map(|(fault, after)| FaultPlan {
                seed,
                fault,
                at_operation: self.operations.saturating_add(after).saturating_add(1),
            });
            self.has_failed = true;
            let file = match on {
                On::Directory => None,
                On::Name(name) => Some(name.to_owned()),
                On::File(id) => {
                    self.names.iter().find(|(_, named)| **named == id).map(|(name, _)| name.clone())
                }
            };
            self.struck = Some(Struck { fault, operation, file });
            self.power_is_off = matches!(fault, Fault::PowerLoss | Fault::PowerLossIn(_));
        }
        Ok(struck)
    }

    fn add(&mut self, file: OnDisk) -> FileId {
        let id = FileId(self.next_id);
        self.next_id += 1;
        self.files.insert(id, file);
        id
    }

    fn file(&self, id: FileId) -> io::Result<&OnDisk> {
        self.files.get(&id).ok_or_else(is_forgotten)
    }

    fn file_mut(&mut self, id: FileId) -> io::Result<&mut OnDisk> {
        self.files.get_mut(&id).ok_or_else(is_forgotten)
    }

    /// Each name after some of its pending events, in their order.
    fn surviving_names(&self) -> BTreeMap<String, FileId> {
        let mut events: BTreeMap<&String, Vec<Option<FileId>>> = BTreeMap::new();
        for (name, id) in &self.pending_names {
            events.entry(name).or_default().push(*id);
        }
        let mut names = self.durable_names.clone();
        for (name, events) in events {
            let happened = usize::try_from(self.random.below(events.len() as u64 + 1)).unwrap_or(0);
            if let Some(last) = happened.checked_sub(1).and_then(|last| events.get(last)) {
                set_name(&mut names, name.clone(), *last);
            }
        }
        names
    }

    fn forget_nameless_files(&mut self) {
        let named: BTreeSet<FileId> =
            self.names.values().chain(self.durable_names.values()).copied().collect();
        self.files.retain(|id, file| named.contains(id) || Arc::strong_count(&file.seen) > 1);
    }

    fn used_blocks(&self) -> u64 {
        self.files.values().map(|file| file.blocks.len() as u64).sum()
    }

    /// From now on there is no room but for a part of the next `needed` blocks.
    fn fill_up(&mut self, needed: u64, refusals_left: Option<u64>) {
        let limit = Some(self.used_blocks() + self.random.below(needed));
        self.room = Room { limit, refusals_left };
    }

    /// What of a write is done before the disk is full.
    fn part_with_room<'bytes>(&self, file: &OnDisk, offset: u64, bytes: &'bytes [u8]) -> &'bytes [u8] {
        let Some(limit) = self.room.limit else { return bytes };
        let mut left = limit.saturating_sub(self.used_blocks());
        for block in blocks_of(offset, offset.saturating_add(bytes.len() as u64)) {
            let needs_room = !file.blocks.contains(&block);
            if needs_room && left == 0 {
                let done = (block * BLOCK_BYTES).saturating_sub(offset);
                return usize::try_from(done).ok().and_then(|done| bytes.get(..done)).unwrap_or(bytes);
            }
            left -= u64::from(needs_room);
        }
        bytes
    }
}

impl OnDisk {
    /// How many blocks a write needs besides those that the file has.
    fn blocks_missing(&self, offset: u64, bytes: &[u8]) -> u64 {
        let end = offset.saturating_add(bytes.len() as u64);
        blocks_of(offset, end).filter(|block| !self.blocks.contains(block)).count() as u64
    }

    fn change(&mut self, change: Pending) -> io::Result<()> {
        change.apply(self.seen.as_ref())?;
        self.pending.push(change);
        Ok(())
    }
}

impl Room {
    fn count_refusal(&mut self) {
        let Some(left) = self.refusals_left.as_mut() else { return };
        *left = left.saturating_sub(1);
        if *left == 0 {
            *self = Room::default();
        }
    }
}

fn is_forgotten() -> io::Error {
    unreachable!("a file is kept as long as it has a name or somebody holds what is seen of it")
}

/// What a file takes room by.
const BLOCK_BYTES: u64 = 4_096;

/// The blocks from the byte `start` to before the byte `end`.
fn blocks_of(start: u64, end: u64) -> Range<u64> {
    if start >= end { 0..0 } else { start / BLOCK_BYTES..end.div_ceil(BLOCK_BYTES) }
}

fn set_name(names: &mut BTreeMap<String, FileId>, name: String, id: Option<FileId>) {
    match id {
        Some(id) => names.insert(name, id),
        None => names.remove(&name),
    };
}

/// Copies a whole file; what is zeros takes no memory in the copy.
fn copy_content(from: &dyn File, to: &dyn File) -> io::Result<()> {
    const PART_BYTES: usize = 64 * 1024;
    let length = from.len()?;
    to.set_len(length)?;
    let mut part = vec![0; PART_BYTES];
    for start in (0..length).step_by(PART_BYTES) {
        let wanted = usize::try_from(length - start).unwrap_or(PART_BYTES).min(PART_BYTES);
        let Some(part) = part.get_mut(..wanted) else { unreachable!("the part is as long as the longest") };
        from.read_at(start, part)?;
        if part.iter().any(|byte| *byte != 0) {
            to.write_at(start, part)?;
        }
    }
    Ok(())
}
