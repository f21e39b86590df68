//! Which fault strikes, and when.

use std::io;

/// Which fault strikes, when, and the seed that decides the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    /// Decides what survives.
    pub seed: u64,
    /// What happens.
    pub fault: Fault,
    /// The first operation (a write, a change of length, a removal or a sync; 1 is the first) at which it may happen.
    pub at_operation: u64,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The machine loses power in the operation, whichever it is; it may be done, in part or not at all.
    PowerLoss,
    /// The first sync from then on fails; each of its writes, or its names, may have reached the disk or not, and those
    /// that did not never will. Everything else works, the next sync too.
    SyncFails,
    /// From the first write that needs room on, the disk has none, until
    /// [`limit_bytes`](super::FaultyFiles::limit_bytes) says otherwise; a part of that write may be done. Reads, writes
    /// over what is there, removals and syncs work.
    DiskFull,
    /// The same, but there is room again once so many writes have been refused.
    DiskFullFor {
        /// How many writes are refused.
        refusals: u64,
    },
    /// The first read from then on fails, and so does every later one that touches the same bytes.
    ReadFails,
}

impl Fault {
    /// Whether the fault can strike in an operation of this kind.
    pub(super) fn strikes(self, operation: Operation) -> bool {
        match self {
            Fault::PowerLoss => operation != Operation::Read,
            Fault::SyncFails => operation == Operation::Sync,
            Fault::DiskFull | Fault::DiskFullFor { .. } => operation == Operation::WriteThatNeedsRoom,
            Fault::ReadFails => operation == Operation::Read,
        }
    }
}

/// What a process does to the disk, as far as faults tell it apart. All but reads are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Into blocks that the file does not have yet.
    WriteThatNeedsRoom,
    Overwrite,
    SetLength,
    Remove,
    Sync,
    Read,
}

pub(super) fn power_is_lost() -> io::Error {
    io::Error::other("injected: the power is lost")
}

pub(super) fn sync_failed() -> io::Error {
    io::Error::other("injected: the sync failed")
}

pub(super) fn disk_is_full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "injected: no space left on the disk")
}

pub(super) fn read_failed() -> io::Error {
    io::Error::other("injected: the disk cannot read this place")
}
