//! Decides groups of writes, commits and answers them; and what is done in the background, between them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_channel::oneshot;

use crate::group::Group;
use crate::idempotency::ExpiredTokens;
use crate::operation::Write;
use crate::purge::{Purge, Step};
use crate::refusal;
use crate::reply::Outcome;
use crate::state::State;
use crate::storage::StorageError;

/// A write, and who waits for its outcome.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) write: Write,
    pub(super) answer: oneshot::Sender<Outcome>,
}

/// What one decision leaves for the next ones.
#[derive(Debug)]
pub(super) struct Decider {
    expired: ExpiredTokens,
    purge: Purge,
    last_step: Step,
}

impl Default for Decider {
    fn default() -> Decider {
        Decider { expired: ExpiredTokens::default(), purge: Purge::default(), last_step: Step::Done }
    }
}

impl Decider {
    /// Decides, commits and answers writes, in as few groups as hold them.
    pub(super) fn answer(&mut self, jobs: Vec<Job>, state: &State) {
        let mut jobs = jobs.into_iter().peekable();
        while jobs.peek().is_some() {
            answer_group(&mut jobs, state, &mut self.expired);
        }
        self.last_step = Step::Done;
    }

    /// Whether dropped tables wait to be emptied, and nothing keeps them from it.
    pub(super) fn has_background_work(&self, state: &State) -> bool {
        self.last_step == Step::Done && !state.is_stopped() && self.purge.has_work(&state.catalog())
    }

    /// Empties dropped tables by one batch.
    pub(super) fn step(&mut self, state: &State) {
        self.last_step = self.purge.step(state);
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
