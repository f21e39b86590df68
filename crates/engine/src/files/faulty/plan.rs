//! Which fault strikes, and when.

use std::io;

/// Which fault strikes, when, and the seed that decides the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    /// Decides what survives.
    pub seed: u64,
    /// What happens.
    pub fault: Fault,
    /// The first operation (a write, a change of length, a removal or a sync; 1 is the first) at which it may happen. What is not
    /// counted (reading, creating, listing) may fail from the operation before it on.
    pub at_operation: u64,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The machine loses power in the operation, whichever it is; it may be done, in part or not at all.
    PowerLoss,
    /// The same, in the first operation of this kind from then on.
    PowerLossIn(Operation),
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
    /// The first write from then on fails, though there is room; a part of it may be done. Everything else works, the
    /// next write too.
    WriteFails,
    /// The first change of a length from then on fails, and the length stays.
    ResizeFails,
    /// The first file to be created from then on is not.
    CreateFails,
    /// The first file to be removed from then on is not.
    RemoveFails,
    /// The first listing of the directory from then on fails.
    ListFails,
    /// The first sync of the directory from then on fails, as with [`Fault::SyncFails`]; those of files work.
    DirectorySyncFails,
}

impl Fault {
    /// Whether the fault can strike in an operation of this kind.
    pub(super) fn strikes(self, operation: Operation) -> bool {
        match self {
            Fault::PowerLoss => operation.is_counted(),
            Fault::PowerLossIn(kind) => operation == kind,
            Fault::SyncFails => matches!(operation, Operation::Sync | Operation::SyncDirectory),
            Fault::DiskFull | Fault::DiskFullFor { .. } => operation == Operation::WriteThatNeedsRoom,
            Fault::ReadFails => operation == Operation::Read,
            Fault::WriteFails => matches!(operation, Operation::WriteThatNeedsRoom | Operation::Overwrite),
            Fault::ResizeFails => operation == Operation::SetLength,
            Fault::CreateFails => operation == Operation::Create,
            Fault::RemoveFails => operation == Operation::Remove,
            Fault::ListFails => operation == Operation::List,
            Fault::DirectorySyncFails => operation == Operation::SyncDirectory,
        }
    }
}

/// What a process does to the disk, as far as faults tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A write into blocks that the file does not have yet.
    WriteThatNeedsRoom,
    /// A write over what is there.
    Overwrite,
    /// A change of a file's length.
    SetLength,
    /// The removal of a file.
    Remove,
    /// The sync of a file.
    Sync,
    /// The sync of the directory.
    SyncDirectory,
    /// Reading a file.
    Read,
    /// Opening a file that is not there.
    Create,
    /// Listing the files.
    List,
}

/// Where a fault happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struck {
    /// What happened.
    pub fault: Fault,
    /// In which operation.
    pub operation: Operation,
    /// With which file; `None` of the directory, and of a file without a name.
    pub file: Option<String>,
}

impl Operation {
    /// Whether it has a number. What changes nothing that is on the disk has none.
    pub(super) fn is_counted(self) -> bool {
        !matches!(self, Operation::Read | Operation::Create | Operation::List)
    }
}

pub(super) fn power_is_lost() -> io::Error {
    io::Error::other("injected: the power is lost")
}

pub(super) fn disk_is_full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "injected: no space left on the disk")
}

pub(super) fn failed(operation: Operation) -> io::Error {
    io::Error::other(match operation {
        Operation::WriteThatNeedsRoom | Operation::Overwrite => "injected: the write failed",
        Operation::SetLength => "injected: the length could not be changed",
        Operation::Remove => "injected: the file could not be removed",
        Operation::Sync | Operation::SyncDirectory => "injected: the sync failed",
        Operation::Read => "injected: the disk cannot read this place",
        Operation::Create => "injected: the file could not be created",
        Operation::List => "injected: the directory could not be read",
    })
}
