//! The places for connections, and who has to leave when all are taken.
//!
//! A connection without a request is idle from its acceptance or its last answer on. When somebody waits for a place, the one
//! that has been idle longest is closed; whoever has begun a request is left to its timeouts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a connection that was asked to close may take, or turn out to have just begun a request, before another is asked.
const CLOSING_TIME: Duration = Duration::from_millis(100);

/// All places.
#[derive(Debug)]
pub(crate) struct Connections {
    free: Arc<Semaphore>,
    all: u32,
    idle: Mutex<Idle>,
    one_is_idle: Notify,
}

#[derive(Debug, Default)]
struct Idle {
    next_ticket: u64,
    /// In the order in which they became idle.
    by_ticket: BTreeMap<u64, Arc<Notify>>,
}

/// One connection's place; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    connections: Arc<Connections>,
    phase: Mutex<Phase>,
    close: Arc<Notify>,
    _permit: OwnedSemaphorePermit,
}

/// How far a connection is with its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing of a request is here.
    Idle {
        /// Its place in the order.
        ticket: u64,
    },
    /// A part of a head is here.
    Head,
    /// A request is being read or carried out.
    Request,
    /// An answer is being written.
    Answer,
}

impl Connections {
    /// So many places, all free.
    pub(crate) fn new(places: u32) -> Connections {
        Connections {
            free: Arc::new(Semaphore::new(places as usize)),
            all: places,
            idle: Mutex::default(),
            one_is_idle: Notify::new(),
        }
    }

    /// A place for a client that is there. When all are taken, waits, and closes idle connections.
    pub(crate) async fn place(self: &Arc<Self>) -> Place {
        let permit = match Arc::clone(&self.free).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.vacated().await,
        };
        let close = Arc::new(Notify::new());
        let phase = Mutex::new(self.turn_idle(&close));
        Place { connections: Arc::clone(self), phase, close, _permit: permit }
    }

    /// Waits until every place has been given back.
    pub(crate) async fn all_closed(&self) {
        // An error would say that the semaphore was closed, which nobody does.
        let _ = self.free.acquire_many(self.all).await;
    }

    /// How many places are taken.
    pub(crate) fn open(&self) -> usize {
        (self.all as usize).saturating_sub(self.free.available_permits())
    }

    #[expect(clippy::expect_used, reason = "the semaphore is never closed")]
    async fn vacated(&self) -> OwnedSemaphorePermit {
        tracing::warn!("every place for a connection is taken: the one that has been idle longest is closed");
        let mut permit = std::pin::pin!(Arc::clone(&self.free).acquire_owned());
        loop {
            let vacated = if self.close_oldest_idle() {
                timeout(CLOSING_TIME, &mut permit).await.ok()
            } else {
                tokio::select! {
                    biased;
                    vacated = &mut permit => Some(vacated),
                    () = self.one_is_idle.notified() => None,
                }
            };
            if let Some(vacated) = vacated {
                return vacated.expect("an open semaphore");
            }
        }
    }

    /// Whether there was one.
    fn close_oldest_idle(&self) -> bool {
        let oldest = self.idle().by_ticket.pop_first();
        if let Some((_, close)) = &oldest {
            close.notify_one();
        }
        oldest.is_some()
    }

    fn turn_idle(&self, close: &Arc<Notify>) -> Phase {
        let mut idle = self.idle();
        let ticket = idle.next_ticket;
        idle.next_ticket += 1;
        idle.by_ticket.insert(ticket, Arc::clone(close));
        drop(idle);
        self.one_is_idle.notify_one();
        Phase::Idle { ticket }
    }

    /// The lock is held for single calls of the map, which is whole after each.
    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// How far the connection is.
    pub(crate) fn phase(&self) -> Phase {
        *self.lock()
    }

    /// Bytes came in.
    pub(crate) fn received(&self) {
        let mut phase = self.lock();
        if matches!(*phase, Phase::Idle { .. }) {
            self.leave_idle(&mut phase, Phase::Head);
        }
    }

    /// A whole head is here.
    pub(crate) fn request_begins(&self) {
        self.leave_idle(&mut self.lock(), Phase::Request);
    }

    /// The answer is decided.
    pub(crate) fn answer_begins(&self) {
        self.leave_idle(&mut self.lock(), Phase::Answer);
    }

    /// Everything that there was to write has been written.
    pub(crate) fn flushed(&self) {
        let mut phase = self.lock();
        if *phase == Phase::Answer {
            *phase = self.connections.turn_idle(&self.close);
        }
    }

    /// Waits until the place is needed by somebody else.
    pub(crate) async fn is_needed(&self) {
        self.close.notified().await;
    }

    fn leave_idle(&self, phase: &mut Phase, next: Phase) {
        if let Phase::Idle { ticket } = *phase {
            self.connections.idle().by_ticket.remove(&ticket);
        }
        *phase = next;
    }

    fn lock(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.leave_idle(&mut self.lock(), Phase::Request);
    }
}
