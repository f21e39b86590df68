//! One thread that decides every write, in order, in groups.
//!
//! A group is what queued up while the group before it was being committed, or as much of it as one commit should hold. Its
//! requests are decided one after another, each against all earlier ones; then the group is committed in one durable
//! transaction, published, and only then answered, refusals included, since a refusal may rest on a write of the same group.
//! Requests are parsed, bound, checked and encoded before they are queued: here a condition is evaluated and an update
//! applied, and nothing slower runs. A request whose decision panics is answered with a 500 and leaves no trace in its group;
//! a panic anywhere else ends the thread, and with it the queue: nobody waits for an answer that cannot come.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use futures_channel::oneshot;

use crate::group::Group;
use crate::idempotency::ExpiredTokens;
use crate::operation::Write;
use crate::purge::{Purge, Step};
use crate::refusal;
use crate::reply::{Outcome, Reply};
use crate::state::State;
use crate::storage::StorageError;

/// A group ends at this many writes, so that the first of them does not wait for ever.
const GROUP_WRITES: usize = 1024;

/// The handle to the thread: queues writes, and ends it.
#[derive(Debug)]
pub(crate) struct Sequencer {
    queue: Arc<Queue>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Sequencer {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start(state: Arc<State>) -> std::io::Result<Sequencer> {
        let queue = Arc::new(Queue::default());
        let thread = std::thread::Builder::new().name("keywright-sequencer".to_owned()).spawn({
            let queue = Arc::clone(&queue);
            move || run(&queue, &state)
        })?;
        Ok(Sequencer { queue, thread: Mutex::new(Some(thread)) })
    }

    /// Queues a write; its reply comes after its group's commit.
    pub(crate) fn submit(&self, write: Write) -> Reply {
        let (answer, receiver) = oneshot::channel();
        let mut pending = self.queue.lock();
        if pending.closed {
            return Reply::ready(Err(refusal::engine_closed()));
        }
        pending.jobs.push_back(Job { write, answer });
        drop(pending);
        self.queue.changed.notify_one();
        Reply::pending(receiver)
    }

    /// Whether it refuses new writes: it was closed, or its thread ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.queue.lock().closed
    }

    /// Refuses new writes, finishes the queued ones, and ends the thread.
    pub(crate) fn close(&self) {
        self.queue.lock().closed = true;
        self.queue.changed.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the sequencer ended by a panic; its last group was not acknowledged");
        }
    }
}

#[derive(Debug)]
struct Job {
    write: Write,
    answer: oneshot::Sender<Outcome>,
}

#[derive(Debug, Default)]
struct Queue {
    pending: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Pending {
    jobs: VecDeque<Job>,
    closed: bool,
}

/// What the thread does next.
enum Work {
    Group(Vec<Job>),
    Idle,
    End,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        // The jobs are whole at every point where the lock can be lost.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next group; waits for one unless there is `background` work to do.
    fn next(&self, background: Background) -> Work {
        let mut pending = self.lock();
        loop {
            if !pending.jobs.is_empty() {
                return Work::Group(take_group(&mut pending.jobs));
            }
            if pending.closed {
                return Work::End;
            }
            if background == Background::Waiting {
                return Work::Idle;
            }
            pending = self.changed.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Whether dropped tables wait to be emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Background {
    Waiting,
    Nothing,
}

fn take_group(jobs: &mut VecDeque<Job>) -> Vec<Job> {
    let count = jobs.len().min(GROUP_WRITES);
    jobs.drain(..count).collect()
}

/// Closes the queue with its thread, however the thread ends.
struct EndOfThread<'queue>(&'queue Queue);

impl Drop for EndOfThread<'_> {
    fn drop(&mut self) {
        let mut pending = self.0.lock();
        pending.closed = true;
        let unanswered = std::mem::take(&mut pending.jobs);
        drop(pending);
        // Their callers wake up, which is not for the lock.
        drop(unanswered);
    }
}

fn run(queue: &Queue, state: &State) {
    let _end = EndOfThread(queue);
    let mut last_step = Step::Done;
    let (mut expired, mut purge) = (ExpiredTokens::default(), Purge::default());
    loop {
        let has_background = purge.has_work(&state.catalog()) && !state.is_stopped();
        let background = match has_background && last_step == Step::Done {
            true => Background::Waiting,
            false => Background::Nothing,
        };
        match queue.next(background) {
            Work::Group(jobs) => {
                let mut jobs = jobs.into_iter().peekable();
                while jobs.peek().is_some() {
                    answer_group(&mut jobs, state, &mut expired);
                }
                last_step = Step::Done;
            }
            Work::Idle => last_step = purge.step(state),
            Work::End => return,
        }
    }
}

/// Decides jobs until they are all decided or the group is full, commits it, and answers them.
fn answer_group(jobs: &mut impl Iterator<Item = Job>, state: &State, expired: &mut ExpiredTokens) {
    let mut group = match Group::begin(state) {
        Ok(group) => group,
        Err(error) => {
            let refused = refusal::storage(&error);
            jobs.for_each(|job| send(job.answer, Err(refused.clone())));
            return;
        }
    };
    let mut decided = Vec::new();
    while !group.is_full() {
        let Some(Job { write, answer }) = jobs.next() else { break };
        decided.push((answer, decide(write, &mut group)));
    }
    match group.commit(expired) {
        Ok(()) => decided.into_iter().for_each(|(answer, outcome)| send(answer, outcome)),
        Err(error) => {
            let writes = decided.len();
            match error {
                StorageError::DiskFull { .. } => {}
                StorageError::Damaged { .. } => {
                    tracing::error!(%error, writes, "a group could not be committed; nothing of it was written");
                }
                StorageError::Stopped { .. } => {
                    tracing::error!(
                        %error, writes, "a group could not be committed; the engine takes no more writes"
                    );
                    state.stop();
                }
            }
            let refused = refusal::storage(&error);
            decided.into_iter().for_each(|(answer, _)| send(answer, Err(refused.clone())));
        }
    }
}

fn send(answer: oneshot::Sender<Outcome>, outcome: Outcome) {
    // The caller may have dropped its reply; the write stands all the same.
    let _ = answer.send(outcome);
}

fn decide(write: Write, group: &mut Group<'_>) -> Outcome {
    // Deciding reads the group and returns a change: a panic in it leaves the group as it was.
    let decided = catch_unwind(AssertUnwindSafe(|| write.decide(group)));
    let (change, response) = decided.unwrap_or_else(|_| Err(refusal::panicked()))?;
    group.apply(change);
    Ok(response)
}
