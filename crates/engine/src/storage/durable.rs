//! The durable store: a log that is written first, layers in memory that readers see, and a tree that follows.
//!
//! Invariants: a commit is in the log, synced unless it is buffered, before anybody sees it; what is visible is never lost
//! again; no commit of the tree runs on the thread of a writer; after the first failure nothing is written.

use super::applier::{self, Applier};
use super::counters::{Counters, tell};
use super::directory::SharedDirectory;
use super::format::StoreId;
use super::generations::Generations;
use super::health::Health;
use super::log::{self, Kept, Log, LogSettings, Position};
use super::overlay::{Overlay, Removal};
use super::tree::{Content, Opened, Opening, Room, Tree, Waiting, is_full};
use super::{Batch, Durability, DurableOptions, OpenError, Snapshot, Storage, StorageError, Workers};
use crate::files::{DirectoryLock, Files};
use crate::random::Random;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// A store in one directory.
pub struct DurableStorage {
    shared: Arc<Shared>,
    id: StoreId,
    /// `None` once the store is being closed.
    log: Mutex<Option<Log>>,
    /// Why the last commit had no room in the log, if it had none.
    log_is_full: Mutex<Option<Arc<str>>>,
    workers: Workers,
    /// `None` where the committing thread applies, and once the store is being closed.
    applier: Mutex<Option<Applier>>,
    /// How the close ended.
    closed: OnceLock<Result<(), StorageError>>,
    /// Let go of last, when everything is written.
    _lock: DirectoryLock,
}

/// What the writer, the readers and the applier share.
pub(super) struct Shared {
    pub(super) files: Arc<dyn Files>,
    pub(super) health: Health,
    pub(super) room: Room,
    pub(super) durability: Durability,
    /// Let go of before the tree, which readers keep pages of.
    pub(super) generations: Generations,
    pub(super) tree: Tree,
    pub(super) kept: Kept,
    pub(super) counters: Arc<Counters>,
}

impl DurableStorage {
    /// Opens the store in `files`, or creates one when there is none. The new store's id is drawn from `random`.
    ///
    /// A store that was not closed goes on where it was: what is in its log and not in its tree is read into memory.
    ///
    /// ```
    /// use keywright_engine::files::MemoryFiles;
    /// use keywright_engine::random::SystemRandom;
    /// use keywright_engine::storage::{Batch, DurableOptions, DurableStorage, Space, Storage};
    /// use std::sync::Arc;
    ///
    /// let files = Arc::new(MemoryFiles::new());
    /// let storage = DurableStorage::open(files, DurableOptions::default(), &SystemRandom)?;
    /// let mut batch = Batch::default();
    /// batch.put(Space::Items, b"key", b"value".to_vec());
    /// storage.commit(&batch)?;
    ///
    /// let mut length = None;
    /// let found = storage.snapshot()?.get(Space::Items, b"key", &mut |value| length = Some(value.len()))?;
    /// assert!(found);
    /// assert_eq!(length, Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`OpenError`]: each says what to do.
    pub fn open(
        files: Arc<dyn Files>,
        options: DurableOptions,
        random: &dyn Random,
    ) -> Result<DurableStorage, OpenError> {
        let (health, room, counters) = (Health::default(), Room::default(), Arc::<Counters>::default());
        let directory = SharedDirectory::new(files, health.clone(), Arc::clone(&counters));
        let files: Arc<dyn Files> = Arc::new(directory);
        let opening = Opening::new(files.as_ref(), &health, &room, &counters);
        let lock = opening.lock()?;
        let failed = |error: &io::Error| {
            health.stop_on("opening the store", error);
            opening.system_refusal(error)
        };
        let refuse_used_log = || match log::find_used(files.as_ref()).map_err(|error| failed(&error))? {
            Some(segment) => Err(opening.log_without_tree(&segment)),
            None => Ok(()),
        };
        if opening.has_no_tree()? {
            // Before anything is created.
            refuse_used_log()?;
        }
        let Opened { tree, content } = opening.run(options.cache_size_bytes)?;
        let settings = LogSettings::of(&options);
        let (id, position) = match content {
            Content::Store(id, position) => (id, position),
            Content::Nothing | Content::WithoutLog(_) => {
                refuse_used_log()?;
                let id = match content {
                    Content::WithoutLog(id) => id,
                    _ => StoreId::draw(random),
                };
                log::create(files.as_ref(), id, settings).map_err(|error| failed(&error))?;
                opening.create(&tree, id, Position::START)?;
                (id, Position::START)
            }
        };
        let mut replayed = Overlay::default();
        let log = Log::open(
            log::Directory { files: Arc::clone(&files), id, position },
            settings,
            health.clone(),
            Arc::clone(&counters),
            &mut |batch| replayed.apply(&batch, Removal::Tombstone),
        );
        let log = log.map_err(|refusal| {
            health.stop(|| "the log could not be opened".to_owned());
            opening.log_refusal(refusal)
        })?;
        report_replay(position, &log, &replayed);
        let base = tree.base().map_err(|error| opening.unreadable(&error))?;
        let generations = Generations::new(base, replayed, log.last_sequence(), &options, health.clone());
        drop(opening);
        let kept = log.kept();
        let shared =
            Shared { files, health, room, durability: options.durability, tree, generations, kept, counters };
        DurableStorage::start(Arc::new(shared), id, log, options.workers, lock)
    }

    /// The identity of this store.
    pub fn id(&self) -> StoreId {
        self.id
    }

    fn start(
        shared: Arc<Shared>,
        id: StoreId,
        log: Log,
        workers: Workers,
        lock: DirectoryLock,
    ) -> Result<DurableStorage, OpenError> {
        let location = shared.files.location();
        let applier = match workers {
            Workers::Threads => {
                shared.room.set_waiting(Waiting::Allowed);
                let started = Applier::start(Arc::clone(&shared));
                Some(started.map_err(|error| OpenError::of_system(&location, &error))?)
            }
            Workers::Caller => {
                shared.apply_frozen();
                None
            }
        };
        Ok(DurableStorage {
            shared,
            id,
            log: Mutex::new(Some(log)),
            log_is_full: Mutex::default(),
            workers,
            applier: Mutex::new(applier),
            closed: OnceLock::new(),
            _lock: lock,
        })
    }

    /// Notes whether the log had room, for who asks without a commit. Another failure says nothing about that.
    fn note_room(&self, error: Option<&StorageError>) {
        let full = match error {
            None => None,
            Some(StorageError::DiskFull { cause }) => Some(Arc::clone(cause)),
            Some(StorageError::Stopped { .. } | StorageError::Damaged { .. }) => return,
        };
        let mut noted = self.log_is_full.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *noted, full.clone());
        // Who is told may ask.
        drop(noted);
        match (&before, &full) {
            (None, Some(cause)) => tracing::warn!(
                target: "keywright::storage", %cause,
                "the disk is full: the store is read-only until there is room for its log"
            ),
            (Some(_), None) => tracing::info!(target: "keywright::storage", "the store goes on writing"),
            _ => {}
        }
    }

    /// Applies what is left, so that the next start has nothing to do, and lets the log begin anew.
    ///
    /// # Errors
    /// What stopped the store. What is not in the tree stays in the log.
    fn finish(&self) -> Result<(), StorageError> {
        let shared = &self.shared;
        // Whoever waits for room is refused, and lets go of the log.
        shared.room.set_waiting(Waiting::Refused);
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A close that was left by a panic took it, and stopped the store.
        let Some(mut log) = log else { return shared.health.check().and(Err(StorageError::closed())) };
        match self.applier.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(applier) => applier.close(),
            None => {
                shared.generations.freeze_active();
                shared.apply_frozen();
            }
        }
        shared.health.check()?;
        if !shared.generations.is_applied() {
            return Err(StorageError::Stopped { cause: "the tree does not have what the log holds".into() });
        }
        let before = log.segment();
        match log.start_over() {
            Ok(position) if position.first_segment == before => Ok(()),
            Ok(position) => {
                // Where it fails, the next start reads both segments.
                shared.tree.apply(&Overlay::default(), position)?;
                applier::remove_before(shared, position.first_segment).map(drop)
            }
            // The next start passes over the frames of the old one.
            Err(error) if is_full(&error) => Ok(()),
            Err(error) => Err(shared.health.stop_on("closing the log", &error)),
        }
    }
}

impl Shared {
    /// Applies what is frozen on this thread.
    fn apply_frozen(&self) {
        while let Some(generation) = self.generations.frozen() {
            if let Err(error) = applier::apply(self, &generation) {
                applier::report_failure(&error);
                return;
            }
        }
    }
}

impl Storage for DurableStorage {
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        self.shared.generations.snapshot()
    }

    fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        let shared = &self.shared;
        shared.health.check()?;
        if batch.is_empty() {
            return Ok(());
        }
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let log = log.as_mut().ok_or_else(StorageError::closed)?;
        let _watch = shared.health.watch("a commit");
        shared.room.ask(|waited| shared.counters.stalls.add(waited))?;
        shared.generations.admit(batch.size_bytes(), &shared.health, &shared.room, &shared.counters)?;
        let appended = log.append(batch);
        self.note_room(appended.as_ref().err());
        if let Err(StorageError::DiskFull { .. }) = appended
            && self.workers == Workers::Threads
        {
            // What the tree has taken of the log is room again. The applier waits where the tree has no room itself.
            shared.generations.freeze_for_room();
        }
        let frame = appended?;
        shared.generations.publish(batch, frame);
        if self.workers == Workers::Caller {
            shared.apply_frozen();
        }
        Ok(())
    }

    fn commits_at_once(&self) -> bool {
        false
    }

    fn writable(&self) -> Result<(), StorageError> {
        self.shared.health.check()?;
        if self.closed.get().is_some() {
            return Err(StorageError::closed());
        }
        self.shared.room.ask(drop)?;
        if self.log_is_full.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Ok(());
        }
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let log = log.as_mut().ok_or_else(StorageError::closed)?;
        let _watch = self.shared.health.watch("looking for room");
        let found = log.find_room();
        self.note_room(found.as_ref().err());
        found
    }

    fn close(&self) -> Result<(), StorageError> {
        let close = || {
            let began = Instant::now();
            let _watch = self.shared.health.watch("the close");
            let finished = self.finish();
            let milliseconds = began.elapsed().as_millis() as u64;
            match &finished {
                Ok(()) => {
                    let Shared { counters, kept, .. } = self.shared.as_ref();
                    tell!(counters, kept.bytes(), milliseconds, "the store was closed");
                }
                Err(error) => tracing::warn!(
                    target: "keywright::storage", %error,
                    "the store was not closed cleanly; the next start goes on from its log"
                ),
            }
            finished
        };
        self.closed.get_or_init(close).clone()
    }
}

impl Drop for DurableStorage {
    fn drop(&mut self) {
        // It has been said.
        let _ = self.close();
    }
}

impl Debug for DurableStorage {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DurableStorage")
            .field("id", &self.id)
            .field("failure", &self.shared.health.failure())
            .finish_non_exhaustive()
    }
}

impl Debug for Shared {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shared").field("generations", &self.generations).finish_non_exhaustive()
    }
}

fn report_replay(position: Position, log: &Log, replayed: &Overlay) {
    let frames = log.last_sequence() - position.applied;
    if frames > 0 {
        tracing::info!(
            target: "keywright::storage",
            frames,
            keys = replayed.len(),
            bytes = replayed.held_bytes(),
            "the store was not closed: it goes on from its log"
        );
    }
}

#[cfg(test)]
mod tests;
