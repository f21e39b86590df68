//! The tree's file with a checksum for each block, so that a page that changed on the disk is never read as if it had not.
//!
//! redb keeps checksums of its pages and verifies them only when it repairs. Here every block that is read from the disk is verified.
//! Invariants: a block's checksum is on the disk when a commit that refers to the block is, since [`File::sync_data`] writes
//! the checksums first; a block that is not what was written reaches redb only as bytes that are no page of any kind, which it
//! refuses, so that the calls that need the page fail and no others.

mod checksums;
pub(super) mod header;
mod layout;

use self::checksums::Checksums;
use self::layout::{BLOCK_BYTES, Blocks};
use crate::files::{File, LockError};
use crate::storage::counters::Counters;
use crate::storage::health::Health;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// A file that redb sees without the checksums. Its syncs and its length are counted. It is read and written in whole blocks, but for the header in its first one.
#[derive(Debug)]
pub(super) struct SealedFile {
    file: Arc<dyn File>,
    name: &'static str,
    health: Health,
    counters: Arc<Counters>,
    checksums: Checksums,
}

impl SealedFile {
    /// # Errors
    /// When the system does not say how long the file is.
    pub(super) fn new(
        file: Arc<dyn File>,
        name: &'static str,
        health: Health,
        counters: Arc<Counters>,
    ) -> io::Result<SealedFile> {
        let length = file.len()?;
        counters.set_tree_bytes(length);
        let blocks = layout::length_without_checksums(length) / BLOCK_BYTES as u64;
        let checksums = Checksums::of(Arc::clone(&file), blocks);
        Ok(SealedFile { file, name, health, counters, checksums })
    }

    /// Whether the blocks, whose bytes are these, are what was written.
    fn are_sound(&self, blocks: Range<u64>, bytes: &[u8]) -> io::Result<bool> {
        let mut are_sound = true;
        for (block, content) in blocks.zip(bytes.chunks(BLOCK_BYTES)) {
            if !self.checksums.fits(block, content)? {
                self.health.note_damage(self.name, layout::offset_of(block));
                are_sound = false;
            }
        }
        Ok(are_sound)
    }
}

impl File for SealedFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if offset < BLOCK_BYTES as u64 {
            return header::read(self.file.as_ref(), self.name, offset, buffer);
        }
        let mut are_sound = true;
        for run in Blocks::of(offset, buffer.len())?.runs() {
            let Some(bytes) = buffer.get_mut(run.bytes) else { return Err(layout::unaligned()) };
            self.file.read_at(layout::offset_of(run.blocks.start), bytes)?;
            are_sound &= self.are_sound(run.blocks, bytes)?;
        }
        if !are_sound {
            buffer.fill(NO_PAGE);
        }
        Ok(())
    }

    /// Takes the room of the checksums as well: where their blocks can be overwritten in place, a sync never meets a full disk.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if offset < BLOCK_BYTES as u64 {
            return header::write(self.file.as_ref(), offset, bytes);
        }
        for run in Blocks::of(offset, bytes.len())?.runs() {
            let Some(bytes) = bytes.get(run.bytes) else { return Err(layout::unaligned()) };
            self.file.write_at(layout::offset_of(run.blocks.start), bytes)?;
            for (block, content) in run.blocks.zip(bytes.chunks(BLOCK_BYTES)) {
                self.checksums.set(block, content)?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<(), LockError> {
        self.file.lock()
    }

    fn len(&self) -> io::Result<u64> {
        Ok(layout::length_without_checksums(self.file.len()?))
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        if !length.is_multiple_of(BLOCK_BYTES as u64) {
            return Err(layout::unaligned());
        }
        let blocks = length / BLOCK_BYTES as u64;
        let length = layout::length_with_checksums(blocks);
        self.file.set_len(length)?;
        self.counters.set_tree_bytes(length);
        self.checksums.resize(blocks)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.checksums.write()?;
        self.counters.tree_syncs.time(|| self.file.sync_data())
    }
}

/// No file of ours is shorter, but for one that is empty.
pub(super) const LEAST_BYTES: u64 = BLOCK_BYTES as u64;

/// What redb's pages never begin with: theirs begin with the kind of the page.
const NO_PAGE: u8 = 0xFF;

#[cfg(test)]
mod tests;
