//! When a call ends, of however many requests it is made.

use std::time::Duration;

use crate::store::Shared;

/// When a call of the caller's is not made again any more. All requests that it needs share it: a read that asks what became of a write
/// has what time the write has left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(
    /// Since the beginning of 1970.
    Duration,
);

impl Deadline {
    /// That of a call which begins now.
    pub(crate) fn of_call(shared: &Shared) -> Deadline {
        Deadline(shared.clock.since_epoch().saturating_add(shared.retries.overall()))
    }

    /// Whether nothing is to begin any more.
    pub(crate) fn is_over(self, shared: &Shared) -> bool {
        shared.clock.since_epoch() > self.0
    }

    /// Whether a try may begin after this pause.
    pub(super) fn allows(self, shared: &Shared, pause: Duration) -> bool {
        shared.clock.since_epoch().saturating_add(pause) <= self.0
    }
}
