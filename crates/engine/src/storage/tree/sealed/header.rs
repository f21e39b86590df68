//! redb's header, which it overwrites in place, in one sector with its checksum: a disk writes a sector wholly or not at all.

use super::layout;
use crate::files::File;
use std::io;
use twox_hash::XxHash3_64;

/// The sector of the header: what redb writes, zeros, and the checksum of both.
pub(in crate::storage::tree) const SECTOR_BYTES: usize = 512;

const CHECKSUM_BYTES: usize = 8;

/// What of a header's sector is known without redb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage::tree) enum Sector {
    /// As it was written, or never written.
    Sound,
    /// It has no checksum.
    Unsealed,
    /// Something else than what was written.
    Damaged,
}

/// Looks at the sector at the start of a file.
pub(in crate::storage::tree) fn look_at(sector: &[u8; SECTOR_BYTES]) -> Sector {
    let Some((content, checksum)) = sector.split_last_chunk::<CHECKSUM_BYTES>() else {
        return Sector::Damaged;
    };
    match u64::from_be_bytes(*checksum) {
        0 if content.iter().all(|byte| *byte == 0) => Sector::Sound,
        0 => Sector::Unsealed,
        checksum if checksum == XxHash3_64::oneshot(content) => Sector::Sound,
        _ => Sector::Damaged,
    }
}

/// # Errors
/// [`io::ErrorKind::InvalidData`] when it is not what was written.
pub(super) fn read(file: &dyn File, name: &str, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let mut sector = [0; SECTOR_BYTES];
    file.read_at(0, &mut sector)?;
    if look_at(&sector) != Sector::Sound {
        let words = format!("the checksum of its header does not fit ({name} at offset 0)");
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    let start = usize::try_from(offset).map_err(|_| layout::unaligned())?;
    let content = sector.get(start..start + buffer.len()).ok_or_else(layout::unaligned)?;
    buffer.copy_from_slice(content);
    Ok(())
}

pub(super) fn write(file: &dyn File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let mut sector = [0; SECTOR_BYTES];
    let Some((content, checksum)) = sector.split_last_chunk_mut::<CHECKSUM_BYTES>() else {
        return Err(layout::unaligned());
    };
    let place = content.get_mut(..bytes.len()).filter(|_| offset == 0).ok_or_else(layout::unaligned)?;
    place.copy_from_slice(bytes);
    *checksum = XxHash3_64::oneshot(content).to_be_bytes();
    file.write_at(0, &sector)
}
