//! A frame: the changes of one group, as they lie in a segment. The layout is `docs/on-disk/log.md`.
//!
//! Invariants: a frame begins at a sector and takes whole ones, so that writing it never touches a sector of another;
//! of bytes that are no frame, [`look`] tells those that a write which did not finish leaves from any others.

use super::sector::{self, CONTINUED, SECTOR_BYTES};
use crate::clock::Timestamp;
use crate::storage::{Author, Batch, Change, LoggedChange, Space, StoreId};
use twox_hash::XxHash3_64;

/// What stands before the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// One more than that of the frame before.
    pub(super) sequence: u64,
    pub(super) earlier: Earlier,
    pub(super) decided_at: Timestamp,
    /// How long the frame is.
    pub(super) sectors: u32,
    checksum: u64,
}

/// What was known of all earlier frames when a frame was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// They were synced.
    Durable,
    /// A power loss could still take some of them.
    Unsynced,
}

impl Head {
    /// The bytes of the whole frame.
    pub(super) fn frame_bytes(&self) -> usize {
        self.sectors as usize * SECTOR_BYTES
    }
}

/// Seeds the checksums of a store's log, so that no frame of another store is taken for one of this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seal(u64);

impl Seal {
    pub(super) fn of(id: StoreId) -> Seal {
        Seal(XxHash3_64::oneshot(id.bytes()))
    }

    pub(super) fn checksum(self, bytes: &[u8]) -> u64 {
        XxHash3_64::oneshot_with_seed(self.0, bytes)
    }
}

/// Writes the frame of a batch into `frame`, whose content is replaced.
pub(super) fn encode(seal: Seal, sequence: u64, earlier: Earlier, batch: &Batch, frame: &mut Vec<u8>) {
    frame.clear();
    frame.resize(HEAD_BYTES, 0);
    for change in batch.in_order() {
        write_change(frame, change);
    }
    sector::pad(frame);
    let Ok(sectors) = u32::try_from(frame.len() / SECTOR_BYTES) else {
        unreachable!("a group is cut long before two terabytes")
    };
    let mut head = [0; HEAD_BYTES];
    let (fields, check) = head.split_at_mut(CHECKED_BYTES);
    let flags = match earlier {
        Earlier::Durable => EARLIER_DURABLE,
        Earlier::Unsynced => 0,
    };
    let body = frame.get(HEAD_BYTES..).unwrap_or_default();
    let written = [
        &[BEGIN, flags, 0, 0],
        sectors.to_be_bytes().as_slice(),
        &sequence.to_be_bytes(),
        &batch.moment().milliseconds().to_be_bytes(),
        &seal.checksum(body).to_be_bytes(),
    ]
    .concat();
    fields.copy_from_slice(&written);
    check.copy_from_slice(&seal.checksum(&written).to_be_bytes());
    if let Some(place) = frame.get_mut(..HEAD_BYTES) {
        place.copy_from_slice(&head);
    }
}

/// What lies at a place where a frame can begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A whole frame.
    Frame(Head),
    /// A frame of which not every sector was written, and nothing else is wrong.
    Torn(Head),
    /// A sector of zeros: no frame, or one whose first sector was not written.
    Zeros,
    /// A frame whose head is whole, and says what this build does not know.
    Unknown,
    /// What no write leaves; says what is wrong.
    Damaged(&'static str),
}

/// Says what lies at the start of `bytes`, which reach to the end of the segment.
pub(super) fn look(seal: Seal, bytes: &[u8]) -> Found {
    let first = bytes.get(..SECTOR_BYTES).unwrap_or(bytes);
    if sector::is_zero(first) {
        return Found::Zeros;
    }
    let Some(head) = head_of(seal, first) else {
        return match is_whole_head(seal, first) {
            true => Found::Unknown,
            false => Found::Damaged("the bytes are not the head of a frame"),
        };
    };
    let Some(frame) = bytes.get(..head.frame_bytes()) else {
        return Found::Damaged("it ends within a frame");
    };
    if frame.get(HEAD_BYTES..).is_some_and(|body| seal.checksum(body) == head.checksum) {
        return Found::Frame(head);
    }
    let mut torn = false;
    for sector in frame.chunks(SECTOR_BYTES).skip(1) {
        match sector.first() {
            Some(&CONTINUED) => {}
            _ if sector::is_zero(sector) => torn = true,
            _ => return Found::Damaged("a sector within a frame begins with other bytes"),
        }
    }
    match torn {
        true => Found::Torn(head),
        false => Found::Damaged("the checksum of a frame does not match its bytes"),
    }
}

/// Whether a sector that is not zero can be what an unfinished write left: the first sector of a frame, or a later one.
pub(super) fn is_of_a_frame(seal: Seal, sector: &[u8]) -> bool {
    sector.first() == Some(&CONTINUED) || head_of(seal, sector).is_some()
}

/// Whether a sector begins with the head of a frame, be it one that this build cannot read.
pub(super) fn is_whole_head(seal: Seal, sector: &[u8]) -> bool {
    checked_fields(seal, sector).is_some_and(|fields| fields.first() == Some(&BEGIN))
}

/// The fields of a head whose check fits.
fn checked_fields(seal: Seal, sector: &[u8]) -> Option<&[u8]> {
    let (fields, behind) = sector.split_at_checked(CHECKED_BYTES)?;
    let check = u64::from_be_bytes(*behind.first_chunk()?);
    (seal.checksum(fields) == check).then_some(fields)
}

/// The head that a sector begins with.
pub(super) fn head_of(seal: Seal, sector: &[u8]) -> Option<Head> {
    let (kind, numbers) = checked_fields(seal, sector)?.split_first_chunk()?;
    let [BEGIN, flags @ (0 | EARLIER_DURABLE), 0, 0] = *kind else { return None };
    let (sectors, numbers) = numbers.split_first_chunk()?;
    let (numbers, []) = numbers.as_chunks() else { return None };
    let [sequence, decided_at, checksum] = *numbers else { return None };
    let head = Head {
        sequence: u64::from_be_bytes(sequence),
        earlier: if flags & EARLIER_DURABLE == 0 { Earlier::Unsynced } else { Earlier::Durable },
        decided_at: Timestamp::from_milliseconds(u64::from_be_bytes(decided_at)),
        sectors: u32::from_be_bytes(*sectors),
        checksum: u64::from_be_bytes(checksum),
    };
    (head.sectors > 0).then_some(head)
}

/// The changes of a whole frame. `frame` begins where it does.
pub(super) fn changes(head: &Head, frame: &[u8]) -> Result<Batch, UnknownContent> {
    let sectors = frame.get(..head.frame_bytes()).ok_or(UnknownContent)?;
    let content = sector::content(sectors, HEAD_BYTES);
    let mut rest = content.as_slice();
    let mut batch = Batch::decided_at(head.decided_at);
    while let Some((kind, behind)) = rest.split_first().filter(|(kind, _)| **kind != 0) {
        let (change, behind) = read_change(*kind, behind).ok_or(UnknownContent)?;
        batch.push(change);
        rest = behind;
    }
    Ok(batch)
}

/// A frame is whole, and holds what this build does not know.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnknownContent;

fn write_change(frame: &mut Vec<u8>, logged: &LoggedChange) {
    let LoggedChange { space, key, change, before, author } = logged;
    let mut kind = CHANGE | space_number(*space);
    if let Change::Put(_) = change {
        kind |= HAS_VALUE;
    }
    if before.is_some() {
        kind |= HAS_BEFORE;
    }
    if *author == Author::TimeToLive {
        kind |= BY_TIME_TO_LIVE;
    }
    sector::extend(frame, &[kind]);
    write_bytes(frame, key);
    if let Change::Put(value) = change {
        write_bytes(frame, value);
    }
    if let Some(before) = before {
        write_bytes(frame, before);
    }
}

fn read_change(kind: u8, bytes: &[u8]) -> Option<(LoggedChange, &[u8])> {
    if kind & CHANGE == 0 || kind & UNUSED != 0 {
        return None;
    }
    let space = *Space::ALL.get(usize::from(kind & SPACE))?;
    let (key, bytes) = read_bytes(bytes)?;
    let (change, bytes) = match kind & HAS_VALUE {
        0 => (Change::Delete, bytes),
        _ => {
            let (value, bytes) = read_bytes(bytes)?;
            (Change::Put(value.to_vec()), bytes)
        }
    };
    let (before, bytes) = match kind & HAS_BEFORE {
        0 => (None, bytes),
        _ => {
            let (before, bytes) = read_bytes(bytes)?;
            (Some(before.to_vec()), bytes)
        }
    };
    let author = if kind & BY_TIME_TO_LIVE == 0 { Author::Request } else { Author::TimeToLive };
    Some((LoggedChange { space, key: key.to_vec(), change, before, author }, bytes))
}

/// The number of a space in a change: its place in [`Space::ALL`].
fn space_number(space: Space) -> u8 {
    match space {
        Space::Items => 0,
        Space::Index => 1,
        Space::TimeToLive => 2,
        Space::Meta => 3,
    }
}

/// A length, seven bits a byte, lowest first, the high bit set on all but the last; then the bytes.
fn write_bytes(frame: &mut Vec<u8>, bytes: &[u8]) {
    let mut left = bytes.len();
    while left >= 0x80 {
        sector::extend(frame, &[(left & 0x7F) as u8 | 0x80]);
        left >>= 7;
    }
    sector::extend(frame, &[left as u8]);
    sector::extend(frame, bytes);
}

fn read_bytes(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut length = 0_u64;
    for (place, byte) in bytes.iter().enumerate().take(MOST_LENGTH_BYTES) {
        length |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return bytes.get(place + 1..)?.split_at_checked(usize::try_from(length).ok()?);
        }
    }
    None
}

/// Nine groups of seven bits: more than a memory holds.
const MOST_LENGTH_BYTES: usize = 9;

/// The head: 32 bytes, and their check.
const HEAD_BYTES: usize = 40;
const CHECKED_BYTES: usize = 32;

/// What a frame begins with.
const BEGIN: u8 = b'F';

/// A flag of the head.
const EARLIER_DURABLE: u8 = 1;

// The bits of what a change begins with. It is never zero, which ends the changes.
const CHANGE: u8 = 0x80;
const SPACE: u8 = 0x03;
const HAS_VALUE: u8 = 0x04;
const HAS_BEFORE: u8 = 0x08;
const BY_TIME_TO_LIVE: u8 = 0x10;
const UNUSED: u8 = 0x60;

#[cfg(test)]
mod tests;
