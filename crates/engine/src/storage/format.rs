//! The record that says which store this is and how to read it: key `format` of the space `Meta`.
//!
//! Value: format version (4 bytes, big-endian), store id (16 bytes). The rest of the layout is in
//! `docs/on-disk/README.md`. The version changes whenever an older build would misread what a newer one writes.

use crate::random::Random;
use std::fmt::{self, Debug, Display, Formatter};

/// The version that this build writes, and the latest that it reads.
pub(super) const FORMAT_VERSION: u32 = 1;

/// Where the record is, in the space `Meta`.
pub(super) const FORMAT_KEY: &[u8] = b"format";

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

/// Reads a record.
pub(super) fn decode(bytes: &[u8]) -> Result<StoreId, FormatRefusal> {
    let (version, rest) = bytes.split_first_chunk().ok_or(FormatRefusal::Damaged)?;
    match u32::from_be_bytes(*version) {
        FORMAT_VERSION => rest.try_into().map(StoreId).map_err(|_| FormatRefusal::Damaged),
        0 => Err(FormatRefusal::Damaged),
        later => Err(FormatRefusal::UnknownVersion(later)),
    }
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
        assert_eq!(decode(&encode(id)), Ok(id));
        assert_eq!(id.to_string().len(), 32);
    }

    #[test]
    fn a_record_of_version_1_keeps_its_bytes() {
        let bytes = [0, 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let id = decode(&bytes).unwrap();
        assert_eq!(id.to_string(), "000102030405060708090a0b0c0d0e0f");
        assert_eq!(encode(id), bytes);
    }

    #[test]
    fn other_records_are_refused() {
        assert_eq!(decode(&[]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0, 0, 0, 1]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0; 20]), Err(FormatRefusal::Damaged));
        assert_eq!(decode(&[0, 0, 0, 2, 99]), Err(FormatRefusal::UnknownVersion(2)));
    }
}
