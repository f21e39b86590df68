//! Sectors: what a disk writes wholly or not at all, and what frames are made of.
//!
//! Invariant: no sector of a frame is all zeros, so that on a segment of zeros a sector that was not written can be told
//! from one that was, and from one that was changed since.

/// The bytes of a sector.
pub(super) const SECTOR_BYTES: usize = 512;

/// What each sector of a frame but the first begins with.
pub(super) const CONTINUED: u8 = b'c';

/// Puts content behind what a buffer of whole frames holds, marking each sector that it begins.
pub(super) fn extend(sectors: &mut Vec<u8>, mut content: &[u8]) {
    while !content.is_empty() {
        let within = sectors.len() % SECTOR_BYTES;
        let within = if within == 0 {
            sectors.push(CONTINUED);
            1
        } else {
            within
        };
        let (now, later) = content.split_at(content.len().min(SECTOR_BYTES - within));
        sectors.extend_from_slice(now);
        content = later;
    }
}

/// Fills the last sector with zeros.
pub(super) fn pad(sectors: &mut Vec<u8>) {
    sectors.resize(sectors.len().next_multiple_of(SECTOR_BYTES), 0);
}

/// The content of the sectors of a frame behind its head, the last one's padding included.
pub(super) fn content(sectors: &[u8], head_bytes: usize) -> Vec<u8> {
    let mut content = Vec::with_capacity(sectors.len());
    for (place, sector) in sectors.chunks(SECTOR_BYTES).enumerate() {
        let skipped = if place == 0 { head_bytes } else { 1 };
        content.extend_from_slice(sector.get(skipped..).unwrap_or_default());
    }
    content
}

/// Whether all bytes are zero.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<16>();
    words.iter().all(|word| u128::from_ne_bytes(*word) == 0) && rest.iter().all(|byte| *byte == 0)
}
