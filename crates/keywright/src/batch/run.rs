//! Carries out a batch: a few calls at once, pauses on the client's clock, an end to it.
//!
//! Each of the lanes sends one chunk after the other. A chunk of members that come back waits before it is sent, exponentially longer
//! with every try and by chance; so does a lane none of whose last members was processed. Others go on: a table that takes nine
//! tenths of each call is not slow.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use tracing::{Instrument, Span};

use super::budget::{OnProgress, Settings};
use super::queue::{CameBack, Chunk, ChunkLimits, Queue};
use crate::error::ServiceError;
use crate::retry::CountedAs;
use crate::store::Shared;
use crate::trace;

/// A batch that is carried out.
struct Run<'r, 'p, Named> {
    shared: &'r Shared,
    limits: ChunkLimits,
    queue: Mutex<Queue>,
    on_progress: Option<OnProgress<'p>>,
    /// When nothing is sent any more, since the beginning of 1970.
    deadline: Duration,
    /// In whose name the call about a member is counted.
    counted_as: Named,
}

/// Sends members with these sizes until all are done, or the budget is used up.
///
/// `send` gives those members that came back.
pub(super) async fn run<Sent>(
    shared: &Shared,
    settings: Settings<'_>,
    limits: ChunkLimits,
    span: Span,
    sizes: impl Iterator<Item = usize>,
    counted_as: impl Fn(usize) -> CountedAs,
    send: impl Fn(Vec<usize>) -> Sent,
) -> Queue
where
    Sent: Future<Output = Result<CameBack, ServiceError>>,
{
    let run = Run {
        shared,
        limits,
        queue: Mutex::new(Queue::new(sizes, settings.budget)),
        on_progress: settings.on_progress,
        deadline: shared.clock.since_epoch().saturating_add(settings.budget.overall),
        counted_as,
    };
    join_all((0..settings.in_flight.get()).map(|_| run.lane(&send))).instrument(span.clone()).await;
    let mut queue = run.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.left.sort_by_key(|left| left.position);
    let (done, left, calls) = (queue.done, queue.left.len(), queue.calls);
    trace::record_batch(&span, calls, done, left);
    if left > 0 {
        tracing::warn!(parent: &span, done, left, calls, reason = ?queue.reason(), "a batch was not finished");
    }
    queue
}

impl<Named: Fn(usize) -> CountedAs> Run<'_, '_, Named> {
    async fn lane<Sent>(&self, send: &impl Fn(Vec<usize>) -> Sent)
    where
        Sent: Future<Output = Result<CameBack, ServiceError>>,
    {
        // Calls of this lane in a row that got nothing done.
        let mut in_vain: u32 = 0;
        let mut drawn = Drawn::default();
        while let Some(chunk) = self.next() {
            let pause = drawn.pause(self.shared, chunk.tries().max(in_vain));
            if self.shared.clock.since_epoch().saturating_add(pause) > self.deadline {
                self.queue().leave(chunk);
                return;
            }
            self.shared.sleep(pause).await;
            let members = chunk.members.len();
            // In whose names the call is counted.
            let names = each_once(chunk.members.iter().map(|member| (self.counted_as)(member.position)));
            if chunk.tries() > 0 {
                names.iter().for_each(|name| self.shared.counters.retry(*name));
            }
            let answer = send(chunk.members.iter().map(|member| member.position).collect()).await;
            drawn.count(self.shared, names, answer.as_ref().err());
            let processed = answer.as_ref().map_or(0, |back| members.saturating_sub(back.places.len()));
            if processed < members {
                tracing::debug!(members, processed, "a part of a batch came back");
            }
            in_vain = if processed == 0 { in_vain.saturating_add(1) } else { 0 };
            self.take_in(chunk, answer);
        }
    }

    fn next(&self) -> Option<Chunk> {
        self.queue().take(self.limits)
    }

    fn take_in(&self, chunk: Chunk, answer: Result<CameBack, ServiceError>) {
        let progress = {
            let mut queue = self.queue();
            queue.take_in(chunk, answer);
            queue.progress()
        };
        if let Some(tell) = &self.on_progress {
            tell.lock().unwrap_or_else(PoisonError::into_inner)(progress);
        }
    }

    /// Never held while something is waited for.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Each of these names once.
pub(super) fn each_once(all: impl Iterator<Item = CountedAs>) -> Vec<CountedAs> {
    let mut names: Vec<CountedAs> = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What calls that follow each other drew on the store's reserve. A batch goes on without: it makes few calls at once, and has an end of its
/// own. Its pauses are the longest ones then.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// The retries that were taken since a call was answered last.
    retries: u32,
    /// Whether there was none left for the last failed call.
    is_empty: bool,
}

impl Drawn {
    /// Counts what became of a call. One that failed takes a retry, and one that is answered gives all of them back.
    pub(super) fn count(&mut self, shared: &Shared, names: Vec<CountedAs>, error: Option<&ServiceError>) {
        let Some(error) = error else {
            shared.retries.answered(std::mem::take(&mut self.retries));
            self.is_empty = false;
            return;
        };
        names.into_iter().for_each(|name| shared.counters.failure(name, error));
        shared.counters.reasons(error);
        if error.problem().is_passing() {
            let is_taken = shared.retries.take();
            self.retries = self.retries.saturating_add(u32::from(is_taken));
            self.is_empty = !is_taken;
        }
    }

    /// How long to wait before a try that so many came before.
    pub(super) fn pause(&self, shared: &Shared, tries: u32) -> Duration {
        if self.is_empty { shared.retries.pause_for_want_of_reserve() } else { shared.retries.pause(tries) }
    }
}
