//! What faults do to an answer on its way: members that were left are added, it is delayed, it is lost.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use super::{Delivered, Source, deliver_loss};
use crate::clock::{Clock, Sleep};
use crate::faults::{Loss, Unprocessed};

/// What happens between a commit and the arrival of its answer.
pub(crate) struct AfterCommit {
    pub(crate) unprocessed: Option<Unprocessed>,
    pub(crate) delay: Duration,
    pub(crate) loss: Option<Loss>,
    pub(crate) clock: Arc<dyn Clock>,
    /// What arrives, and when; from the commit on.
    pub(crate) arrival: Option<(Sleep, Delivered)>,
}

impl AfterCommit {
    pub(super) fn poll(&mut self, source: &mut Source, context: &mut Context<'_>) -> Poll<Delivered> {
        if self.arrival.is_none() {
            let mut delivered = ready!(source.poll(context));
            if let (Some(unprocessed), Ok(Ok(response))) = (self.unprocessed.take(), &mut delivered) {
                unprocessed.add_to(response);
            }
            if let Some(loss) = self.loss.take() {
                delivered = deliver_loss(loss);
            }
            if self.delay.is_zero() {
                return Poll::Ready(delivered);
            }
            self.arrival = Some((self.clock.sleep(self.delay), delivered));
        }
        match &mut self.arrival {
            Some((sleep, _)) => ready!(sleep.as_mut().poll(context)),
            None => unreachable!("an arrival was set"),
        }
        match self.arrival.take() {
            Some((_, delivered)) => Poll::Ready(delivered),
            None => unreachable!("a future is not polled after it answered"),
        }
    }
}

impl Debug for AfterCommit {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AfterCommit")
            .field("delay", &self.delay)
            .field("loss", &self.loss)
            .finish_non_exhaustive()
    }
}
