//! The tries of one call.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_async::rt::sleep::AsyncSleep;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use super::deadline::Deadline;
use super::jitter::Draws;
use super::policy::RetryPolicy;
use super::reserve::{RETRY, Reserve};
use crate::error::ServiceError;
use crate::store::Shared;

/// The retries of a store.
#[derive(Debug)]
pub(crate) struct Retries {
    policy: RetryPolicy,
    reserve: Reserve,
    draws: Draws,
}

/// In whose name a call is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedAs {
    /// A read of this access pattern.
    Read(&'static str),
    /// A write of this entity.
    Write(&'static str),
}

impl CountedAs {
    /// The access pattern or the entity.
    const fn name(self) -> &'static str {
        match self {
            CountedAs::Read(name) | CountedAs::Write(name) => name,
        }
    }
}

/// The tries of one call: how many were made, and whether there is another.
#[derive(Debug)]
pub(crate) struct Tries<'s> {
    shared: &'s Shared,
    counted_as: CountedAs,
    /// How many were made before the one that is under way.
    before: u32,
    deadline: Deadline,
}

impl Retries {
    pub(crate) fn new(policy: RetryPolicy) -> Retries {
        Retries { policy, reserve: Reserve::new(policy.reserve), draws: Draws::new(policy.jitter) }
    }

    /// How long after its beginning a call is made again at most.
    pub(super) const fn overall(&self) -> Duration {
        self.policy.overall
    }

    /// The pause before a try that so many came before; none before the first.
    pub(crate) fn pause(&self, tries_before: u32) -> Duration {
        let Some(doublings) = tries_before.checked_sub(1) else { return Duration::ZERO };
        let longest = self.policy.first_pause.saturating_mul(2_u32.saturating_pow(doublings));
        longest.min(self.policy.longest_pause).mul_f64(self.draws.next())
    }

    /// The pause of those who go on when the reserve is empty, since they make one call at a time and have an end of their own.
    pub(crate) fn pause_for_want_of_reserve(&self) -> Duration {
        self.policy.longest_pause.mul_f64(self.draws.next())
    }

    /// Takes a retry from the reserve; whether there was one.
    pub(crate) fn take(&self) -> bool {
        self.reserve.take()
    }

    /// A call was answered, after so many retries.
    pub(crate) fn answered(&self, retries: u32) {
        self.reserve.give(if retries == 0 { 1 } else { retries.saturating_mul(RETRY) });
    }
}

impl<'s> Tries<'s> {
    /// Before the first try.
    pub(crate) const fn begin(shared: &'s Shared, counted_as: CountedAs, deadline: Deadline) -> Tries<'s> {
        Tries { shared, counted_as, before: 0, deadline }
    }

    /// The service answered: whether as was hoped does not matter.
    pub(crate) fn answered(&self) {
        self.shared.retries.answered(self.before);
    }

    /// Counts a try that was throttled or not answered.
    pub(crate) fn failed(&self, error: &ServiceError) {
        self.shared.counters.failure(self.counted_as, error);
        self.shared.counters.reasons(error);
    }

    /// Waits for the next try; whether there is one.
    pub(crate) async fn wait(&mut self) -> bool {
        let retries = &self.shared.retries;
        if self.before.saturating_add(1) >= retries.policy.tries.get() {
            return false;
        }
        let pause = retries.pause(self.before.saturating_add(1));
        if !self.deadline.allows(self.shared, pause) {
            return false;
        }
        if !retries.take() {
            tracing::warn!(
                counted_as = ?self.counted_as,
                "a call is not made again: too many calls of this store had to be, and too few succeeded"
            );
            return false;
        }
        self.before = self.before.saturating_add(1);
        self.shared.counters.retry(self.counted_as);
        self.shared.sleep(pause).await;
        true
    }
}

/// Makes a call that changes nothing until it is answered, or no further try is to be made.
///
/// # Errors
/// What became of the last try.
pub(crate) async fn read<Output, Failure, Sent>(
    shared: &Shared,
    counted_as: CountedAs,
    deadline: Deadline,
    mut send: impl FnMut() -> Sent,
) -> Result<Output, ServiceError>
where
    Sent: Future<Output = Result<Output, SdkError<Failure, HttpResponse>>>,
    Failure: ProvideErrorMetadata + Error + Send + Sync + 'static,
{
    let mut tries = Tries::begin(shared, counted_as, deadline);
    loop {
        let error = match send().await {
            Ok(output) => {
                tries.answered();
                return Ok(output);
            }
            Err(error) => ServiceError::new(error).about(counted_as.name()),
        };
        tries.failed(&error);
        if !error.problem().is_passing() || !tries.wait().await {
            return Err(error);
        }
    }
}

impl Shared {
    /// Sleeps on the client's clock.
    pub(crate) async fn sleep(&self, duration: Duration) {
        if !duration.is_zero()
            && let Some(sleep) = self.calls.config().sleep_impl()
        {
            sleep.sleep(duration).await;
        }
    }
}
