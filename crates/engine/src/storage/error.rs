//! Why a store does not open, and why an open one stops.

use crate::files::DirectoryError;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::sync::Arc;

/// Why a store could not be opened. Each text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Another process, or another handle in this one, has the directory.
    InUse {
        /// The directory.
        location: String,
    },
    /// The directory holds a `keywright.tree` or `keywright.redb` that keywright did not write.
    NotAStore {
        /// The directory.
        location: String,
        /// What was found instead.
        found: String,
    },
    /// The store was written by a later version.
    UnknownVersion {
        /// The directory.
        location: String,
        /// The format version of the store.
        found: u32,
        /// The latest format version that this build reads.
        known: u32,
    },
    /// What was written is whole, and holds what this build does not know: a later version wrote it.
    UnknownContent {
        /// The directory.
        location: String,
        /// What is not known, and where.
        place: String,
    },
    /// Bytes on disk are not those that were written.
    Damaged {
        /// The directory.
        location: String,
        /// What does not fit, and where, as far as is known.
        place: String,
    },
    /// The operating system denies access.
    PermissionDenied {
        /// The directory.
        location: String,
        /// The system's answer.
        cause: String,
    },
    /// There is no room for the store's first bytes.
    DiskFull {
        /// The directory.
        location: String,
        /// The system's answer: the disk is full, or a quota is used up.
        cause: String,
    },
    /// Another failure of the operating system.
    Io {
        /// The directory.
        location: String,
        /// The system's answer.
        cause: String,
    },
}

impl OpenError {
    /// The refusal that a failure of the system comes to.
    pub(super) fn of_system(location: &str, error: &io::Error) -> OpenError {
        OpenError::of_kind(location, Some(error.kind()), &error.to_string())
    }

    pub(super) fn of_kind(location: &str, kind: Option<io::ErrorKind>, cause: &str) -> OpenError {
        let (location, cause) = (location.to_owned(), cause.to_owned());
        match kind {
            Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
                OpenError::PermissionDenied { location, cause }
            }
            Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                OpenError::DiskFull { location, cause }
            }
            Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
                OpenError::Damaged { location, place: cause }
            }
            _ => OpenError::Io { location, cause },
        }
    }
}

impl From<DirectoryError> for OpenError {
    fn from(error: DirectoryError) -> OpenError {
        OpenError::of_system(&error.directory.display().to_string(), &error.cause)
    }
}

impl Display for OpenError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::InUse { location } => write!(
                formatter,
                "{location} is in use by another keywright process (or another engine in this one): stop that one, or use another directory"
            ),
            OpenError::NotAStore { location, found } => write!(
                formatter,
                "{location} is not a keywright store: {found}. Nothing was changed; use another directory, or move that file away"
            ),
            OpenError::UnknownVersion { location, found, known } => write!(
                formatter,
                "{location} has format version {found}, and this keywright reads up to version {known}: use a newer keywright"
            ),
            OpenError::UnknownContent { location, place } => write!(
                formatter,
                "{location} holds what this version does not know ({place}): use a newer keywright. No data was changed"
            ),
            OpenError::Damaged { location, place } => write!(
                formatter,
                "{location} is damaged: {place}. Restore the directory from a backup; keep a copy of the damaged one for analysis"
            ),
            OpenError::PermissionDenied { location, cause } => write!(
                formatter,
                "no permission to use {location}: {cause}. Give this user read and write access to the directory and its files"
            ),
            OpenError::DiskFull { location, cause } => {
                write!(formatter, "no space left for {location} ({cause}): free some and start again")
            }
            OpenError::Io { location, cause } => {
                write!(formatter, "cannot open the store in {location}: {cause}")
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// Why a call on an open store failed. Cheap to clone, since one failed commit answers many requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// A commit failed, or damage made one impossible: nothing works until the store is opened again. Or it was closed, and takes no
    /// commits.
    Stopped {
        /// The first failure.
        cause: Arc<str>,
    },
    /// The disk has no room: nothing was written, and reads go on. Writes are accepted again once there is room.
    DiskFull {
        /// The system's answer.
        cause: Arc<str>,
    },
    /// Reading met bytes that are not those that were written. Other keys may still be readable.
    Damaged {
        /// What does not fit.
        place: Arc<str>,
    },
}

impl StorageError {
    /// What a store answers that was closed.
    pub(super) fn closed() -> StorageError {
        StorageError::Stopped { cause: "it was closed".into() }
    }
}

impl Display for StorageError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::Stopped { cause } => write!(formatter, "the store has stopped: {cause}"),
            StorageError::DiskFull { cause } => write!(
                formatter,
                "the store is read-only because its disk is full, and nothing was written ({cause}): free some space and try again"
            ),
            StorageError::Damaged { place } => {
                write!(formatter, "the store is damaged: {place}; restore the data directory from a backup")
            }
        }
    }
}

impl std::error::Error for StorageError {}

#[cfg(test)]
mod tests {
    use super::*;
    use io::ErrorKind;

    #[test]
    fn every_kind_of_failure_comes_to_a_refusal_that_keeps_its_cause_and_says_what_to_do() {
        let (permission, full, damaged, other) = (
            "no permission to use data: why. Give this user read and write access to the directory and its files",
            "no space left for data (why): free some and start again",
            "data is damaged: why. Restore the directory from a backup; keep a copy of the damaged one for analysis",
            "cannot open the store in data: why",
        );
        for (kind, words) in [
            (Some(ErrorKind::PermissionDenied), permission),
            (Some(ErrorKind::ReadOnlyFilesystem), permission),
            (Some(ErrorKind::StorageFull), full),
            (Some(ErrorKind::QuotaExceeded), full),
            (Some(ErrorKind::UnexpectedEof), damaged),
            (Some(ErrorKind::InvalidData), damaged),
            (Some(ErrorKind::NotFound), other),
            (Some(ErrorKind::Other), other),
            (None, other),
        ] {
            assert_eq!(OpenError::of_kind("data", kind, "why").to_string(), words, "{kind:?}");
        }
    }
}
