//! Reads request bodies within limits of size, time and memory.
//!
//! - A body of up to [`SMALL_BODY_BYTES`] never waits for others.
//! - A larger one first takes its share of the budget, once and whole, so that no two bodies wait for each other;
//!   until then it stays unread in the sender's socket. The share is returned when the [`Body`] is dropped.
//! - Whoever has the share must send on: a body that stalls or drips gives it back by its timeout, sooner when others wait.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use tokio::time::timeout;

use crate::budget::{Budget, Share, Supply};
use crate::options::Limits;
use crate::pace::{Pace, Progress};

/// A body of up to this size is not counted.
const SMALL_BODY_BYTES: usize = 64 * 1024;

/// How much of a refused body is read and thrown away, in multiples of the limit, so that a client that only
/// reads after it has sent everything gets to see its refusal.
const DISCARDED_LIMITS: usize = 4;

/// The memory that the bodies of all connections share.
#[derive(Debug)]
pub(crate) struct BodyBudget {
    shares: Budget,
    body_bytes: usize,
    pace: Pace,
    whole_timeout: Duration,
}

/// A whole body. Its share of the budget lives as long as it does.
#[derive(Debug)]
pub(crate) struct Body {
    bytes: Bytes,
    _share: Option<Share>,
}

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyRefusal {
    /// Longer than the limit.
    TooLarge,
    /// Stalled, or slower than the limit.
    TooSlow,
    /// Cut off, or not HTTP.
    Broken,
}

impl Body {
    /// The bytes as they were sent.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl BodyBudget {
    /// A budget with everything free.
    pub(crate) fn new(limits: &Limits) -> BodyBudget {
        BodyBudget {
            shares: Budget::new(limits.buffered_body_bytes.max(limits.body_bytes)),
            body_bytes: limits.body_bytes,
            pace: Pace {
                patience: limits.body_stall_timeout,
                bytes_per_second: limits.slowest_bytes_per_second,
            },
            whole_timeout: limits.body_timeout,
        }
    }

    /// Reads all of `incoming`. `asked_first` says that the sender waits for `100 Continue` before it sends.
    pub(crate) async fn read(&self, incoming: Incoming, asked_first: bool) -> Result<Body, BodyRefusal> {
        let declared =
            incoming.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        if declared.is_some_and(|length| length > self.body_bytes) {
            if !asked_first {
                self.discard(Arrival::new(incoming)).await;
            }
            return Err(BodyRefusal::TooLarge);
        }
        let mut arrival = Arrival::new(incoming);
        let body = match declared {
            Some(length) if length > SMALL_BODY_BYTES => {
                let share = self.shares.take(length).await;
                arrival.got_share();
                let read = self.append(&mut arrival, Vec::with_capacity(length), self.body_bytes);
                let bytes = self.in_time(read).await?;
                Ok(Body { bytes: bytes.into(), _share: Some(share) })
            }
            Some(_) => {
                let at_hand = arrival.at_hand().await?;
                let bytes = match at_hand {
                    // As nearly always: nothing has to be waited for, so no time is told.
                    Some(bytes) if arrival.incoming.is_end_stream() => bytes,
                    first => self.in_time(self.small(&mut arrival, first)).await?,
                };
                Ok(Body { bytes, _share: None })
            }
            None => self.undeclared(&mut arrival).await,
        };
        if matches!(body, Err(BodyRefusal::TooLarge)) {
            self.discard(arrival).await;
        }
        body
    }

    /// A body whose length is known to be small, of which the first frame may be here: usually it is the only one, which is
    /// not copied.
    async fn small(&self, arrival: &mut Arrival, first: Option<Bytes>) -> Result<Bytes, BodyRefusal> {
        let first = match first {
            Some(first) => first,
            None => self.next(arrival).await?.unwrap_or_default(),
        };
        if arrival.incoming.is_end_stream() {
            return Ok(first);
        }
        Ok(self.append(arrival, first.to_vec(), SMALL_BODY_BYTES).await?.into())
    }

    /// A chunked body: once it turns out not to be small, the share of the largest possible body is taken, and
    /// what it did not need is returned at its end.
    async fn undeclared(&self, arrival: &mut Arrival) -> Result<Body, BodyRefusal> {
        let mut bytes = Vec::new();
        let started = async {
            while bytes.len() <= SMALL_BODY_BYTES {
                let Some(data) = self.next(arrival).await? else { return Ok(true) };
                bytes.extend_from_slice(&data);
            }
            Ok(false)
        };
        if self.in_time(started).await? {
            return Ok(Body { bytes: bytes.into(), _share: None });
        }
        let mut share = self.shares.take(self.body_bytes).await;
        arrival.got_share();
        bytes.reserve_exact(self.body_bytes.saturating_sub(bytes.len()));
        let bytes = self.in_time(self.append(arrival, bytes, self.body_bytes)).await?;
        share.shrink_to(bytes.len());
        Ok(Body { bytes: bytes.into(), _share: Some(share) })
    }

    /// The rest of the body after `bytes`, which it stays within `limit` with.
    async fn append(
        &self,
        arrival: &mut Arrival,
        mut bytes: Vec<u8>,
        limit: usize,
    ) -> Result<Vec<u8>, BodyRefusal> {
        while let Some(data) = self.next(arrival).await? {
            if bytes.len() + data.len() > limit {
                return Err(BodyRefusal::TooLarge);
            }
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }

    /// The next piece, or `None` at the end.
    async fn next(&self, arrival: &mut Arrival) -> Result<Option<Bytes>, BodyRefusal> {
        loop {
            let frame = timeout(self.pace.tick(), arrival.incoming.frame()).await;
            let data = match frame {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(BodyRefusal::Broken),
                Ok(Some(Ok(frame))) => frame.into_data().ok(),
                Err(_) => None,
            };
            if let Some(data) = &data {
                arrival.progress.made(data.len());
            }
            let supply = match arrival.holding {
                Holding::Nothing => Supply::Plenty,
                Holding::Share => self.shares.supply(),
            };
            if arrival.progress.is_too_slow(&self.pace, supply) {
                return Err(BodyRefusal::TooSlow);
            }
            if data.is_some() {
                return Ok(data);
            }
        }
    }

    /// Reads and forgets a refused body, as far as that is worth it.
    async fn discard(&self, mut arrival: Arrival) {
        let most = self.body_bytes.saturating_mul(DISCARDED_LIMITS);
        arrival.progress = Progress::start();
        arrival.holding = Holding::Nothing;
        let forget = async {
            let mut seen = 0_usize;
            while seen < most
                && let Some(data) = self.next(&mut arrival).await?
            {
                seen += data.len();
            }
            Ok(())
        };
        if let Err(refusal) = self.in_time(forget).await {
            tracing::debug!(?refusal, "a refused body was not read to its end");
        }
    }

    async fn in_time<Output>(
        &self,
        work: impl Future<Output = Result<Output, BodyRefusal>>,
    ) -> Result<Output, BodyRefusal> {
        timeout(self.whole_timeout, work).await.unwrap_or(Err(BodyRefusal::TooSlow))
    }
}

/// A body on its way.
#[derive(Debug)]
struct Arrival {
    incoming: Incoming,
    progress: Progress,
    holding: Holding,
}

/// What a body takes from others while it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holding {
    Nothing,
    Share,
}

impl Arrival {
    fn new(incoming: Incoming) -> Arrival {
        Arrival { incoming, progress: Progress::start(), holding: Holding::Nothing }
    }

    /// The next piece if it has arrived already, which is an empty one at the end.
    async fn at_hand(&mut self) -> Result<Option<Bytes>, BodyRefusal> {
        let polled = poll_fn(|context| Poll::Ready(Pin::new(&mut self.incoming).poll_frame(context))).await;
        let frame = match polled {
            Poll::Pending => return Ok(None),
            Poll::Ready(None) => return Ok(Some(Bytes::new())),
            Poll::Ready(Some(frame)) => frame.map_err(|_| BodyRefusal::Broken)?,
        };
        let data = frame.into_data().ok();
        if let Some(data) = &data {
            self.progress.made(data.len());
        }
        Ok(data)
    }

    /// The share is there, and from now on it counts how fast the body comes.
    fn got_share(&mut self) {
        self.progress = Progress::start();
        self.holding = Holding::Share;
    }
}
