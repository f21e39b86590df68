//! One at a time decides the writes, in order, in groups.
//!
//! A group is what queued up while the group before it was being committed, or as much of it as one commit should hold. Its
//! requests are decided one after another, each against all earlier ones; then the group is committed in one durable
//! transaction, published, and only then answered, refusals included, since a refusal may rest on a write of the same group.
//! Requests are parsed, bound, checked and encoded before they are queued: here a condition is evaluated and an update
//! applied, and nothing slower runs.
//!
//! Who decides: a thread of its own where a commit waits for a disk; in memory whoever queues a write while nobody decides, since
//! to wake a thread would take many times longer than to decide. The thread then only empties dropped tables, and takes over from
//! a caller who has decided enough for others.
//!
//! A request whose decision panics is answered with a 500 and leaves no trace in its group; a panic anywhere else closes the
//! queue: nobody waits for an answer that cannot come.

mod decider;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use futures_channel::oneshot;

use self::decider::{Decider, Job};
use self::queue::{Leadership, Pushed, Queue, Rest, Work};
use crate::operation::Write;
use crate::refusal;
use crate::reply::Reply;
use crate::state::State;

/// A caller decides at most so many groups in a row: its own, and those of others that queued up meanwhile.
const MOST_GROUPS_OF_A_CALLER: usize = 16;

/// Queues writes, has them decided, and ends that.
#[derive(Debug)]
pub(crate) struct Sequencer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    queue: Queue<Job>,
    /// Locked by who leads.
    decider: Mutex<Decider>,
    state: Arc<State>,
    /// Whether a panic ended it.
    has_panicked: AtomicBool,
}

/// A panic ended the sequencer: writes that it had accepted may not have been decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

impl Sequencer {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start(state: Arc<State>) -> std::io::Result<Sequencer> {
        let decider = Decider::default();
        let queue = Queue::new(decider.has_background_work(&state));
        let shared = Arc::new(Shared {
            queue,
            decider: Mutex::new(decider),
            state,
            has_panicked: AtomicBool::new(false),
        });
        let thread = std::thread::Builder::new().name("keywright-sequencer".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || shared.run()
        })?;
        Ok(Sequencer { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Queues a write; its reply comes after its group's commit.
    pub(crate) fn submit(&self, write: Write) -> Reply {
        let (answer, receiver) = oneshot::channel();
        let may_lead = self.shared.state.storage.commits_at_once();
        match self.shared.queue.push(Job { write, answer }, may_lead) {
            Pushed::Refused => return Reply::ready(Err(refusal::engine_closed())),
            Pushed::Waits => {}
            Pushed::Leads(leadership, jobs) => self.shared.lead(leadership, jobs),
        }
        Reply::pending(receiver)
    }

    /// Whether it refuses new writes: it was closed, or a panic closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.queue.is_closed()
    }

    /// Refuses new writes, finishes the queued ones, and ends the thread.
    ///
    /// # Errors
    /// When a panic had ended it.
    pub(crate) fn close(&self) -> Result<(), Panicked> {
        self.shared.queue.close();
        // Held until the thread has ended: whoever closes it at the same time waits, too.
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take()
            && thread.join().is_err()
        {
            self.shared.report_panic();
        }
        match self.shared.has_panicked.load(Ordering::Relaxed) {
            true => Err(Panicked),
            false => Ok(()),
        }
    }
}

impl Shared {
    /// What the thread does.
    fn run(&self) {
        while let Some((leadership, work)) = self.queue.next() {
            let mut decider = self.decider();
            match work {
                Work::Group(jobs) => decider.answer(jobs, &self.state),
                Work::Background => decider.step(&self.state),
            }
            let has_background = decider.has_background_work(&self.state);
            drop(decider);
            // What came meanwhile is seen in the next round.
            let _ = leadership.give_back(has_background);
        }
    }

    /// What a caller does who leads.
    fn lead(&self, leadership: Leadership<'_, Job>, jobs: Vec<Job>) {
        let led = catch_unwind(AssertUnwindSafe(|| {
            let mut decider = self.decider();
            decider.answer(jobs, &self.state);
            let others = std::iter::from_fn(|| leadership.next_group());
            others.take(MOST_GROUPS_OF_A_CALLER - 1).for_each(|jobs| decider.answer(jobs, &self.state));
            let has_background = decider.has_background_work(&self.state);
            drop(decider);
            if leadership.give_back(has_background) == Rest::Waits {
                self.queue.wake();
            }
        }));
        if led.is_err() {
            self.report_panic();
        }
    }

    fn report_panic(&self) {
        self.has_panicked.store(true, Ordering::Relaxed);
        tracing::error!("the sequencer ended by a panic; its last group was not acknowledged");
    }

    fn decider(&self) -> MutexGuard<'_, Decider> {
        // After a panic nobody decides any more.
        self.decider.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
