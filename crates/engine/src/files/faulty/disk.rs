//! What the disk under faulty files holds: durable bytes, pending changes, and what of those survives.

use super::super::memory::MemoryFile;
use super::{Fault, FaultPlan};
use crate::files::{File, Files as _, MemoryFiles};
use crate::random::SeededRandom;
use std::collections::BTreeMap;
use std::io;

#[derive(Debug)]
pub(super) struct Disk {
    random: SeededRandom,
    plan: Option<FaultPlan>,
    pub(super) operations: u64,
    pub(super) operations_after_fault: u64,
    pub(super) failed: bool,
    pub(super) files: BTreeMap<String, OnDisk>,
}

#[derive(Debug, Default)]
pub(super) struct OnDisk {
    pub(super) durable: MemoryFile,
    /// In the order in which they happened.
    pub(super) pending: Vec<Pending>,
    pub(super) name_is_durable: bool,
}

#[derive(Debug)]
pub(super) enum Pending {
    Length(u64),
    Write { offset: u64, bytes: Vec<u8> },
}

impl Disk {
    pub(super) fn new(random: SeededRandom, plan: Option<FaultPlan>) -> Disk {
        let files = BTreeMap::new();
        Disk { random, plan, operations: 0, operations_after_fault: 0, failed: false, files }
    }

    pub(super) fn check(&self) -> io::Result<()> {
        if self.failed { Err(io::Error::other("injected: nothing works after the fault")) } else { Ok(()) }
    }

    /// Counts an operation and answers the fault that strikes in it.
    pub(super) fn begin(&mut self, operation: Operation) -> io::Result<Option<Fault>> {
        if self.failed {
            self.operations_after_fault += 1;
        }
        self.check()?;
        self.operations += 1;
        let struck = self
            .plan
            .filter(|plan| self.operations >= plan.at_operation && plan.fault.strikes(operation))
            .map(|plan| plan.fault);
        self.failed = struck.is_some();
        Ok(struck)
    }

    pub(super) fn pend(&mut self, name: &str, pending: Pending) {
        self.files.entry(name.to_owned()).or_default().pending.push(pending);
    }

    /// The pending changes of a file become durable.
    pub(super) fn settle(&mut self, name: &str) -> io::Result<()> {
        let Some(file) = self.files.get_mut(name) else { return Ok(()) };
        for pending in file.pending.drain(..) {
            match pending {
                Pending::Length(length) => file.durable.set_len(length)?,
                Pending::Write { offset, bytes } => file.durable.write_at(offset, &bytes)?,
            }
        }
        Ok(())
    }

    pub(super) fn part_of<'bytes>(&self, bytes: &'bytes [u8]) -> &'bytes [u8] {
        let done = self.random.below(bytes.len() as u64 + 1);
        usize::try_from(done).ok().and_then(|done| bytes.get(..done)).unwrap_or_default()
    }

    pub(super) fn survivors(&self) -> io::Result<MemoryFiles> {
        let survivors = MemoryFiles::new();
        for (name, file) in &self.files {
            if file.name_is_durable || self.random.below(2) == 0 {
                let survivor = survivors.open_or_create(name)?;
                copy_content(&file.durable, survivor.as_ref())?;
                self.let_survive(&file.pending, survivor.as_ref())?;
            }
        }
        Ok(survivors)
    }

    /// Applies what the seed lets survive of the pending changes. Bytes after the surviving length are lost.
    fn let_survive(&self, pending: &[Pending], survivor: &dyn File) -> io::Result<()> {
        let survival = Survival::draw(&self.random);
        let lengths = pending.iter().filter(|change| matches!(change, Pending::Length(_))).count() as u64;
        let mut lengths_left = match survival {
            Survival::Nothing => 0,
            Survival::Everything => lengths,
            Survival::Writes | Survival::Sectors => self.random.below(lengths + 1),
        };
        for change in pending {
            match change {
                Pending::Length(_) if lengths_left == 0 => {}
                Pending::Length(length) => {
                    lengths_left -= 1;
                    survivor.set_len(*length)?;
                }
                Pending::Write { offset, bytes } => {
                    for (start, part) in survival.split(*offset, bytes) {
                        if survival.keeps(&self.random) {
                            write_within(survivor, start, part)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Calls that count, and at which faults strike.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Write,
    Sync,
}

impl Fault {
    fn strikes(self, operation: Operation) -> bool {
        match self {
            Fault::PowerLoss => true,
            Fault::SyncFails => operation == Operation::Sync,
            Fault::DiskFull => operation == Operation::Write,
        }
    }

    pub(super) fn error(self) -> io::Error {
        match self {
            Fault::PowerLoss => io::Error::other("injected: the power is lost"),
            Fault::SyncFails => io::Error::other("injected: the sync failed"),
            Fault::DiskFull => {
                io::Error::new(io::ErrorKind::StorageFull, "injected: no space left on the disk")
            }
        }
    }
}

/// What a power loss leaves of the pending changes of one file.
#[derive(Clone, Copy)]
enum Survival {
    Nothing,
    Everything,
    /// Any subset of whole writes.
    Writes,
    /// Any subset of the sectors of the writes.
    Sectors,
}

impl Survival {
    fn draw(random: &SeededRandom) -> Survival {
        match random.below(6) {
            0 => Survival::Nothing,
            1 => Survival::Everything,
            2 => Survival::Writes,
            _ => Survival::Sectors,
        }
    }

    fn keeps(self, random: &SeededRandom) -> bool {
        match self {
            Survival::Nothing => false,
            Survival::Everything => true,
            Survival::Writes | Survival::Sectors => random.below(2) == 0,
        }
    }

    /// The parts of a write that survive or not on their own.
    fn split(self, offset: u64, bytes: &[u8]) -> Vec<(u64, &[u8])> {
        if !matches!(self, Survival::Sectors) {
            return vec![(offset, bytes)];
        }
        let mut parts = Vec::new();
        let (mut start, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let to_boundary = usize::try_from(SECTOR_BYTES - start % SECTOR_BYTES).unwrap_or(rest.len());
            let (part, later) = rest.split_at(to_boundary.min(rest.len()));
            parts.push((start, part));
            start += part.len() as u64;
            rest = later;
        }
        parts
    }
}

/// What a disk writes wholly or not at all.
const SECTOR_BYTES: u64 = 512;

fn write_within(file: &dyn File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let room = file.len()?.saturating_sub(offset);
    let kept = usize::try_from(room).unwrap_or(bytes.len()).min(bytes.len());
    match bytes.get(..kept) {
        Some(kept) if !kept.is_empty() => file.write_at(offset, kept),
        _ => Ok(()),
    }
}

pub(super) fn copy_content(from: &dyn File, to: &dyn File) -> io::Result<()> {
    let mut content = vec![0; usize::try_from(from.len()?).unwrap_or(usize::MAX)];
    from.read_at(0, &mut content)?;
    to.write_at(0, &content)
}
