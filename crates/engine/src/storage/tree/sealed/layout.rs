//! Where the blocks are: the header, then groups of a block of checksums and the blocks that they are of.

use std::io;
use std::ops::Range;

/// The bytes of a block, which is the smallest page that redb has.
pub(super) const BLOCK_BYTES: usize = 4096;

/// How many blocks a block of checksums is for.
pub(super) const GROUP_BLOCKS: u64 = BLOCK_BYTES as u64 / 8;

/// Blocks as redb numbers them, the header being the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blocks(Range<u64>);

/// Blocks that lie side by side in the file, and which bytes they are of all that is read or written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) blocks: Range<u64>,
    pub(super) bytes: Range<usize>,
}

impl Blocks {
    /// The blocks of a range of bytes.
    ///
    /// # Errors
    /// When it does not begin and end between blocks.
    pub(super) fn of(offset: u64, length: usize) -> io::Result<Blocks> {
        let block = BLOCK_BYTES as u64;
        if !offset.is_multiple_of(block) || !length.is_multiple_of(BLOCK_BYTES) {
            return Err(unaligned());
        }
        let first = offset / block;
        Ok(Blocks(first..first + length as u64 / block))
    }

    /// Parts without a block of checksums between.
    pub(super) fn runs(self) -> impl Iterator<Item = Run> {
        let first = self.0.start;
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let start = rest.start;
            let (group, _) = place_of(start);
            let end = rest.end.min(1 + (group + 1) * GROUP_BLOCKS);
            rest.start = end;
            let bytes = bytes_of(start - first)..bytes_of(end - first);
            (start < end).then_some(Run { blocks: start..end, bytes })
        })
    }
}

/// The group of a block that is not the header, and which of the group it is.
pub(super) fn place_of(block: u64) -> (u64, usize) {
    let number = block.saturating_sub(1);
    (number / GROUP_BLOCKS, (number % GROUP_BLOCKS) as usize)
}

/// Where a block that is not the header is in the file.
pub(super) fn offset_of(block: u64) -> u64 {
    let (group, within) = place_of(block);
    (2 + group * (GROUP_BLOCKS + 1) + within as u64) * BLOCK_BYTES as u64
}

/// Where the checksums of a group are in the file.
pub(super) fn offset_of_checksums(group: u64) -> u64 {
    (1 + group * (GROUP_BLOCKS + 1)) * BLOCK_BYTES as u64
}

/// How many groups so many blocks have, the header included.
pub(super) fn groups(blocks: u64) -> u64 {
    blocks.saturating_sub(1).div_ceil(GROUP_BLOCKS)
}

/// How long a file of so many blocks is.
pub(super) fn length_with_checksums(blocks: u64) -> u64 {
    (blocks + groups(blocks)) * BLOCK_BYTES as u64
}

/// How long redb sees a file.
pub(super) fn length_without_checksums(length: u64) -> u64 {
    let blocks = length / BLOCK_BYTES as u64;
    let groups = blocks.saturating_sub(1).div_ceil(GROUP_BLOCKS + 1);
    (blocks - groups) * BLOCK_BYTES as u64
}

/// What redb never does: it reads and writes whole pages.
pub(super) fn unaligned() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "the tree's file is read and written in blocks of 4,096 bytes",
    )
}

fn bytes_of(blocks: u64) -> usize {
    // No more than the length of a slice in memory.
    blocks as usize * BLOCK_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_checksums_fill_the_file_without_a_gap() {
        let count = 3 * GROUP_BLOCKS + 7;
        let mut taken = vec![false; (length_with_checksums(count) / BLOCK_BYTES as u64) as usize];
        let offsets = (1..count).map(offset_of).chain((0..groups(count)).map(offset_of_checksums));
        for offset in offsets.chain([0]) {
            let place = &mut taken[(offset / BLOCK_BYTES as u64) as usize];
            assert!(!*place, "offset {offset} is used twice");
            *place = true;
        }
        assert!(taken.iter().all(|taken| *taken));
    }

    #[test]
    fn redb_sees_the_length_that_it_set() {
        for blocks in 0..4 * GROUP_BLOCKS {
            let length = length_with_checksums(blocks);
            assert_eq!(length_without_checksums(length), blocks * BLOCK_BYTES as u64, "{blocks}");
        }
    }

    #[test]
    fn a_run_ends_where_a_group_does() {
        let of = |first: u64, count: u64| {
            let blocks = Blocks::of(first * BLOCK_BYTES as u64, bytes_of(count)).unwrap();
            blocks.runs().collect::<Vec<_>>()
        };
        assert_eq!(of(512, 1), [Run { blocks: 512..513, bytes: 0..4096 }]);
        let split = [Run { blocks: 512..513, bytes: 0..4096 }, Run { blocks: 513..514, bytes: 4096..8192 }];
        assert_eq!(of(512, 2), split);
        assert_eq!(of(7, 0), []);
        assert_eq!(of(1, 2 * GROUP_BLOCKS).len(), 2);
    }

    #[test]
    fn parts_of_blocks_are_refused() {
        assert!(Blocks::of(4096, 4096).is_ok());
        assert!(Blocks::of(4095, 4096).is_err());
        assert!(Blocks::of(4096, 4095).is_err());
    }
}
