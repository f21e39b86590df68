//! The kinds of files that a tree can be in, and whether a file is of its kind.

use super::sealed::SealedFile;
use super::sealed::header::{self, SECTOR_BYTES, Sector};
use crate::files::File;
use crate::storage::health::Health;
use std::io;
use std::sync::Arc;

/// A file that a tree can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One with a checksum for each block.
    Sealed,
    /// redb's own, which stores had up to format version 2.
    Plain,
}

/// What a file turns out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A file of the kind, or an empty one.
    Itself,
    /// Its creation was cut off: it never held anything.
    Unfinished,
    /// Another program's, in words.
    Foreign(&'static str),
    /// Its first sector is not what was written.
    Damaged,
}

impl Kind {
    /// The name of the file. Part of the format.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Sealed => "keywright.tree",
            Kind::Plain => "keywright.redb",
        }
    }

    /// The file as redb sees it.
    pub(super) fn for_redb(self, file: Arc<dyn File>, health: &Health) -> io::Result<Arc<dyn File>> {
        Ok(match self {
            Kind::Sealed => Arc::new(SealedFile::new(file, self.name(), health.clone())?),
            Kind::Plain => file,
        })
    }

    /// Looks at the start of a file.
    pub(super) fn look_at(self, file: &dyn File) -> io::Result<Found> {
        let length = file.len()?;
        if length == 0 {
            return Ok(Found::Itself);
        }
        let mut sector = [0; SECTOR_BYTES];
        if length >= SECTOR_BYTES as u64 {
            file.read_at(0, &mut sector)?;
        }
        if sector.starts_with(&REDB_MAGIC) {
            return Ok(match (self, header::look_at(&sector)) {
                (Kind::Plain, _) | (Kind::Sealed, Sector::Sound) => Found::Itself,
                (Kind::Sealed, Sector::Unsealed) => {
                    Found::Foreign("is a redb file, and no keywright wrote it")
                }
                (Kind::Sealed, Sector::Damaged) => Found::Damaged,
            });
        }
        Ok(if is_unfinished(file, length)? {
            Found::Unfinished
        } else {
            Found::Foreign("begins with other bytes than a redb file")
        })
    }
}

/// redb writes a new file's header without its magic, syncs, and then writes the magic: a file that lost power between is all zeros
/// but for its first sector. It never held anything.
fn is_unfinished(file: &dyn File, length: u64) -> io::Result<bool> {
    if length > LARGEST_UNFINISHED_BYTES {
        return Ok(false);
    }
    let mut content = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_at(0, &mut content)?;
    let starts_with_zeros = content.iter().take(REDB_MAGIC.len()).all(|byte| *byte == 0);
    Ok(starts_with_zeros && content.iter().skip(SECTOR_BYTES).all(|byte| *byte == 0))
}

/// What redb's files begin with.
const REDB_MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";

/// redb creates files well below this; one cut off in its creation is no longer.
const LARGEST_UNFINISHED_BYTES: u64 = 1 << 20;
