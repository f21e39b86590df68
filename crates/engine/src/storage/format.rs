//! The record that says which store this is and how to read it: key `format` of the space `Meta`.
//!
//! Value: format version (4 bytes, big-endian), store id (16 bytes). Beside it, key `log`: the last frame that the tree has,
//! and the first segment that may hold a later one, and XXH3, 64 bits, seed 0, of both (8 bytes each). The rest of the layout is in
//! `docs/on-disk/README.md`. The version changes whenever an older build would misread what a newer one writes.

use super::log::Position;
use crate::random::Random;
use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};
use twox_hash::XxHash3_64;

/// The version that this build writes, and the latest that it reads.
pub(super) const FORMAT_VERSION: u32 = 3;

/// Where the record is, in the space `Meta`.
pub(super) const FORMAT_KEY: &[u8] = b"format";

/// Where the tree's position in the log is, in the space `Meta`.
pub(super) const LOG_KEY: &[u8] = b"log";

/// The identity of a store, drawn at its creation; copies of a directory share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StoreId([u8; 16]);

impl StoreId {
    pub(super) fn draw(random: &dyn Random) -> StoreId {
        let (high, low) = (random.next_u64(), random.next_u64());
        StoreId((u128::from(high) << 64 | u128::from(low)).to_be_bytes())
    }

    /// The id's bytes.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl Display for StoreId {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl Debug for StoreId {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "StoreId({self})")
    }
}

/// The record's bytes for a new store.
pub(super) fn encode(id: StoreId) -> Vec<u8> {
    [&FORMAT_VERSION.to_be_bytes(), id.bytes().as_slice()].concat()
}

/// Which format a store has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Version 1: a tree without a log, in a file without checksums.
    WithoutLog(StoreId),
    /// Version 2: a tree with a log in front of it, in a file without checksums.
    WithoutChecksums(StoreId),
    /// This version: a tree with a log in front of it, in a file with a checksum for each block.
    Present(StoreId),
}

/// Reads a record.
pub(super) fn decode(bytes: &[u8]) -> Result<Format, FormatRefusal> {
    let (version, rest) = bytes.split_first_chunk().ok_or(FormatRefusal::Damaged)?;
    let id = rest.try_into().map(StoreId).map_err(|_| FormatRefusal::Damaged);
    match u32::from_be_bytes(*version) {
        1 => id.map(Format::WithoutLog),
        2 => id.map(Format::WithoutChecksums),
        FORMAT_VERSION => id.map(Format::Present),
        0 => Err(FormatRefusal::Damaged),
        later => Err(FormatRefusal::UnknownVersion(later)),
    }
}

/// The record of a tree that is copied into a file with checksums. One without a log stays so, until there is a log.
pub(super) fn of_copy(record: &[u8]) -> Cow<'_, [u8]> {
    match decode(record) {
        Ok(Format::WithoutChecksums(id)) => Cow::Owned(encode(id)),
        _ => Cow::Borrowed(record),
    }
}

/// The bytes of a position. They have a checksum, since a position too far on would pass over acknowledged frames.
pub(super) fn encode_position(position: Position) -> [u8; 24] {
    let fields = [position.applied, position.first_segment, checksum(position)];
    let mut bytes = [0; 24];
    for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
        place.copy_from_slice(&field.to_be_bytes());
    }
    bytes
}

/// Reads a position; `None` for other bytes.
pub(super) fn decode_position(bytes: &[u8]) -> Option<Position> {
    let ([applied, first_segment, check], []) = bytes.as_chunks() else { return None };
    let (applied, first_segment) = (u64::from_be_bytes(*applied), u64::from_be_bytes(*first_segment));
    let position = Position { applied, first_segment };
    (checksum(position) == u64::from_be_bytes(*check)).then_some(position)
}

fn checksum(position: Position) -> u64 {
    let fields = u128::from(position.applied) << 64 | u128::from(position.first_segment);
    XxHash3_64::oneshot(&fields.to_be_bytes())
}

/// Why a record is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FormatRefusal {
    /// No build wrote such a record.
    Damaged,
    /// A later build wrote it.
    UnknownVersion(u32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRandom;

    #[test]
    fn a_record_is_read_back() {
        let id = StoreId::draw(&SeededRandom::new(1));
        assert_eq!(decode(&encode(id)), Ok(Format::Present(id)));
        assert_eq!(id.to_string().len(), 32);
    }

    #[test]
    fn records_keep_their_bytes() {
        let id = "000102030405060708090a0b0c0d0e0f";
        let of_version =
            |version: u8| [&[0, 0, 0, version], (0..16).collect::<Vec<u8>>().as_slice()].concat();
        assert!(matches!(decode(&of_version(1)), Ok(Format::WithoutLog(found)) if found.to_string() == id));
        assert!(
            matches!(decode(&of_version(2)), Ok(Format::WithoutChecksums(found)) if found.to_string() == id)
        );
        let Ok(Format::Present(found)) = decode(&of_version(3)) else { panic!("not read") };
        assert_eq!(found.to_string(), id);
        assert_eq!(encode(found), of_version(3));
    }

    #[test]
    fn other_records_are_refused() {
        assert_eq!(decode(&[]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0, 0, 0, 1]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0, 0, 0, 2, 9]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0; 20]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0, 0, 0, 4, 99]), Err(FormatRefusal::UnknownVersion(4)));
    }

    #[test]
    fn a_position_is_read_back_and_keeps_its_bytes() {
        let position = Position { applied: 258, first_segment: 3 };
        let bytes = encode_position(position);
        assert_eq!(bytes[..16], [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3]);
        assert_eq!(decode_position(&bytes), Some(position));
        assert_eq!(decode_position(&bytes[..23]), None);
        assert_eq!(decode_position(&[0; 24]), None);
    }

    #[test]
    fn every_flipped_bit_of_a_position_is_noticed() {
        // A position that was too far on by one bit passed over frames of the log, whose writes had been acknowledged.
        let bytes = encode_position(Position { applied: 258, first_segment: 3 });
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode_position(&flipped), None, "bit {bit}");
        }
    }
}
