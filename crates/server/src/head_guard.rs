//! A client's socket that fails when the next request is not there in time.
//!
//! Once the first byte of a request has come, its head is expected soon; before, the client may take its time, since it
//! can be asked to leave. Reading within a request, and its body, are not timed here.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::connections::{Phase, Place};

/// A socket on which heads must arrive in time; it keeps its [`Place`] informed.
#[derive(Debug)]
pub(crate) struct HeadGuard<Socket> {
    socket: Socket,
    place: Arc<Place>,
    patience: Patience,
    /// What is being waited for, and until when.
    waiting: Option<(Phase, Pin<Box<Sleep>>)>,
}

/// How long to wait for a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For its first byte.
    pub(crate) idle: Duration,
    /// From there to the end of its head.
    pub(crate) head: Duration,
}

impl<Socket> HeadGuard<Socket> {
    /// Guards `socket`: reading fails with [`ErrorKind::TimedOut`] when `patience` is over.
    pub(crate) fn new(socket: Socket, place: Arc<Place>, patience: Patience) -> HeadGuard<Socket> {
        HeadGuard { socket, place, patience, waiting: None }
    }

    /// Ready when what is waited for should have come.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let phase = self.place.phase();
        let time = match phase {
            Phase::Idle { .. } => self.patience.idle,
            Phase::Head => self.patience.head,
            Phase::Request | Phase::Answer => return Poll::Pending,
        };
        let (waited_for, deadline) = self.waiting.get_or_insert_with(|| (phase, Box::pin(sleep(time))));
        if *waited_for != phase {
            *waited_for = phase;
            deadline.as_mut().reset(Instant::now() + time);
        }
        deadline.as_mut().poll(context)
    }
}

impl<Socket: AsyncRead + Unpin> AsyncRead for HeadGuard<Socket> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut guard.socket).poll_read(context, buffer) {
            if buffer.filled().len() > before {
                guard.place.received();
            }
            return Poll::Ready(read);
        }
        ready!(guard.poll_overdue(context));
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the client sends no request")))
    }
}

impl<Socket: AsyncWrite + Unpin> AsyncWrite for HeadGuard<Socket> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().socket).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().socket).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    /// Called once everything has been written, so an answer ends here.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        ready!(Pin::new(&mut guard.socket).poll_flush(context))?;
        guard.place.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;
    use crate::connections::Connections;

    const PATIENCE: Patience = Patience { idle: Duration::from_secs(75), head: Duration::from_secs(10) };

    async fn guarded() -> (HeadGuard<DuplexStream>, DuplexStream, Arc<Place>) {
        let place = Arc::new(Arc::new(Connections::new(1)).place().await);
        let (socket, client) = duplex(1000);
        (HeadGuard::new(socket, Arc::clone(&place), PATIENCE), client, place)
    }

    /// Reads until it fails for want of a request, and tells after how long.
    async fn until_overdue(guard: &mut HeadGuard<DuplexStream>) -> Duration {
        let start = Instant::now();
        loop {
            match guard.read(&mut [0; 10]).await {
                Ok(read) => assert!(read > 0, "the client left"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::TimedOut);
                    return start.elapsed();
                }
            }
        }
    }

    fn seconds(time: Duration) -> u64 {
        (time + Duration::from_millis(500)).as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_may_be_idle_longer_than_it_may_take_for_a_head() {
        let (mut guard, _client, _place) = guarded().await;
        assert_eq!(seconds(until_overdue(&mut guard).await), 75);

        let (mut guard, mut client, _place) = guarded().await;
        client.write_all(b"POST / HT").await.unwrap();
        assert_eq!(seconds(until_overdue(&mut guard).await), 10);
    }

    /// Each further byte of a head must not begin its time anew.
    #[tokio::test(start_paused = true)]
    async fn a_head_that_drips_has_no_more_time_than_one_that_stalls() {
        let (mut guard, mut client, _place) = guarded().await;
        let dripping = tokio::spawn(async move {
            while client.write_all(b"x").await.is_ok() {
                sleep(Duration::from_millis(900)).await;
            }
        });
        assert_eq!(seconds(until_overdue(&mut guard).await), 10);
        dripping.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_overdue_within_a_request_and_the_time_begins_after_its_answer() {
        let (mut guard, mut client, place) = guarded().await;
        client.write_all(b"a head").await.unwrap();
        guard.read_exact(&mut [0; 6]).await.unwrap();
        place.request_begins();
        let body = tokio::time::timeout(Duration::from_secs(1000), guard.read(&mut [0; 10])).await;
        assert!(body.is_err(), "the body is timed elsewhere");
        place.answer_begins();
        guard.flush().await.unwrap();
        assert_eq!(seconds(until_overdue(&mut guard).await), 75);
    }
}
