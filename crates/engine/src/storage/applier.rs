//! Makes frozen generations a part of the tree, and removes the log that is needed no more.
//!
//! Order: with a buffered log its frames are synced; the tree takes the generation and its position in one durable commit;
//! readers get the new tree; only then are segments removed. Any failure stops the store, and so does a panic.

use super::counters::tell;
use super::durable::Shared;
use super::generations::Generation;
use super::log::Position;
use super::{Durability, StorageError};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The thread that applies.
#[derive(Debug)]
pub(super) struct Applier {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

impl Applier {
    /// # Errors
    /// When the system has no thread to give.
    pub(super) fn start(shared: Arc<Shared>) -> io::Result<Applier> {
        let builder = std::thread::Builder::new().name("keywright-applier".to_owned());
        let thread = builder.spawn({
            let shared = Arc::clone(&shared);
            move || {
                let _end = EndOfThread(&shared);
                let _watch = shared.health.watch("the thread that applies the log");
                while let Some(generation) = shared.generations.next() {
                    if let Err(error) = apply(&shared, &generation) {
                        report_failure(&error);
                        return;
                    }
                }
            }
        })?;
        Ok(Applier { shared, thread })
    }

    /// Waits until everything is applied, or cannot be, and ends the thread.
    pub(super) fn close(self) {
        self.shared.generations.close();
        if self.thread.join().is_err() {
            tracing::error!(target: "keywright::storage", "the thread that applies the log ended by a panic");
        }
    }
}

/// Lets nobody wait for a thread that has ended, however it did.
struct EndOfThread<'shared>(&'shared Shared);

impl Drop for EndOfThread<'_> {
    fn drop(&mut self) {
        self.0.generations.end();
    }
}

/// Applies a frozen generation.
///
/// # Errors
/// Any error has stopped the store.
pub(super) fn apply(shared: &Shared, generation: &Generation) -> Result<(), StorageError> {
    let began = Instant::now();
    let bytes = generation.changes.held_bytes();
    if shared.durability == Durability::Buffered {
        shared.health.check()?;
        let synced = shared.kept.sync(&shared.counters);
        synced.map_err(|error| shared.health.stop_on("syncing the log", &error))?;
    }
    let first_segment = shared.kept.first_needed(generation.last_frame);
    shared.tree.apply(&generation.changes, Position { applied: generation.last_frame, first_segment })?;
    let base = shared.tree.base().map_err(|error| shared.health.stop(|| error.to_string()))?;
    // To wait for room on the disk says nothing of how fast it is.
    let took = began.elapsed().saturating_sub(shared.room.take_waited());
    shared.generations.applied(base, took);
    let removed = remove_before(shared, first_segment)?;
    report(shared, generation, bytes, took, removed);
    Ok(())
}

/// Says that what the log holds stays there.
pub(super) fn report_failure(error: &StorageError) {
    tracing::error!(target: "keywright::storage", %error, "what the log holds could not be applied to the tree");
}

/// Removes the segments that the tree durably needs no more.
///
/// # Errors
/// Any error has stopped the store.
pub(super) fn remove_before(shared: &Shared, first_segment: u64) -> Result<usize, StorageError> {
    let removed = shared.kept.remove_before(first_segment, shared.files.as_ref());
    removed.map_err(|error| shared.health.stop_on("removing segments of the log that are applied", &error))
}

fn report(shared: &Shared, generation: &Generation, bytes: usize, took: Duration, removed: usize) {
    tell!(
        &shared.counters,
        shared.kept.bytes(),
        keys = generation.changes.len(),
        bytes,
        milliseconds = took.as_millis() as u64,
        last_frame = generation.last_frame,
        frames_behind = shared.generations.last_frame() - generation.last_frame,
        bytes_behind = shared.generations.held_bytes(),
        segments_removed = removed,
        "the tree has what the log held"
    );
}
