//! The kinds of files that a tree can be in, and whether a file is of its kind.

use super::sealed::header::{self, SECTOR_BYTES, Sector};
use super::sealed::{self, SealedFile};
use crate::files::File;
use crate::storage::counters::Counters;
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
    pub(super) fn for_redb(
        self,
        file: Arc<dyn File>,
        health: &Health,
        counters: &Arc<Counters>,
    ) -> io::Result<Arc<dyn File>> {
        Ok(match self {
            Kind::Sealed => {
                Arc::new(SealedFile::new(file, self.name(), health.clone(), Arc::clone(counters))?)
            }
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
        let there = usize::try_from(length).unwrap_or(SECTOR_BYTES).min(SECTOR_BYTES);
        file.read_at(0, sector.get_mut(..there).unwrap_or_default())?;
        if sector.starts_with(&REDB_MAGIC) {
            return Ok(self.of_redb(&sector, length));
        }
        if is_unfinished(file, length)? {
            return Ok(Found::Unfinished);
        }
        Ok(match self {
            Kind::Sealed if is_sound_but_for_its_magic(sector) || sector == [0; SECTOR_BYTES] => {
                Found::Damaged
            }
            Kind::Sealed | Kind::Plain => Found::Foreign("begins with other bytes than a redb file"),
        })
    }

    /// What a file is whose first bytes are redb's.
    fn of_redb(self, sector: &[u8; SECTOR_BYTES], length: u64) -> Found {
        match (self, header::look_at(sector)) {
            (Kind::Plain, Sector::Sound) => Found::Foreign("has checksums: its name is keywright.tree"),
            (Kind::Plain, Sector::Unsealed | Sector::Damaged) => Found::Itself,
            (Kind::Sealed, _) if length < sealed::LEAST_BYTES => Found::Damaged,
            (Kind::Sealed, Sector::Sound) => Found::Itself,
            (Kind::Sealed, Sector::Unsealed) => Found::Foreign("is a redb file, and no keywright wrote it"),
            (Kind::Sealed, Sector::Damaged) => Found::Damaged,
        }
    }
}

/// Whether only the first bytes of a sector are not what was written.
fn is_sound_but_for_its_magic(mut sector: [u8; SECTOR_BYTES]) -> bool {
    sector.iter_mut().zip(REDB_MAGIC).for_each(|(byte, magic)| *byte = magic);
    header::look_at(&sector) == Sector::Sound
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
