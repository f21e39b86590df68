//! Reads request bodies within limits of size, time and memory.
//!
//! - A body of up to [`SMALL_BODY_BYTES`] never waits for others.
//! - A larger one first takes its share of the budget, once and whole, so that no two bodies wait for each other;
//!   until then it stays unread in the sender's socket. The share is returned when the [`Body`] is dropped.
//! - Whoever has the share must send on: a stalled body gives it back by its timeout.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::options::Limits;

/// A body of up to this size is not counted.
const SMALL_BODY_BYTES: usize = 64 * 1024;

/// How much of a refused body is read and thrown away, in multiples of the limit, so that a client that only
/// reads after it has sent everything gets to see its refusal.
const DISCARDED_LIMITS: usize = 4;

/// The memory that the bodies of all connections share.
#[derive(Debug)]
pub(crate) struct BodyBudget {
    /// One permit is one KiB.
    kibibytes: Arc<Semaphore>,
    body_bytes: usize,
    stall_timeout: Duration,
    whole_timeout: Duration,
}

/// A whole body. Its share of the budget lives as long as it does.
#[derive(Debug)]
pub(crate) struct Body {
    bytes: Bytes,
    _share: Option<OwnedSemaphorePermit>,
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
        let kibibytes = limits.buffered_body_bytes.max(limits.body_bytes).div_ceil(1024);
        BodyBudget {
            kibibytes: Arc::new(Semaphore::new(kibibytes.min(Semaphore::MAX_PERMITS))),
            body_bytes: limits.body_bytes,
            stall_timeout: limits.body_stall_timeout,
            whole_timeout: limits.body_timeout,
        }
    }

    /// Reads all of `incoming`. `asked_first` says that the sender waits for `100 Continue` before it sends.
    pub(crate) async fn read(&self, mut incoming: Incoming, asked_first: bool) -> Result<Body, BodyRefusal> {
        let declared =
            incoming.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        if declared.is_some_and(|length| length > self.body_bytes) {
            if !asked_first {
                self.discard(incoming).await;
            }
            return Err(BodyRefusal::TooLarge);
        }
        let body = match declared {
            Some(length) if length > SMALL_BODY_BYTES => {
                let share = self.share(length).await;
                let read = self.append(&mut incoming, Vec::with_capacity(length), self.body_bytes);
                let bytes = self.in_time(read).await?;
                Ok(Body { bytes: bytes.into(), _share: Some(share) })
            }
            Some(_) => {
                let bytes = self.in_time(self.small(&mut incoming)).await?;
                Ok(Body { bytes, _share: None })
            }
            None => self.undeclared(&mut incoming).await,
        };
        if matches!(body, Err(BodyRefusal::TooLarge)) {
            self.discard(incoming).await;
        }
        body
    }

    /// The permit to parse, or to keep in memory, `length` bytes; waits for it.
    #[expect(clippy::expect_used, reason = "the semaphore is never closed")]
    async fn share(&self, length: usize) -> OwnedSemaphorePermit {
        let kibibytes = u32::try_from(length.div_ceil(1024)).unwrap_or(u32::MAX);
        Arc::clone(&self.kibibytes).acquire_many_owned(kibibytes).await.expect("an open semaphore")
    }

    /// A body whose length is known to be small: usually one frame, which is not copied.
    async fn small(&self, incoming: &mut Incoming) -> Result<Bytes, BodyRefusal> {
        let Some(first) = self.next(incoming).await? else { return Ok(Bytes::new()) };
        if incoming.is_end_stream() {
            return Ok(first);
        }
        Ok(self.append(incoming, first.to_vec(), SMALL_BODY_BYTES).await?.into())
    }

    /// A chunked body: once it turns out not to be small, the share of the largest possible body is taken, and
    /// what it did not need is returned at its end.
    async fn undeclared(&self, incoming: &mut Incoming) -> Result<Body, BodyRefusal> {
        let mut bytes = Vec::new();
        let started = async {
            while bytes.len() <= SMALL_BODY_BYTES {
                let Some(data) = self.next(incoming).await? else { return Ok(true) };
                bytes.extend_from_slice(&data);
            }
            Ok(false)
        };
        if self.in_time(started).await? {
            return Ok(Body { bytes: bytes.into(), _share: None });
        }
        let mut share = self.share(self.body_bytes).await;
        bytes.reserve_exact(self.body_bytes.saturating_sub(bytes.len()));
        let bytes = self.in_time(self.append(incoming, bytes, self.body_bytes)).await?;
        drop(share.split(share.num_permits().saturating_sub(bytes.len().div_ceil(1024))));
        Ok(Body { bytes: bytes.into(), _share: Some(share) })
    }

    /// The rest of the body after `bytes`, which it stays within `limit` with.
    async fn append(
        &self,
        incoming: &mut Incoming,
        mut bytes: Vec<u8>,
        limit: usize,
    ) -> Result<Vec<u8>, BodyRefusal> {
        while let Some(data) = self.next(incoming).await? {
            if bytes.len() + data.len() > limit {
                return Err(BodyRefusal::TooLarge);
            }
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }

    /// The next piece, or `None` at the end.
    async fn next(&self, incoming: &mut Incoming) -> Result<Option<Bytes>, BodyRefusal> {
        loop {
            let frame =
                timeout(self.stall_timeout, incoming.frame()).await.map_err(|_| BodyRefusal::TooSlow)?;
            match frame {
                None => return Ok(None),
                Some(Err(_)) => return Err(BodyRefusal::Broken),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Reads and forgets a refused body, as far as that is worth it.
    async fn discard(&self, mut incoming: Incoming) {
        let most = self.body_bytes.saturating_mul(DISCARDED_LIMITS);
        let forget = async {
            let mut seen = 0_usize;
            while seen < most
                && let Some(data) = self.next(&mut incoming).await?
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
