//! Segments: the files of the log, written with zeros and synced before their first frame comes.
//!
//! Invariants: a segment's name, length and zeros are durable before anything else is written to it, so a frame in it
//! needs one sync and no room; its ordinal is one more than that of the segment before, whatever becomes of its frames.

use super::Position;
use super::sector::{self, SECTOR_BYTES};
use crate::files::{File, Files};
use crate::storage::StoreId;
use crate::storage::tree::is_full;
use std::io;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// Where the first frame of a segment begins.
pub(super) const FRAMES_BEGIN: u64 = SECTOR_BYTES as u64;

/// An open segment.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) ordinal: u64,
    pub(super) file: Arc<dyn File>,
    /// Up to here it is prepared.
    pub(super) length: u64,
}

impl Segment {
    /// Creates a segment, or begins anew one that was never used, and makes it durable.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] where there is one that has frames or is of another store, which stays as it is; whatever the
    /// system answers, with the file's name. On a full disk what was written is given back.
    pub(super) fn create(files: &dyn Files, id: StoreId, ordinal: u64, length: u64) -> io::Result<Segment> {
        let mut segment = Segment::open(files, ordinal)?;
        let name = segment.name();
        let written = segment.clear(id).and_then(|()| segment.write_anew(id, length));
        if let Err(error) = written {
            if is_full(&error) {
                files.remove(&name).map_err(|error| during(&error, "removing", &name))?;
            }
            return Err(error);
        }
        files.sync_directory().map_err(|error| during(&error, "syncing the directory for", &name))?;
        Ok(segment)
    }

    /// Opens a segment that is there.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name.
    pub(super) fn open(files: &dyn Files, ordinal: u64) -> io::Result<Segment> {
        let name = name(ordinal);
        let file = files.open_or_create(&name).map_err(|error| during(&error, "opening", &name))?;
        let length = file.len().map_err(|error| during(&error, "measuring", &name))?;
        Ok(Segment { ordinal, file, length })
    }

    /// Prepares it for longer frames.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name. On a full disk its length stays.
    pub(super) fn extend(&mut self, length: u64) -> io::Result<()> {
        let before = self.length;
        let extended = self.zero(before, length).and_then(|()| self.sync());
        match extended {
            Ok(()) => self.length = length,
            Err(error) if is_full(&error) => {
                self.file.set_len(before).map_err(|error| during(&error, "shortening", &self.name()))?;
                return Err(error);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// All of its bytes.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.length).unwrap_or(usize::MAX)];
        self.file.read_at(0, &mut bytes).map_err(|error| during(&error, "reading", &self.name()))?;
        Ok(bytes)
    }

    /// Writes zeros from one offset to another.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name.
    pub(super) fn zero(&self, from: u64, to: u64) -> io::Result<()> {
        let zeros = vec![0; usize::try_from(to.saturating_sub(from).min(STEP_BYTES)).unwrap_or(0)];
        let mut at = from;
        while at < to {
            let step = zeros.get(..usize::try_from(to - at).unwrap_or(usize::MAX)).unwrap_or(&zeros);
            self.file.write_at(at, step).map_err(|error| during(&error, "preparing", &self.name()))?;
            at += step.len() as u64;
        }
        Ok(())
    }

    /// Writes what is there once more, and makes it durable. After a sync that failed a system may take bytes for written
    /// that are on no disk, and another sync alone changes nothing about that.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name.
    pub(super) fn write_again(&self, from: u64, to: u64) -> io::Result<()> {
        let mut bytes = vec![0; usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX)];
        self.file.read_at(from, &mut bytes).map_err(|error| during(&error, "reading", &self.name()))?;
        self.file.write_at(from, &bytes).map_err(|error| during(&error, "writing again", &self.name()))?;
        self.sync()
    }

    /// Makes it durable.
    ///
    /// # Errors
    /// Whatever the system answers, with the file's name.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| during(&error, "syncing", &self.name()))
    }

    /// The name of its file.
    pub(super) fn name(&self) -> String {
        name(self.ordinal)
    }

    /// Empties what was found in its place, unless that may be needed.
    fn clear(&mut self, id: StoreId) -> io::Result<()> {
        if self.length == 0 {
            return Ok(());
        }
        let bytes = self.read()?;
        if let Some(words) = use_of(&bytes, id, self.ordinal) {
            let words = format!("{} is there already: {words}", self.name());
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        self.file.set_len(0).map_err(|error| during(&error, "shortening", &self.name()))?;
        self.length = 0;
        Ok(())
    }

    fn write_anew(&mut self, id: StoreId, length: u64) -> io::Result<()> {
        let length = length.max(FRAMES_BEGIN);
        let header = header(id, self.ordinal, length);
        self.file.write_at(0, &header).map_err(|error| during(&error, "preparing", &self.name()))?;
        self.zero(FRAMES_BEGIN, length)?;
        self.sync()?;
        self.length = length;
        Ok(())
    }
}

/// The name of a segment's file.
pub(super) fn name(ordinal: u64) -> String {
    format!("{NAME_PREFIX}{ordinal:016x}")
}

/// The ordinal of a segment's file; `None` for other files.
pub(super) fn ordinal_of(file_name: &str) -> Option<u64> {
    let digits = file_name.strip_prefix(NAME_PREFIX)?;
    let ordinal = u64::from_str_radix(digits, 16).ok()?;
    (name(ordinal) == file_name).then_some(ordinal)
}

/// Why the bytes that were found in a segment's place may be needed; `None` when they were never used. A first segment may be of a
/// store whose creation was cut off, and which held nothing: only later ones are taken for another store's.
fn use_of(bytes: &[u8], id: StoreId, ordinal: u64) -> Option<&'static str> {
    if !holds_no_frame(bytes) {
        return Some("it has frames");
    }
    let is_of_other = check(bytes, id, ordinal) == Err(HeaderRefusal::OfOther);
    (is_of_other && ordinal != Position::START.first_segment).then_some(HeaderRefusal::OfOther.words())
}

/// Whether nothing is behind a segment's header.
pub(super) fn holds_no_frame(bytes: &[u8]) -> bool {
    sector::is_zero(bytes.get(SECTOR_BYTES..).unwrap_or_default())
}

/// Says whether the bytes of a segment begin with its header, and are as many as were prepared.
pub(super) fn check(bytes: &[u8], id: StoreId, ordinal: u64) -> Result<(), HeaderRefusal> {
    let length = read_length(bytes).ok_or(HeaderRefusal::Unreadable)?;
    if bytes.get(..SECTOR_BYTES) != Some(header(id, ordinal, length).as_slice()) {
        return Err(HeaderRefusal::OfOther);
    }
    if (bytes.len() as u64) < length {
        return Err(HeaderRefusal::Short);
    }
    Ok(())
}

/// The length in a whole header.
fn read_length(bytes: &[u8]) -> Option<u64> {
    let (fields, rest) = bytes.get(..SECTOR_BYTES)?.split_at_checked(FIELDS_BYTES)?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let is_whole = XxHash3_64::oneshot(fields) == u64::from_be_bytes(*checksum) && sector::is_zero(rest);
    let length = fields.strip_prefix(&MAGIC)?.last_chunk()?;
    is_whole.then_some(u64::from_be_bytes(*length))
}

/// Why a segment is not taken for the one that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderRefusal {
    /// Its header was not written wholly, or was changed.
    Unreadable,
    /// Its end is missing.
    Short,
    /// It is of another store, another place in the log, or another format.
    OfOther,
}

impl HeaderRefusal {
    pub(super) fn words(self) -> &'static str {
        match self {
            HeaderRefusal::Unreadable => "its header cannot be read",
            HeaderRefusal::Short => "its end is missing",
            HeaderRefusal::OfOther => "its header is of another store, place or format",
        }
    }
}

/// Magic (8), version of the layout (4), store id (16), ordinal (8), length as prepared at first (8), checksum of these (8), zeros.
fn header(id: StoreId, ordinal: u64, length: u64) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&LOG_FORMAT.to_be_bytes());
    header.extend_from_slice(id.bytes());
    header.extend_from_slice(&ordinal.to_be_bytes());
    header.extend_from_slice(&length.to_be_bytes());
    let checksum = XxHash3_64::oneshot(&header);
    header.extend_from_slice(&checksum.to_be_bytes());
    header.resize(SECTOR_BYTES, 0);
    header
}

/// The same error, saying what was tried with which file.
fn during(error: &io::Error, attempt: &str, name: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{attempt} {name}: {error}"))
}

const NAME_PREFIX: &str = "log-";
const MAGIC: [u8; 8] = *b"KWLOG\r\n\x1A";
/// The version of the log's layout: the format version of the stores that had it first.
const LOG_FORMAT: u32 = 2;
const FIELDS_BYTES: usize = 8 + 4 + 16 + 8 + 8;

/// Zeros written at once.
const STEP_BYTES: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{FaultyFiles, MemoryFiles};
    use crate::random::SeededRandom;

    fn id(seed: u64) -> StoreId {
        StoreId::draw(&SeededRandom::new(seed))
    }

    #[test]
    fn names_are_read_as_they_are_written_and_others_are_not() {
        assert_eq!(name(0x1F), "log-000000000000001f");
        assert_eq!(ordinal_of("log-000000000000001f"), Some(0x1F));
        assert_eq!(ordinal_of(&name(u64::MAX)), Some(u64::MAX));
        for other in
            ["log-1f", "log-000000000000001F", "log-+00000000000001f", "log-", "keywright.tree", "LOCK"]
        {
            assert_eq!(ordinal_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_created_segment_is_durable_with_its_name_its_header_and_its_zeros() {
        for seed in 0..20 {
            let files = FaultyFiles::counting(seed);
            Segment::create(&files, id(1), 3, 5_000).unwrap();
            let survivors = files.restart().unwrap();
            let bytes = Segment::open(&survivors, 3).unwrap().read().unwrap();
            assert_eq!(bytes.len(), 5_000);
            assert_eq!(check(&bytes, id(1), 3), Ok(()));
            assert!(sector::is_zero(&bytes[SECTOR_BYTES..]));
        }
    }

    #[test]
    fn a_header_is_of_one_store_and_one_place() {
        let files = MemoryFiles::new();
        let bytes = Segment::create(&files, id(1), 3, 1_024).unwrap().read().unwrap();
        assert_eq!(check(&bytes, id(2), 3), Err(HeaderRefusal::OfOther));
        assert_eq!(check(&bytes, id(1), 4), Err(HeaderRefusal::OfOther));
        assert_eq!(check(&bytes[..511], id(1), 3), Err(HeaderRefusal::Unreadable));
        assert_eq!(check(&bytes[..1_023], id(1), 3), Err(HeaderRefusal::Short));
        for place in 0..SECTOR_BYTES {
            let mut flipped = bytes.clone();
            flipped[place] ^= 4;
            assert_eq!(check(&flipped, id(1), 3), Err(HeaderRefusal::Unreadable), "byte {place}");
        }
    }

    /// Another process had the directory too, or what had become of it was another store's: a segment that it had prepared or written
    /// was emptied.
    #[test]
    fn a_segment_that_may_be_needed_is_not_begun_anew() {
        let files = MemoryFiles::new();
        let of_other = Segment::create(&files, id(2), 3, 1_024).unwrap();
        let used = Segment::create(&files, id(1), 4, 1_024).unwrap();
        used.file.write_at(512, b"frame").unwrap();
        for (segment, words) in [
            (
                of_other,
                "log-0000000000000003 is there already: its header is of another store, place or format",
            ),
            (used, "log-0000000000000004 is there already: it has frames"),
        ] {
            let before = segment.read().unwrap();
            let refused = Segment::create(&files, id(1), segment.ordinal, 1_024).unwrap_err();
            assert_eq!((refused.kind(), refused.to_string().as_str()), (io::ErrorKind::InvalidData, words));
            assert_eq!(segment.read().unwrap(), before);
        }
    }

    #[test]
    fn a_segment_that_was_not_used_is_begun_anew() {
        let files = MemoryFiles::new();
        // Of this store, not prepared wholly, and the first one of a store whose creation was cut off.
        Segment::create(&files, id(1), 3, 4_096).unwrap();
        files.open_or_create(&name(4)).unwrap().set_len(2_000).unwrap();
        Segment::create(&files, id(2), 1, 4_096).unwrap();
        for ordinal in [3, 4, 1] {
            let segment = Segment::create(&files, id(1), ordinal, 1_024).unwrap();
            assert_eq!(segment.file.len().unwrap(), 1_024);
            assert_eq!(check(&segment.read().unwrap(), id(1), ordinal), Ok(()));
        }
    }

    #[test]
    fn a_full_disk_gives_back_what_was_prepared() {
        let files = FaultyFiles::counting(1);
        files.limit_bytes(Some(1 << 20));
        let refused = Segment::create(&files, id(1), 1, 2 << 20).unwrap_err();
        assert!(is_full(&refused), "{refused}");
        assert!(refused.to_string().starts_with("preparing log-0000000000000001: "), "{refused}");
        assert_eq!(files.used_bytes(), 0);
        let mut segment = Segment::create(&files, id(1), 1, 512 << 10).unwrap();
        assert!(is_full(&segment.extend(2 << 20).unwrap_err()));
        assert_eq!((segment.length, segment.file.len().unwrap()), (512 << 10, 512 << 10));
        files.limit_bytes(None);
        segment.extend(2 << 20).unwrap();
        assert_eq!(segment.read().unwrap().len(), 2 << 20);
    }
}
