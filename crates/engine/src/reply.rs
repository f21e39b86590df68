//! The answer to a call: at once for reads and refusals, after its group's commit for writes.
//!
//! Needs no runtime: a `Reply` is awaited on any executor, or waited for on a thread.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_channel::oneshot;
use keywright_api::{Error, Response};

/// The outcome of one call.
pub type Outcome = Result<Response, Error>;

/// The answer to a call, which may still be on its way.
///
/// Dropping a `Reply` does not withdraw the call: a write that was queued is carried out.
#[must_use = "a write's outcome is known only when its reply is awaited"]
#[derive(Debug)]
pub struct Reply(State);

#[derive(Debug)]
enum State {
    Ready(Option<Box<Outcome>>),
    Pending(oneshot::Receiver<Outcome>),
}

impl Reply {
    /// Blocks this thread until the answer is there.
    ///
    /// # Errors
    /// The refusal of the call, as the service words it.
    pub fn wait(self) -> Outcome {
        pollster::block_on(self)
    }

    pub(crate) fn ready(outcome: Outcome) -> Reply {
        Reply(State::Ready(Some(Box::new(outcome))))
    }

    pub(crate) fn pending(receiver: oneshot::Receiver<Outcome>) -> Reply {
        Reply(State::Pending(receiver))
    }
}

impl Future for Reply {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        match &mut self.0 {
            State::Ready(outcome) => match outcome.take() {
                Some(outcome) => Poll::Ready(*outcome),
                None => unreachable!("a future is not polled after it answered"),
            },
            State::Pending(receiver) => Pin::new(receiver).poll(context).map(|received| {
                received.unwrap_or_else(|oneshot::Canceled| Err(crate::refusal::engine_stopped()))
            }),
        }
    }
}
