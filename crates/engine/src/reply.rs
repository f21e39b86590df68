//! The answer to a call: at once for reads and refusals, after its group's commit for writes.
//!
//! Needs no runtime: a `Reply` is awaited on any executor, or waited for on a thread.

mod after;

use std::fmt::{self, Display, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_channel::oneshot;
use keywright_api::{Error, Response};

use crate::faults::Loss;
use crate::refusal;

pub(crate) use after::AfterCommit;

/// The outcome of one call.
pub type Outcome = Result<Response, Error>;

/// The answer to a call, which may still be on its way.
///
/// Dropping a `Reply` does not withdraw the call: a write that was queued is carried out.
#[must_use = "a write's outcome is known only when its reply is awaited"]
#[derive(Debug)]
pub struct Reply {
    source: Source,
    /// What the faults do to it on its way.
    after: Option<Box<AfterCommit>>,
}

/// A [`Reply`] as a client behind a connection gets it: as an outcome, or as a connection that is cut.
#[must_use = "a write's outcome is known only when its reply is awaited"]
#[derive(Debug)]
pub struct Delivery(Reply);

/// The connection is to be closed without an answer, since a rule of the [faults](crate::faults) says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionCut;

#[derive(Debug)]
enum Source {
    Ready(Option<Box<Delivered>>),
    Pending(oneshot::Receiver<Outcome>),
    Delayed(oneshot::Receiver<Delivered>),
}

type Delivered = Result<Outcome, ConnectionCut>;

impl Reply {
    /// Blocks this thread until the answer is there.
    ///
    /// # Errors
    /// The refusal of the call, as the service words it.
    pub fn wait(self) -> Outcome {
        pollster::block_on(self)
    }

    /// The same, for who has a connection to cut. As an [`Outcome`], a connection that is cut is an
    /// [`Error::InternalServerError`] that says so.
    pub fn delivery(self) -> Delivery {
        Delivery(self)
    }

    pub(crate) fn ready(outcome: Outcome) -> Reply {
        Reply::delivered(Ok(outcome))
    }

    /// The answer of a call that is not carried out.
    pub(crate) fn lost(loss: Loss) -> Reply {
        Reply::delivered(deliver_loss(loss))
    }

    pub(crate) fn pending(receiver: oneshot::Receiver<Outcome>) -> Reply {
        Reply { source: Source::Pending(receiver), after: None }
    }

    /// The answer of a call that is delayed; without one, the engine was closed before its time.
    pub(crate) fn delayed(receiver: oneshot::Receiver<Delivered>) -> Reply {
        Reply { source: Source::Delayed(receiver), after: None }
    }

    /// The same, with what happens to it on its way.
    pub(crate) fn then(mut self, after: AfterCommit) -> Reply {
        self.after = Some(Box::new(after));
        self
    }

    fn delivered(delivered: Delivered) -> Reply {
        Reply { source: Source::Ready(Some(Box::new(delivered))), after: None }
    }

    fn poll_delivered(&mut self, context: &mut Context<'_>) -> Poll<Delivered> {
        match &mut self.after {
            None => self.source.poll(context),
            Some(after) => after.poll(&mut self.source, context),
        }
    }
}

impl Future for Reply {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        self.poll_delivered(context).map(|delivered| {
            delivered.unwrap_or_else(|cut| Err(Error::InternalServerError { reason: cut.to_string() }))
        })
    }
}

impl Future for Delivery {
    type Output = Result<Outcome, ConnectionCut>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Outcome, ConnectionCut>> {
        self.0.poll_delivered(context)
    }
}

impl Source {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Delivered> {
        match self {
            Source::Ready(delivered) => match delivered.take() {
                Some(delivered) => Poll::Ready(*delivered),
                None => unreachable!("a future is not polled after it answered"),
            },
            Source::Pending(receiver) => Pin::new(receiver).poll(context).map(|received| {
                Ok(received.unwrap_or_else(|oneshot::Canceled| Err(refusal::engine_stopped())))
            }),
            Source::Delayed(receiver) => Pin::new(receiver).poll(context).map(|received| {
                received.unwrap_or_else(|oneshot::Canceled| Ok(Err(refusal::engine_closed())))
            }),
        }
    }
}

/// What arrives of a loss.
fn deliver_loss(loss: Loss) -> Delivered {
    match loss {
        Loss::Error(error) => Ok(Err(error)),
        Loss::Cut => Err(ConnectionCut),
    }
}

impl Display for ConnectionCut {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("the connection was closed before the answer was there, by a rule of the faults")
    }
}

impl std::error::Error for ConnectionCut {}
