//! What of a batch waits to be sent, and what became of the rest. Never waits, and never reads the clock.
//!
//! What comes back goes behind what was never sent, so that it is gathered into full chunks again: a tenth left of 400 chunks is 40
//! more calls, not 400.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use super::budget::{BatchBudget, BatchProgress};
use super::error::{Fate, UnfinishedReason};
use crate::error::{ServiceError, ServiceProblem};

/// How much one call takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkLimits {
    pub(super) members: usize,
    pub(super) bytes: usize,
}

/// A member that is to be sent.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) position: usize,
    bytes: usize,
    /// How often it was sent, and came back for another reason than the size of an answer.
    tries: u32,
    /// Whether an answer about it was lost.
    was_lost: bool,
    /// When it was taken into the queue, since the beginning of 1970.
    since: Duration,
}

/// A member that will not be sent again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) position: usize,
    was_lost: bool,
}

/// Members of one call.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) members: Vec<Waiting>,
}

/// The members that came back of a call, by their places.
#[derive(Debug)]
pub(super) struct CameBack {
    pub(super) places: Vec<usize>,
    pub(super) why: WhyBack,
}

/// Why members come back of a call that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhyBack {
    /// The answer is as large as answers are. Nothing went wrong, so that is no try of theirs, and nothing waits for it.
    AnswerIsFull,
    /// There was no throughput for them.
    NoThroughput,
}

/// The members of a batch, wherever they are.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    budget: BatchBudget,
    total: usize,
    pub(super) done: usize,
    pub(super) calls: u64,
    sent_again: u64,
    pub(super) left: Vec<Left>,
    ended: Option<UnfinishedReason>,
    pub(super) last_error: Option<ServiceError>,
}

impl CameBack {
    /// Nothing yet.
    pub(super) const fn nothing() -> CameBack {
        CameBack { places: Vec::new(), why: WhyBack::AnswerIsFull }
    }

    /// These, too. If there was no throughput for some of them, that is why they wait.
    pub(super) fn add(&mut self, places: Vec<usize>, why: WhyBack) {
        if !places.is_empty() && why == WhyBack::NoThroughput {
            self.why = why;
        }
        self.places.extend(places);
    }
}

impl Chunk {
    /// How many tries the member had that had most.
    pub(super) fn tries(&self) -> u32 {
        self.members.iter().map(|member| member.tries).max().unwrap_or(0)
    }

    /// When the member was taken that was taken first.
    pub(super) fn since(&self) -> Duration {
        self.members.iter().map(|member| member.since).min().unwrap_or_default()
    }
}

impl Queue {
    /// Members with these sizes in bytes.
    pub(super) fn new(sizes: impl Iterator<Item = usize>, budget: BatchBudget) -> Queue {
        let mut queue = Queue::empty(budget);
        for (position, bytes) in sizes.enumerate() {
            queue.push(position, bytes, Duration::ZERO);
        }
        queue
    }

    /// No members yet.
    pub(super) const fn empty(budget: BatchBudget) -> Queue {
        Queue {
            total: 0,
            waiting: VecDeque::new(),
            budget,
            done: 0,
            calls: 0,
            sent_again: 0,
            left: Vec::new(),
            ended: None,
            last_error: None,
        }
    }

    /// One more member, which is taken at this moment.
    pub(super) fn push(&mut self, position: usize, bytes: usize, now: Duration) {
        self.total += 1;
        self.waiting.push_back(Waiting { position, bytes, tries: 0, was_lost: false, since: now });
    }

    /// How many members wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing is sent any more.
    pub(super) const fn is_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// The members of the next call: as many as fit. None if nothing waits.
    pub(super) fn take(&mut self, limits: ChunkLimits) -> Option<Chunk> {
        let mut members = Vec::new();
        let mut bytes = 0_usize;
        while let Some(next) = self.waiting.front() {
            let with_it = bytes.saturating_add(next.bytes);
            if members.len() == limits.members || (with_it > limits.bytes && !members.is_empty()) {
                break;
            }
            bytes = with_it;
            members.extend(self.waiting.pop_front());
        }
        (!members.is_empty()).then_some(Chunk { members })
    }

    /// Takes in what became of a call: what came back, or what happened instead of an answer.
    pub(super) fn take_in(&mut self, chunk: Chunk, answer: Result<CameBack, ServiceError>) {
        self.calls += 1;
        match answer {
            Ok(CameBack { places, why }) => {
                let left: HashSet<usize> = places.into_iter().collect();
                for mut member in chunk.members {
                    if left.contains(&member.position) {
                        member.tries += u32::from(why == WhyBack::NoThroughput);
                        self.again(member);
                    } else {
                        self.done += 1;
                    }
                }
            }
            Err(error) => {
                let problem = error.problem();
                self.last_error = Some(error);
                if matches!(problem, ServiceProblem::Refused | ServiceProblem::Denied) {
                    self.end(UnfinishedReason::Refused);
                }
                for mut member in chunk.members {
                    member.was_lost |= problem == ServiceProblem::Unanswered;
                    member.tries += 1;
                    self.again(member);
                }
            }
        }
    }

    /// Ends the batch: what waits is left.
    pub(super) fn end(&mut self, reason: UnfinishedReason) {
        self.ended.get_or_insert(reason);
        let waiting = std::mem::take(&mut self.waiting);
        self.left.extend(waiting.into_iter().map(Left::from));
    }

    /// Leaves these members, too, because the time is over.
    pub(super) fn leave(&mut self, chunk: Chunk) {
        self.left.extend(chunk.members.into_iter().map(Left::from));
        self.end(UnfinishedReason::Time);
    }

    /// How far it is.
    pub(super) const fn progress(&self) -> BatchProgress {
        BatchProgress { done: self.done, total: self.total, calls: self.calls, sent_again: self.sent_again }
    }

    /// Why something is left.
    pub(super) fn reason(&self) -> UnfinishedReason {
        self.ended.unwrap_or(UnfinishedReason::Tries)
    }

    fn again(&mut self, member: Waiting) {
        if self.ended.is_some() || member.tries >= self.budget.tries.get() {
            self.left.push(Left::from(member));
        } else {
            self.sent_again += 1;
            self.waiting.push_back(member);
        }
    }
}

impl Left {
    /// What is known of it.
    pub(super) const fn fate(&self) -> Fate {
        if self.was_lost { Fate::Unknown } else { Fate::NoEffect }
    }
}

impl From<Waiting> for Left {
    fn from(member: Waiting) -> Left {
        Left { position: member.position, was_lost: member.was_lost }
    }
}
