//! Carries out a batch: a few calls at once, pauses on the client's clock, an end to it.
//!
//! Each of the lanes sends one chunk after the other. A chunk of members that come back waits before it is sent, exponentially longer
//! with every try and by chance; so does a lane none of whose last members was processed. Others go on: a table that takes nine
//! tenths of each call is not slow.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws_smithy_async::rt::sleep::AsyncSleep;
use futures_util::future::join_all;
use tracing::{Instrument, Span};

use super::budget::{OnProgress, Settings};
use super::queue::{Chunk, ChunkLimits, Queue};
use crate::error::ServiceError;
use crate::store::Shared;
use crate::write::fraction;

/// A batch that is carried out.
struct Run<'r, 'p> {
    shared: &'r Shared,
    limits: ChunkLimits,
    queue: Mutex<Queue>,
    on_progress: Option<OnProgress<'p>>,
    /// When nothing is sent any more, since the beginning of 1970.
    deadline: Duration,
}

/// Sends members with these sizes until all are done, or the budget is used up.
///
/// `send` gives the places of those members that came back.
pub(super) async fn run<Sent>(
    shared: &Shared,
    settings: Settings<'_>,
    limits: ChunkLimits,
    span: Span,
    sizes: impl Iterator<Item = usize>,
    send: impl Fn(Vec<usize>) -> Sent,
) -> Queue
where
    Sent: Future<Output = Result<Vec<usize>, ServiceError>>,
{
    let run = Run {
        shared,
        limits,
        queue: Mutex::new(Queue::new(sizes, settings.budget)),
        on_progress: settings.on_progress,
        deadline: shared.clock.since_epoch().saturating_add(settings.budget.overall),
    };
    join_all((0..settings.in_flight.get()).map(|_| run.lane(&send))).instrument(span.clone()).await;
    let mut queue = run.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.left.sort_by_key(|left| left.position);
    let (done, left, calls) = (queue.done, queue.left.len(), queue.calls);
    span.record("calls", calls);
    span.record("done", done);
    span.record("left", left);
    if left > 0 {
        tracing::warn!(parent: &span, done, left, calls, reason = ?queue.reason(), "a batch was not finished");
    }
    queue
}

impl Run<'_, '_> {
    async fn lane<Sent>(&self, send: &impl Fn(Vec<usize>) -> Sent)
    where
        Sent: Future<Output = Result<Vec<usize>, ServiceError>>,
    {
        // Calls of this lane in a row that got nothing done.
        let mut in_vain: u32 = 0;
        while let Some(chunk) = self.next() {
            let pause = self.pause(chunk.tries().max(in_vain));
            if self.shared.clock.since_epoch().saturating_add(pause) > self.deadline {
                self.queue().leave(chunk);
                return;
            }
            if !pause.is_zero()
                && let Some(sleep) = self.shared.client.config().sleep_impl()
            {
                sleep.sleep(pause).await;
            }
            let positions: Vec<usize> = chunk.members.iter().map(|member| member.position).collect();
            let members = positions.len();
            let answer = send(positions).await;
            let processed = answer.as_ref().map_or(0, |left| members.saturating_sub(left.len()));
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

    fn take_in(&self, chunk: Chunk, answer: Result<Vec<usize>, ServiceError>) {
        let progress = {
            let mut queue = self.queue();
            queue.take_in(chunk, answer);
            queue.progress()
        };
        if let Some(tell) = &self.on_progress {
            tell.lock().unwrap_or_else(PoisonError::into_inner)(progress);
        }
    }

    /// How long to wait before a try that so many tries came before.
    fn pause(&self, tries: u32) -> Duration {
        let Some(doublings) = tries.checked_sub(1) else { return Duration::ZERO };
        let first = self.shared.retry.initial_backoff().min(Duration::from_millis(50));
        let longest =
            first.saturating_mul(2_u32.saturating_pow(doublings)).min(self.shared.retry.max_backoff());
        longest.mul_f64(fraction())
    }

    /// Never held while something is waited for.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
