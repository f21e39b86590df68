//! Prepares the next segment while the current one is written to.
//!
//! Invariants: at most one segment is ahead. On a full disk it is tried again when a frame needs it, and not before; any
//! other failure, a panic too, stops the store at once, before a frame needs it.

use super::segment::Segment;
use crate::files::Files;
use crate::storage::counters::Counters;
use crate::storage::health::Health;
use crate::storage::tree::is_full;
use crate::storage::{StoreId, Workers};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// The segment ahead, and the thread that prepares it.
#[derive(Debug)]
pub(super) struct Preparer {
    site: Arc<Site>,
    thread: Option<JoinHandle<()>>,
}

/// Which segment is to come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) ordinal: u64,
    pub(super) length: u64,
}

impl Preparer {
    /// # Errors
    /// When the system has no thread to give.
    pub(super) fn start(
        files: Arc<dyn Files>,
        id: StoreId,
        health: Health,
        counters: Arc<Counters>,
        workers: Workers,
    ) -> io::Result<Preparer> {
        let (ahead, changed) = (Mutex::default(), Condvar::new());
        let site = Arc::new(Site { files, id, health, counters, ahead, changed });
        let thread = match workers {
            Workers::Threads => {
                let site = Arc::clone(&site);
                let builder = std::thread::Builder::new().name("keywright-log-preparer".to_owned());
                Some(builder.spawn(move || site.prepare_until_closed())?)
            }
            Workers::Caller => None,
        };
        Ok(Preparer { site, thread })
    }

    /// Asks for a segment, unless one is ahead or has just failed.
    pub(super) fn want(&self, wanted: Wanted) {
        let mut ahead = self.site.lock();
        if self.thread.is_some() && matches!(*ahead, Ahead::Nothing) {
            *ahead = Ahead::Wanted(wanted);
            self.site.changed.notify_all();
        }
    }

    /// Waits for a segment, which counts as a stall when there is none yet.
    ///
    /// # Errors
    /// Whatever the system answered to this or an earlier attempt; of a full disk, to this one.
    pub(super) fn take(&self, wanted: Wanted) -> io::Result<Segment> {
        let stalls = &self.site.counters.stalls;
        if self.thread.is_none() {
            return stalls.time(|| self.site.prepare(wanted));
        }
        let mut ahead = self.site.lock();
        if ahead.is_to_be_tried() {
            *ahead = Ahead::Wanted(wanted);
            self.site.changed.notify_all();
        }
        let mut began = None;
        while !matches!(*ahead, Ahead::Ready(_) | Ahead::Failed(_) | Ahead::Closed) {
            began.get_or_insert_with(Instant::now);
            ahead = self.site.changed.wait(ahead).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(began) = began {
            stalls.add(began.elapsed());
        }
        match std::mem::take(&mut *ahead) {
            Ahead::Ready(segment) => Ok(segment),
            Ahead::Failed(error) => Err(error),
            _ => {
                *ahead = Ahead::Closed;
                Err(io::Error::other("preparing the log has ended"))
            }
        }
    }

    /// Puts a segment back that was taken and not used.
    pub(super) fn put_back(&self, segment: Segment) {
        *self.site.lock() = Ahead::Ready(segment);
    }

    /// Ends the thread. A segment that is ahead stays on the disk.
    pub(super) fn close(&mut self) {
        *self.site.lock() = Ahead::Closed;
        self.site.changed.notify_all();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(target: "keywright::storage", "the thread that prepares the log ended by a panic");
        }
    }
}

impl Drop for Preparer {
    fn drop(&mut self) {
        self.close();
    }
}

#[derive(Debug)]
struct Site {
    files: Arc<dyn Files>,
    id: StoreId,
    health: Health,
    counters: Arc<Counters>,
    ahead: Mutex<Ahead>,
    changed: Condvar,
}

#[derive(Debug, Default)]
enum Ahead {
    #[default]
    Nothing,
    Wanted(Wanted),
    Preparing,
    Ready(Segment),
    Failed(io::Error),
    Closed,
}

impl Ahead {
    /// Whether nothing is ahead nor under way, or the last attempt met a full disk.
    fn is_to_be_tried(&self) -> bool {
        match self {
            Ahead::Nothing => true,
            Ahead::Failed(error) => is_full(error),
            Ahead::Wanted(_) | Ahead::Preparing | Ahead::Ready(_) | Ahead::Closed => false,
        }
    }
}

impl Site {
    fn lock(&self) -> MutexGuard<'_, Ahead> {
        // It is whole at every point where the lock can be lost.
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prepare(&self, wanted: Wanted) -> io::Result<Segment> {
        let create = || Segment::create(self.files.as_ref(), self.id, wanted.ordinal, wanted.length);
        let created = self.counters.preparations.time(create);
        created.inspect_err(|error| {
            if !is_full(error) {
                self.health.stop_on("preparing the log", error);
            }
        })
    }

    fn prepare_until_closed(&self) {
        let _end = EndOfThread(self);
        let _watch = self.health.watch("the thread that prepares the log");
        let mut ahead = self.lock();
        loop {
            match *ahead {
                Ahead::Closed => return,
                Ahead::Wanted(wanted) => {
                    *ahead = Ahead::Preparing;
                    drop(ahead);
                    let prepared = self.prepare(wanted);
                    ahead = self.lock();
                    if matches!(*ahead, Ahead::Closed) {
                        return;
                    }
                    *ahead = match prepared {
                        Ok(segment) => Ahead::Ready(segment),
                        Err(error) => Ahead::Failed(error),
                    };
                    self.changed.notify_all();
                }
                _ => ahead = self.changed.wait(ahead).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Lets nobody wait for a thread that has ended, however it did.
struct EndOfThread<'site>(&'site Site);

impl Drop for EndOfThread<'_> {
    fn drop(&mut self) {
        *self.0.lock() = Ahead::Closed;
        self.0.changed.notify_all();
    }
}
