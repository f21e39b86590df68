//! What of the pending changes of one file reaches the disk when nobody waits for it.

use crate::files::File;
use crate::random::SeededRandom;
use std::io;

/// A change that no sync has made durable yet.
#[derive(Debug)]
pub(super) enum Pending {
    Length(u64),
    Write { offset: u64, bytes: Vec<u8> },
}

impl Pending {
    pub(super) fn apply(&self, file: &dyn File) -> io::Result<()> {
        match self {
            Pending::Length(length) => file.set_len(*length),
            Pending::Write { offset, bytes } => file.write_at(*offset, bytes),
        }
    }
}

/// Applies to `file` what the seed lets survive of its pending changes. Bytes after the surviving length are lost.
pub(super) fn let_survive(pending: &[Pending], file: &dyn File, random: &SeededRandom) -> io::Result<()> {
    let survival = Survival::draw(random);
    let lengths = pending.iter().filter(|change| matches!(change, Pending::Length(_))).count() as u64;
    let mut lengths_left = match survival {
        Survival::Nothing => 0,
        Survival::Everything => lengths,
        Survival::Writes | Survival::Sectors => random.below(lengths + 1),
    };
    for change in pending {
        match change {
            Pending::Length(_) if lengths_left == 0 => {}
            Pending::Length(length) => {
                lengths_left -= 1;
                file.set_len(*length)?;
            }
            Pending::Write { offset, bytes } => {
                for (start, part) in survival.split(*offset, bytes) {
                    if survival.keeps(random) {
                        write_within(file, start, part)?;
                    }
                }
            }
        }
    }
    Ok(())
}

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
