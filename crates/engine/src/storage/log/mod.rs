//! The log: what makes a group durable before the tree has it. The layout is `docs/on-disk/log.md`.
//!
//! Invariants: with fsync durability a frame is synced before the next one is written, so at most one is not; after a
//! failed write or sync nothing is written any more; a segment is removed only after the tree has durably said that it
//! needs it no more. A full disk is met before a frame is written, never while.

mod frame;
mod preparer;
mod replay;
mod sector;
mod segment;

use self::frame::{Earlier, Seal};
use self::preparer::{Preparer, Wanted};
pub(super) use self::replay::LogRefusal;
use self::segment::{FRAMES_BEGIN, Segment};
use super::counters::{Counters, tell};
use super::health::Health;
use super::tree::is_full;
use super::{Batch, Durability, DurableOptions, StorageError, StoreId, Workers};
use crate::files::{File, Files};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How far the tree is: what it needs of the log begins behind this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The number of the last frame that the tree has; 0 when it has none.
    pub(super) applied: u64,
    /// The first segment that may hold later frames. It is there.
    pub(super) first_segment: u64,
}

impl Position {
    /// Of a new store.
    pub(super) const START: Position = Position { applied: 0, first_segment: 1 };
}

/// A frame that was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Appended {
    /// Its number.
    pub(super) sequence: u64,
    /// What it takes of the log.
    pub(super) bytes: u64,
}

/// What a log is opened with.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogSettings {
    pub(super) durability: Durability,
    /// How long segments get.
    pub(super) segment_bytes: u64,
    pub(super) workers: Workers,
}

impl LogSettings {
    pub(super) fn of(options: &DurableOptions) -> LogSettings {
        LogSettings {
            durability: options.durability,
            segment_bytes: options.segment_bytes.next_multiple_of(sector::SECTOR_BYTES as u64),
            workers: options.workers,
        }
    }

    /// How long the first segment is, of a new store and after a close.
    fn first_segment_bytes(&self) -> u64 {
        FIRST_SEGMENT_BYTES.min(self.segment_bytes)
    }
}

/// The open log. One thread appends at a time.
#[derive(Debug)]
pub(super) struct Log {
    files: Arc<dyn Files>,
    health: Health,
    id: StoreId,
    seal: Seal,
    settings: LogSettings,
    current: Segment,
    /// Where in the current segment the next frame begins.
    offset: u64,
    next_sequence: u64,
    preparer: Preparer,
    /// Whether the last attempt at a segment found no room for one of full length.
    is_short_of_room: bool,
    kept: Kept,
    counters: Arc<Counters>,
    /// The bytes of the last frame, whose room is used again.
    frame: Vec<u8>,
}

/// Which log is opened.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) files: Arc<dyn Files>,
    pub(super) id: StoreId,
    pub(super) position: Position,
}

/// Creates the first segment of a store.
///
/// # Errors
/// Whatever the system answers.
pub(super) fn create(files: &dyn Files, id: StoreId, settings: LogSettings) -> io::Result<()> {
    let length = settings.first_segment_bytes();
    Segment::create(files, id, Position::START.first_segment, length).map(drop)
}

/// The name of a segment of a store that has written, if there is one: one with frames, or any but the first. A store without a
/// position has none.
///
/// # Errors
/// Whatever the system answers.
pub(super) fn find_used(files: &dyn Files) -> io::Result<Option<String>> {
    for name in files.list()? {
        let Some(ordinal) = segment::ordinal_of(&name) else { continue };
        if ordinal != Position::START.first_segment {
            return Ok(Some(name));
        }
        let bytes = Segment::open(files, ordinal)?.read()?;
        if !segment::holds_no_frame(&bytes) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

impl Log {
    /// Reads the log from the tree's position on, shows `apply` what the tree does not have, and goes on behind it.
    ///
    /// # Errors
    /// When it is damaged, or the system fails.
    pub(super) fn open(
        directory: Directory,
        settings: LogSettings,
        health: Health,
        counters: Arc<Counters>,
        apply: &mut dyn FnMut(Batch),
    ) -> Result<Log, LogRefusal> {
        let Directory { files, id, position } = directory;
        let end = replay::replay(files.as_ref(), id, position, apply)?;
        let preparer =
            Preparer::start(Arc::clone(&files), id, health.clone(), Arc::clone(&counters), settings.workers)
                .map_err(LogRefusal::Io)?;
        let kept = Kept::new(end.sealed, &end.segment);
        Ok(Log {
            files,
            health,
            id,
            seal: Seal::of(id),
            settings,
            current: end.segment,
            offset: end.offset,
            next_sequence: end.next_sequence,
            preparer,
            is_short_of_room: false,
            kept,
            counters,
            frame: Vec::new(),
        })
    }

    /// The number of the last frame; 0 when there was none yet.
    pub(super) fn last_sequence(&self) -> u64 {
        self.next_sequence - 1
    }

    /// Which segments there are, for the one who removes them.
    pub(super) fn kept(&self) -> Kept {
        self.kept.clone()
    }

    /// The segment that frames are written to.
    pub(super) fn segment(&self) -> u64 {
        self.current.ordinal
    }

    /// Appends the frame of a batch, and makes it durable unless the log is buffered.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`]: nothing was written, and the next call tries again. Any other one stops the store.
    pub(super) fn append(&mut self, batch: &Batch) -> Result<Appended, StorageError> {
        self.health.check()?;
        let earlier = match self.settings.durability {
            Durability::Fsync => Earlier::Durable,
            Durability::Buffered => Earlier::Unsynced,
        };
        let sequence = self.next_sequence;
        let mut frame = std::mem::take(&mut self.frame);
        frame::encode(self.seal, sequence, earlier, batch, &mut frame);
        let written = self.write(&frame);
        let bytes = frame.len() as u64;
        frame.clear();
        frame.shrink_to(KEPT_FRAME_BYTES);
        self.frame = frame;
        written?;
        self.next_sequence += 1;
        if self.offset > self.current.length / 2 {
            self.preparer.want(self.next_segment());
        }
        Ok(Appended { sequence, bytes })
    }

    /// Looks for room again after an append found none: the next segment becomes current.
    ///
    /// # Errors
    /// [`StorageError::DiskFull`] when there is none still. Any other one stops the store.
    pub(super) fn find_room(&mut self) -> Result<(), StorageError> {
        self.health.check()?;
        self.make_room(self.current.length - self.offset + 1)
    }

    /// Begins anew behind everything, in a small segment, once the tree has it all: what is on the disk is small then,
    /// and read fast. Answers the position; the earlier segments are still there.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub(super) fn start_over(&mut self) -> io::Result<Position> {
        self.preparer.close();
        // It may have failed just now.
        self.health.check().map_err(io::Error::other)?;
        let applied = self.last_sequence();
        let length = self.settings.first_segment_bytes();
        if self.offset > FRAMES_BEGIN || self.current.length > length {
            let ordinal = self.current.ordinal + 1;
            let create = || Segment::create(self.files.as_ref(), self.id, ordinal, length);
            let fresh = self.counters.preparations.time(create)?;
            self.kept.seal(applied, None, &fresh);
            self.current = fresh;
            self.offset = FRAMES_BEGIN;
        }
        Ok(Position { applied, first_segment: self.current.ordinal })
    }

    fn write(&mut self, frame: &[u8]) -> Result<(), StorageError> {
        self.make_room(frame.len() as u64)?;
        let offset = self.offset;
        self.current.file.write_at(offset, frame).map_err(|error| {
            let attempt =
                format!("writing {} bytes at offset {offset} of {}", frame.len(), self.current.name());
            self.health.stop_on(&attempt, &error)
        })?;
        if self.settings.durability == Durability::Fsync {
            let synced = self.counters.log_syncs.time(|| self.current.file.sync_data());
            synced
                .map_err(|error| self.health.stop_on(&format!("syncing {}", self.current.name()), &error))?;
        }
        self.offset += frame.len() as u64;
        Ok(())
    }

    /// Makes sure that a frame of so many bytes fits into the current segment: the next one becomes current when it does
    /// not, or the current one longer when nothing is in it yet.
    fn make_room(&mut self, bytes: u64) -> Result<(), StorageError> {
        if self.offset + bytes <= self.current.length {
            return Ok(());
        }
        let needed = FRAMES_BEGIN + bytes;
        if self.offset == FRAMES_BEGIN {
            let extended = self.counters.preparations.time(|| self.current.extend(needed));
            self.kept.set_current_bytes(self.current.length);
            return extended.map_err(|error| self.full_or_stopped(&error));
        }
        let mut next = self.take_next(needed).map_err(|error| self.full_or_stopped(&error))?;
        if needed > next.length
            && let Err(error) = self.counters.preparations.time(|| next.extend(needed))
        {
            self.preparer.put_back(next);
            return Err(self.full_or_stopped(&error));
        }
        self.roll(next);
        Ok(())
    }

    /// The next segment; on a disk that has no room for a whole one, one that holds what is needed. Once that is known a whole one is not
    /// tried before a small one was made: each attempt takes, for a moment, the last bytes that others could use.
    fn take_next(&mut self, needed: u64) -> io::Result<Segment> {
        if !self.is_short_of_room {
            match self.preparer.take(self.next_segment()) {
                Err(error) if is_full(&error) => self.is_short_of_room = true,
                taken => return taken,
            }
        }
        let length = needed.next_multiple_of(LEAST_SEGMENT_BYTES).min(self.next_segment().length.max(needed));
        let taken = self.preparer.take(Wanted { length, ..self.next_segment() })?;
        self.is_short_of_room = false;
        Ok(taken)
    }

    /// Segments grow, so that the second one is prepared before a first one is full that is written to at full speed.
    fn next_segment(&self) -> Wanted {
        let length = self.current.length.saturating_mul(4).min(self.settings.segment_bytes);
        Wanted { ordinal: self.current.ordinal + 1, length }
    }

    fn roll(&mut self, next: Segment) {
        let unsynced = match self.settings.durability {
            Durability::Fsync => None,
            Durability::Buffered => Some(Arc::clone(&self.current.file)),
        };
        self.kept.seal(self.last_sequence(), unsynced, &next);
        tell!(
            &self.counters,
            self.kept.bytes(),
            sealed = self.current.name(),
            sealed_bytes = self.offset,
            segment = next.name(),
            segment_bytes = next.length,
            last_frame = self.last_sequence(),
            "the log goes on in the next segment"
        );
        self.current = next;
        self.offset = FRAMES_BEGIN;
    }

    fn full_or_stopped(&self, error: &io::Error) -> StorageError {
        if is_full(error) {
            return StorageError::DiskFull { cause: error.to_string().into() };
        }
        self.health.stop_on("the log", error)
    }
}

/// The segments that are on the disk. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Kept(Arc<Mutex<Segments>>);

#[derive(Debug)]
struct Segments {
    /// In order.
    sealed: Vec<Sealed>,
    current: u64,
    current_bytes: u64,
    current_file: Arc<dyn File>,
}

/// A segment that gets no more frames.
#[derive(Debug)]
struct Sealed {
    ordinal: u64,
    /// The number of its last frame.
    last: u64,
    bytes: u64,
    /// The file, while it may hold frames that are not synced.
    unsynced: Option<Arc<dyn File>>,
}

impl Kept {
    fn new(sealed: Vec<Sealed>, current: &Segment) -> Kept {
        Kept(Arc::new(Mutex::new(Segments {
            sealed,
            current: current.ordinal,
            current_bytes: current.length,
            current_file: Arc::clone(&current.file),
        })))
    }

    /// How long all of them are together. One that is prepared, and holds nothing yet, is not among them.
    pub(super) fn bytes(&self) -> u64 {
        let segments = self.lock();
        segments.current_bytes + segments.sealed.iter().map(|sealed| sealed.bytes).sum::<u64>()
    }

    /// The first segment with frames behind `applied`, or the current one.
    pub(super) fn first_needed(&self, applied: u64) -> u64 {
        let segments = self.lock();
        let needed = segments.sealed.iter().find(|sealed| sealed.last > applied);
        needed.map_or(segments.current, |sealed| sealed.ordinal)
    }

    /// Removes the segments before `first`, which the tree durably needs no more; answers how many.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub(super) fn remove_before(&self, first: u64, files: &dyn Files) -> io::Result<usize> {
        let mut segments = self.lock();
        let (gone, kept) =
            std::mem::take(&mut segments.sealed).into_iter().partition(|sealed| sealed.ordinal < first);
        segments.sealed = kept;
        drop(segments);
        let gone: Vec<Sealed> = gone;
        for sealed in &gone {
            files.remove(&segment::name(sealed.ordinal))?;
        }
        if !gone.is_empty() {
            files.sync_directory()?;
        }
        Ok(gone.len())
    }

    /// Syncs what a buffered log has not synced yet, and counts it.
    ///
    /// # Errors
    /// Whatever the system answers.
    pub(super) fn sync(&self, counters: &Counters) -> io::Result<()> {
        let mut segments = self.lock();
        let mut files: Vec<_> =
            segments.sealed.iter_mut().filter_map(|sealed| sealed.unsynced.take()).collect();
        files.push(Arc::clone(&segments.current_file));
        drop(segments);
        files.iter().try_for_each(|file| counters.log_syncs.time(|| file.sync_data()))
    }

    fn seal(&self, last: u64, unsynced: Option<Arc<dyn File>>, next: &Segment) {
        let mut segments = self.lock();
        let ordinal = std::mem::replace(&mut segments.current, next.ordinal);
        let bytes = std::mem::replace(&mut segments.current_bytes, next.length);
        segments.current_file = Arc::clone(&next.file);
        segments.sealed.push(Sealed { ordinal, last, bytes, unsynced });
    }

    /// Notes how long the current one is.
    fn set_current_bytes(&self, bytes: u64) {
        self.lock().current_bytes = bytes;
    }

    fn lock(&self) -> MutexGuard<'_, Segments> {
        // It is whole at every point where the lock can be lost.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long the first segment is, of a new store and after a close: prepared within milliseconds, and enough for the writes
/// that come while the next one is being prepared.
const FIRST_SEGMENT_BYTES: u64 = 1 << 20;

/// How long segments are at least on a disk that is nearly full.
const LEAST_SEGMENT_BYTES: u64 = 64 << 10;

/// The bytes of a frame's buffer that are kept for the next one.
const KEPT_FRAME_BYTES: usize = 1 << 20;
