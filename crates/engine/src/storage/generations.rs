//! The layers over the tree, and who moves them: the writer adds to the active one, which freezes when it, or the log behind it, is
//! large enough and nothing is frozen; the applier makes the frozen one a part of the tree.
//!
//! Invariants: at every moment each acknowledged change is in the tree, the frozen layer or the active one, and readers see all
//! three as of one moment; what is in memory is bounded, since whoever adds more waits; and so is the log, which only the tree frees.

use super::counters::Counters;
use super::health::Health;
use super::log::Appended;
use super::overlay::{Overlay, Removal};
use super::tree::Room;
use super::view::{Base, View, Views};
use super::{Batch, DurableOptions, Snapshot, StorageError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The layers of a store.
#[derive(Debug)]
pub(super) struct Generations {
    views: Views,
    state: Mutex<State>,
    changed: Condvar,
    freeze_bytes: usize,
    freeze_log_bytes: u64,
    most_held_bytes: usize,
}

/// What is to be applied to the tree at once.
#[derive(Clone, Debug)]
pub(super) struct Generation {
    pub(super) changes: Overlay,
    /// The number of the last frame that is in it.
    pub(super) last_frame: u64,
}

#[derive(Debug)]
struct State {
    /// The last frame of the active layer and of those below it.
    last_frame: u64,
    /// The last frame of the frozen layer, if there is one.
    frozen: Option<u64>,
    active_bytes: usize,
    frozen_bytes: usize,
    /// Bytes of the frames that the active layer was made of.
    active_log_bytes: u64,
    /// Bytes that the applier takes in a second.
    rate: f64,
    /// What writers were let go ahead of that rate.
    debt: Duration,
    is_closing: bool,
    has_ended: bool,
}

impl Generations {
    /// Over a tree, with what the log holds besides.
    pub(super) fn new(
        base: Arc<Base>,
        replayed: Overlay,
        last_frame: u64,
        options: &DurableOptions,
        health: Health,
    ) -> Generations {
        let frozen_bytes = replayed.held_bytes();
        let frozen = (!replayed.is_empty()).then_some(last_frame);
        let view = View { base: Some(base), frozen: frozen.map(|_| replayed), active: Overlay::default() };
        let state = State {
            last_frame,
            frozen,
            active_bytes: 0,
            frozen_bytes,
            active_log_bytes: 0,
            rate: SUPPOSED_RATE,
            debt: Duration::ZERO,
            is_closing: false,
            has_ended: false,
        };
        Generations {
            views: Views::new(view, health),
            state: Mutex::new(state),
            changed: Condvar::new(),
            // What is frozen and what comes after it must both find room.
            freeze_bytes: options.freeze_bytes.min(options.most_held_bytes / 2),
            freeze_log_bytes: options.freeze_log_bytes,
            // At none at all nobody would ever go on.
            most_held_bytes: options.most_held_bytes.max(1),
        }
    }

    /// A snapshot of everything published so far.
    ///
    /// # Errors
    /// [`StorageError::Stopped`].
    pub(super) fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        self.views.snapshot()
    }

    /// Lets a writer of so many bytes go on once there is room in memory for them: at once while less than half is taken, then
    /// the later the less room there is.
    ///
    /// # Errors
    /// When the applier has stopped, or waits for room on the disk.
    pub(super) fn admit(
        &self,
        bytes: usize,
        health: &Health,
        room: &Room,
        counters: &Counters,
    ) -> Result<(), StorageError> {
        let mut state = self.lock();
        let half = self.most_held_bytes / 2;
        if state.held_bytes() <= half {
            return Ok(());
        }
        let began = Instant::now();
        let fullness = (state.held_bytes() - half) as f64 / half.max(1) as f64;
        let delay = Duration::from_secs_f64(bytes as f64 / state.rate * fullness.min(1.0));
        state.debt += delay;
        let is_held_up = state.debt >= LEAST_DELAY || state.held_bytes() >= self.most_held_bytes;
        if state.debt >= LEAST_DELAY {
            let until = began + std::mem::take(&mut state.debt).min(LONGEST_DELAY);
            while state.held_bytes() > half
                && let Some(left) =
                    until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
            {
                state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        while state.held_bytes() >= self.most_held_bytes {
            health.check()?;
            room.check()?;
            if state.has_ended {
                return Err(health.stop(|| "the thread that applies the log ended".to_owned()));
            }
            // The room on the disk can end while this waits.
            state = self.changed.wait_timeout(state, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0;
        }
        if is_held_up {
            counters.stalls.add(began.elapsed());
        }
        Ok(())
    }

    /// Makes the changes of a frame visible, whole.
    pub(super) fn publish(&self, batch: &Batch, frame: Appended) {
        let mut state = self.lock();
        let mut view = View::clone(&self.views.load());
        view.active.apply(batch, Removal::Tombstone);
        state.last_frame = frame.sequence;
        state.active_bytes = view.active.held_bytes();
        state.active_log_bytes += frame.bytes;
        self.freeze_if_large(&mut state, &mut view);
        self.views.store(view);
    }

    /// The frozen layer, if there is one.
    pub(super) fn frozen(&self) -> Option<Generation> {
        let state = self.lock();
        let last_frame = state.frozen?;
        Some(Generation { changes: self.views.load().frozen.clone()?, last_frame })
    }

    /// Waits for a layer to be frozen. Once the store closes, what is left is frozen too; `None` when nothing is.
    pub(super) fn next(&self) -> Option<Generation> {
        let mut state = self.lock();
        while state.frozen.is_none() && !state.is_closing {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closing {
            self.freeze_rest(&mut state);
        }
        drop(state);
        self.frozen()
    }

    /// Freezes what is active, if that frees more of a full disk than the tree takes: when keys were written over, the log has more of
    /// them than the tree will.
    pub(super) fn freeze_for_room(&self) {
        let mut state = self.lock();
        if state.active_log_bytes > 2 * state.active_bytes as u64 {
            self.freeze_rest(&mut state);
        }
    }

    /// Freezes what is active, if nothing is frozen.
    pub(super) fn freeze_active(&self) {
        self.freeze_rest(&mut self.lock());
    }

    /// Notes that the frozen layer is a part of the tree, which took so long.
    pub(super) fn applied(&self, base: Arc<Base>, took: Duration) {
        let mut state = self.lock();
        let mut view = View::clone(&self.views.load());
        view.base = Some(base);
        view.frozen = None;
        let rate = state.frozen_bytes as f64 / took.as_secs_f64().max(0.001);
        state.rate = rate.max(SLOWEST_RATE);
        state.frozen = None;
        state.frozen_bytes = 0;
        self.freeze_if_large(&mut state, &mut view);
        self.views.store(view);
        drop(state);
        self.changed.notify_all();
    }

    /// How many bytes are not in the tree yet.
    pub(super) fn held_bytes(&self) -> usize {
        self.lock().held_bytes()
    }

    /// Whether the tree has everything that is visible.
    pub(super) fn is_applied(&self) -> bool {
        let state = self.lock();
        state.frozen.is_none() && self.views.load().active.is_empty()
    }

    /// The number of the last frame that is visible.
    pub(super) fn last_frame(&self) -> u64 {
        self.lock().last_frame
    }

    /// Lets the applier end once nothing is left.
    pub(super) fn close(&self) {
        self.lock().is_closing = true;
        self.changed.notify_all();
    }

    /// Notes that the applier has ended: nobody waits for it any more.
    pub(super) fn end(&self) {
        self.lock().has_ended = true;
        self.changed.notify_all();
    }

    fn freeze_rest(&self, state: &mut State) {
        let mut view = View::clone(&self.views.load());
        self.freeze(state, &mut view);
        self.views.store(view);
    }

    fn freeze_if_large(&self, state: &mut State, view: &mut View) {
        if state.active_bytes >= self.freeze_bytes || state.active_log_bytes >= self.freeze_log_bytes {
            self.freeze(state, view);
        }
    }

    fn freeze(&self, state: &mut State, view: &mut View) {
        if state.frozen.is_some() || view.active.is_empty() {
            return;
        }
        view.frozen = Some(std::mem::take(&mut view.active));
        state.frozen = Some(state.last_frame);
        state.frozen_bytes = std::mem::take(&mut state.active_bytes);
        state.active_log_bytes = 0;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // It is whole at every point where the lock can be lost.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn held_bytes(&self) -> usize {
        self.active_bytes + self.frozen_bytes
    }
}

/// Bytes a second that the applier is supposed to take before it has applied anything.
const SUPPOSED_RATE: f64 = 20e6;

/// A disk that is slower holds writers up by the limit in memory, and not by the pace.
const SLOWEST_RATE: f64 = 500e3;

/// Shorter delays are saved up.
const LEAST_DELAY: Duration = Duration::from_millis(1);

/// No single delay is longer.
const LONGEST_DELAY: Duration = Duration::from_millis(20);

/// How often a writer at the limit looks whether the applier still can go on.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests;
