//! From the file that stores had up to format version 2, redb's own, to the one with a checksum for each block.
//!
//! All of the tree is copied in one commit, and then the old file is removed. Until then the old file is what counts: a copy that was cut
//! off is made again.

use super::kind::Kind;
use super::opening::{Content, Opening};
use super::{begin_write, table_of};
use crate::files::Persistence;
use crate::storage::format::{self, FORMAT_KEY};
use crate::storage::{OpenError, Space};
use redb::{Database, ReadableDatabase as _};
use std::cmp::Ordering;
use std::io;

impl Opening<'_> {
    /// Copies the tree of an older format, where there is one.
    pub(super) fn migrate(&self, cache_size_bytes: usize) -> Result<(), OpenError> {
        if !self.exists(Kind::Plain)? {
            return Ok(());
        }
        // Both files are open at once.
        let cache_size_bytes = cache_size_bytes / 2;
        let (old, content) = self.open(Kind::Plain, cache_size_bytes)?;
        if content != Content::Nothing && !self.has_copy_of(content, cache_size_bytes)? {
            tracing::info!(
                target: "keywright::storage",
                "the store has an older format: its tree is copied into a file with checksums"
            );
            let (new, _) = self.open(Kind::Sealed, cache_size_bytes)?;
            copy(&old, &new, self.files.persistence())
                .map_err(|error| self.redb_refusal(Kind::Sealed, error))?;
        }
        drop(old);
        self.remove_old().map_err(|error| self.system_refusal(&error))
    }

    /// Whether the whole tree was copied before, and nothing was written to either file since. A copy that was cut off, or that is older than
    /// the file that it is of, is removed.
    fn has_copy_of(&self, old: Content, cache_size_bytes: usize) -> Result<bool, OpenError> {
        if !self.exists(Kind::Sealed)? {
            return Ok(false);
        }
        let (_, new) = self.open(Kind::Sealed, cache_size_bytes)?;
        let refused =
            |words: &str| Err(self.foreign(Kind::Plain, &format!("{words} {}", Kind::Sealed.name())));
        match (old, new) {
            (Content::Store(old_id, old), Content::Store(id, new)) if old_id == id => {
                match (new.applied, new.first_segment).cmp(&(old.applied, old.first_segment)) {
                    Ordering::Less => {}
                    Ordering::Equal => return Ok(true),
                    Ordering::Greater => return refused("is an older state of its"),
                }
            }
            (Content::WithoutLog(old), Content::Store(id, _)) if old == id => {
                return refused("is an older state of its");
            }
            // The copy has no log: nothing was written to it, whatever was to the file that it is of.
            (Content::WithoutLog(old) | Content::Store(old, _), Content::WithoutLog(id)) if old == id => {}
            (_, Content::Nothing) => {}
            _ => return refused("is of another store than its"),
        }
        let removed = self.files.remove(Kind::Sealed.name());
        removed.map(|()| false).map_err(|error| self.system_refusal(&error))
    }

    fn remove_old(&self) -> io::Result<()> {
        // The new file's name is durable before the old one's is gone.
        self.files.sync_directory()?;
        self.files.remove(Kind::Plain.name())?;
        self.files.sync_directory()
    }
}

fn copy(old: &Database, new: &Database, persistence: Persistence) -> Result<(), redb::Error> {
    let from = old.begin_read()?;
    let to = begin_write(new, persistence)?;
    for space in Space::ALL {
        let mut table = to.open_table(table_of(space))?;
        for entry in from.open_table(table_of(space))?.range::<&[u8]>(..)? {
            let (key, value) = entry?;
            if space == Space::Meta && key.value() == FORMAT_KEY {
                table.insert(key.value(), format::of_copy(value.value()).as_ref())?;
            } else {
                table.insert(key.value(), value.value())?;
            }
        }
    }
    to.commit()?;
    Ok(())
}
