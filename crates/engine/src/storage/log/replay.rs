//! Reads the log when a store opens: every frame behind the tree's position, in order, or the reason why not.
//!
//! Each frame is synced before the next one is written, but for those that say otherwise (buffered durability). So where the
//! frames end, a frame that was not written wholly was never acknowledged, and is cut off. Anything else refuses to open: a
//! frame that is not whole before one that was written after it was synced, a gap in the numbers, a missing segment, bytes
//! that no write leaves. So does a frame of a later build, before anything is changed.

use super::frame::{self, Earlier, Found, Head, Seal, UnknownContent};
use super::sector::{self, SECTOR_BYTES};
use super::segment::{self, FRAMES_BEGIN, HeaderRefusal, Segment};
use super::{Position, Sealed};
use crate::files::Files;
use crate::storage::{Batch, StoreId};
use std::io;

/// Why a log is not read to its end.
#[derive(Debug)]
pub(in crate::storage) enum LogRefusal {
    /// Its bytes are not those that were written; says where, and what does not fit.
    Damaged(String),
    /// A frame is whole, and holds what this build does not know: a later one wrote it. Says where, and what.
    Unknown(String),
    /// The system failed.
    Io(io::Error),
}

/// Where the log goes on.
#[derive(Debug)]
pub(super) struct End {
    /// The segments that hold frames before it.
    pub(super) sealed: Vec<Sealed>,
    /// The segment of the next frame.
    pub(super) segment: Segment,
    /// Where in it the next frame begins.
    pub(super) offset: u64,
    /// The number of the next frame.
    pub(super) next_sequence: u64,
}

/// Shows `apply` the changes of every frame behind `position`, and answers where the log goes on. What an unfinished write
/// left behind that place is replaced by zeros; segments that are not used are removed.
pub(super) fn replay(
    files: &dyn Files,
    id: StoreId,
    position: Position,
    apply: &mut dyn FnMut(Batch),
) -> Result<End, LogRefusal> {
    let Segments { needed: segments, outlived } = find_segments(files, position)?;
    let mut walk = Walk {
        seal: Seal::of(id),
        applied: position.applied,
        next_sequence: None,
        end: (0, FRAMES_BEGIN),
        unsure: None,
        sealed: Vec::new(),
        apply,
    };
    let mut cut = None;
    let mut place = 0;
    while let Some(segment) = segments.get(place) {
        let bytes = segment.read().map_err(LogRefusal::Io)?;
        if !is_prepared(&segments, place, &bytes, id)? {
            break;
        }
        if let Some(at) = walk.read_segment(place, &segments, &bytes)? {
            cut = Some((place, at));
            break;
        }
        place += 1;
    }
    if let Some((place, at)) = cut {
        walk.move_to(place, &segments);
        walk.end = (place, at);
    }
    walk.check_reaches_tree(&segments)?;
    // From here on the log is changed: nothing refuses it any more but what `cut_off` looks at before it writes.
    if cut.is_some() {
        cut_off(&segments, id, &walk)?;
    }
    for ordinal in outlived {
        files.remove(&segment::name(ordinal)).map_err(LogRefusal::Io)?;
    }
    finish(files, segments, walk)
}

/// The segments that are there.
struct Segments {
    /// From the tree's position on, without a gap; one at least.
    needed: Vec<Segment>,
    /// Those before it, which were removed and came back. They hold nothing that is needed.
    outlived: Vec<u64>,
}

fn find_segments(files: &dyn Files, position: Position) -> Result<Segments, LogRefusal> {
    let names = files.list().map_err(LogRefusal::Io)?;
    let mut ordinals: Vec<u64> = names.iter().filter_map(|name| segment::ordinal_of(name)).collect();
    ordinals.sort_unstable();
    let (mut segments, mut outlived) = (Vec::new(), Vec::new());
    let mut expected = position.first_segment;
    for ordinal in ordinals {
        if ordinal < position.first_segment {
            outlived.push(ordinal);
            continue;
        }
        if ordinal != expected {
            break;
        }
        segments.push(Segment::open(files, ordinal).map_err(LogRefusal::Io)?);
        expected += 1;
    }
    let has_later =
        names.iter().filter_map(|name| segment::ordinal_of(name)).any(|ordinal| ordinal > expected);
    if segments.is_empty() || has_later {
        return Err(LogRefusal::Damaged(format!("{} is missing", segment::name(expected))));
    }
    Ok(Segments { needed: segments, outlived })
}

/// Whether the segment at a place, which has these bytes, was prepared. The preparation of the last one may have been cut off; then
/// nothing is in it.
fn is_prepared(segments: &[Segment], place: usize, bytes: &[u8], id: StoreId) -> Result<bool, LogRefusal> {
    let Some(segment) = segments.get(place) else { return Ok(false) };
    let Err(refusal) = segment::check(bytes, id, segment.ordinal) else { return Ok(true) };
    let is_last = place > 0 && place + 1 == segments.len();
    let is_cut_off = refusal != HeaderRefusal::OfOther && segment::holds_no_frame(bytes);
    if is_last && is_cut_off { Ok(false) } else { Err(damaged(segment, 0, refusal.words())) }
}

/// What is known of the log so far.
struct Walk<'apply> {
    seal: Seal,
    applied: u64,
    /// The number of the next frame, once one was seen.
    next_sequence: Option<u64>,
    /// The place of the segment that the last frame is in, and the offset behind it.
    end: (usize, u64),
    /// Where the first frame begins of which it is not known whether it was synced.
    unsure: Option<(usize, u64)>,
    sealed: Vec<Sealed>,
    apply: &'apply mut dyn FnMut(Batch),
}

impl Walk<'_> {
    /// Reads the frames of a segment; answers an offset when what lies there is the end of all frames, and not clean.
    fn read_segment(
        &mut self,
        place: usize,
        segments: &[Segment],
        bytes: &[u8],
    ) -> Result<Option<u64>, LogRefusal> {
        let Some(segment) = segments.get(place) else { return Ok(None) };
        let mut offset = FRAMES_BEGIN;
        while offset < segment.length {
            let rest = bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default();
            let head = match frame::look(self.seal, rest) {
                Found::Frame(head) => head,
                Found::Zeros if sector::is_zero(rest) => break,
                Found::Zeros | Found::Torn(_) => return Ok(Some(offset)),
                Found::Unknown => return Err(unknown(segment, offset, UNKNOWN_HEAD)),
                Found::Damaged(reason) => return Err(damaged(segment, offset, reason)),
            };
            if !self.follows(&head) {
                if head.earlier == Earlier::Unsynced && head.sequence > self.expected() {
                    return Ok(Some(offset));
                }
                let reason = format!("frame {} lies where frame {} belongs", head.sequence, self.expected());
                return Err(damaged(segment, offset, &reason));
            }
            let batch = frame::changes(&head, rest).map_err(|UnknownContent| {
                unknown(segment, offset, "a frame has changes of an unknown kind")
            })?;
            if head.sequence > self.applied {
                (self.apply)(batch);
            }
            self.move_to(place, segments);
            if self.unsure.is_none() || head.earlier == Earlier::Durable {
                self.unsure = Some((place, offset));
            }
            offset += head.frame_bytes() as u64;
            self.next_sequence = Some(head.sequence + 1);
            self.end = (place, offset);
        }
        Ok(None)
    }

    /// The number that the next frame must have, or at most have while none was seen.
    fn expected(&self) -> u64 {
        self.next_sequence.unwrap_or(self.applied + 1)
    }

    /// Refuses a log that ends before the tree.
    fn check_reaches_tree(&self, segments: &[Segment]) -> Result<(), LogRefusal> {
        let (place, offset) = self.end;
        let (next, applied) = (self.expected(), self.applied);
        match segments.get(place) {
            Some(last) if next <= applied => {
                let reason = format!("frames {next} to {applied}, which the tree has, are missing");
                Err(damaged(last, offset, &reason))
            }
            _ => Ok(()),
        }
    }

    fn follows(&self, head: &Head) -> bool {
        match self.next_sequence {
            Some(next) => head.sequence == next,
            None => head.sequence <= self.applied + 1,
        }
    }

    /// Notes that the frames so far are all in earlier segments than this one.
    fn move_to(&mut self, place: usize, segments: &[Segment]) {
        if let Some(next) = self.next_sequence
            && let Some(full) = segments.get(self.end.0).filter(|_| self.end.0 < place)
        {
            let (ordinal, last, bytes) = (full.ordinal, next - 1, full.length);
            self.sealed.push(Sealed { ordinal, last, bytes, unsynced: None });
        }
    }
}

/// Makes sure that nothing which was acknowledged lies behind the place where the frames end, and then writes zeros there.
fn cut_off(segments: &[Segment], id: StoreId, walk: &Walk<'_>) -> Result<(), LogRefusal> {
    let (first, at) = walk.end;
    let mut written = Vec::new();
    for (place, segment) in segments.iter().enumerate().skip(first) {
        let bytes = segment.read().map_err(LogRefusal::Io)?;
        if !is_prepared(segments, place, &bytes, id)? {
            break;
        }
        let from = if place == first { at } else { FRAMES_BEGIN };
        let behind = bytes.get(usize::try_from(from).unwrap_or(usize::MAX)..).unwrap_or_default();
        for skipped in (0..behind.len()).step_by(SECTOR_BYTES) {
            let rest = behind.get(skipped..).unwrap_or_default();
            let sector = rest.get(..SECTOR_BYTES).unwrap_or(rest);
            if sector::is_zero(sector) {
                continue;
            }
            let offset = from + skipped as u64;
            check_cut(segments, walk, segment, offset, sector)?;
            written.push((segment, offset, offset + sector.len() as u64));
        }
    }
    // The last segment first, so that whatever happens in between, the end stays where it is.
    for segment in segments.iter().skip(first).rev() {
        let within = || written.iter().filter(|(of, ..)| of.ordinal == segment.ordinal);
        let (Some((_, from, _)), Some((_, _, to))) = (within().next(), within().next_back()) else {
            continue;
        };
        tracing::warn!(
            target: "keywright::storage",
            segment = segment.name(), offset = from, bytes = to - from,
            "a write that did not finish, and was not acknowledged, is cut off the log"
        );
        segment.zero(*from, *to).and_then(|()| segment.sync()).map_err(LogRefusal::Io)?;
    }
    Ok(())
}

/// Refuses what begins with a sector that an unfinished write cannot have left behind the end of all frames.
fn check_cut(
    segments: &[Segment],
    walk: &Walk<'_>,
    segment: &Segment,
    offset: u64,
    sector: &[u8],
) -> Result<(), LogRefusal> {
    let Some(broken) = segments.get(walk.end.0) else { return Ok(()) };
    if (broken.ordinal, walk.end.1) == (segment.ordinal, offset) {
        return Ok(());
    }
    if !frame::is_of_a_frame(walk.seal, sector) {
        return Err(match frame::is_whole_head(walk.seal, sector) {
            true => unknown(segment, offset, UNKNOWN_HEAD),
            false => damaged(segment, offset, "the bytes behind the last frame are no part of one"),
        });
    }
    match frame::head_of(walk.seal, sector) {
        Some(head) if head.earlier == Earlier::Durable => {
            let reason = format!(
                "frame {} is not whole, although it was synced before frame {}, which is at offset {offset} of {}",
                walk.expected(),
                head.sequence,
                segment.name()
            );
            Err(damaged(broken, walk.end.1, &reason))
        }
        _ => Ok(()),
    }
}

/// Removes the segments behind the end, makes the rest durable, and answers the end.
fn finish(files: &dyn Files, mut segments: Vec<Segment>, walk: Walk<'_>) -> Result<End, LogRefusal> {
    let (place, offset) = walk.end;
    let next_sequence = walk.expected();
    let unused = segments.split_off(place + 1);
    // The last one first, durably, so that no gap is left by whatever happens in between.
    for segment in unused.iter().rev() {
        files.remove(&segment.name()).and_then(|()| files.sync_directory()).map_err(LogRefusal::Io)?;
    }
    let Some(segment) = segments.pop() else { unreachable!("`find_segments` answers at least one") };
    if let Some((first, at)) = walk.unsure {
        for (place, unsure) in segments.iter().chain([&segment]).enumerate().skip(first) {
            let from = if place == first { at } else { FRAMES_BEGIN };
            let to = if unsure.ordinal == segment.ordinal { offset } else { unsure.length };
            unsure.write_again(from, to).map_err(LogRefusal::Io)?;
        }
    }
    Ok(End { sealed: walk.sealed, segment, offset, next_sequence })
}

fn damaged(segment: &Segment, offset: u64, reason: &str) -> LogRefusal {
    LogRefusal::Damaged(place(segment, offset, reason))
}

fn unknown(segment: &Segment, offset: u64, reason: &str) -> LogRefusal {
    LogRefusal::Unknown(place(segment, offset, reason))
}

fn place(segment: &Segment, offset: u64, reason: &str) -> String {
    format!("{} at offset {offset}: {reason}", segment.name())
}

const UNKNOWN_HEAD: &str = "a frame has a head of an unknown kind";

#[cfg(test)]
mod tests;
