//! A client's socket that fails when the client reads its answer too slowly, or not at all.
//!
//! Without it an answer that nobody reads keeps its memory, and its connection's place, as long as the client likes. What
//! the system's buffers take counts as read.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::budget::Budget;
use crate::pace::{Pace, Progress};

/// A socket whose writes must make progress.
#[derive(Debug)]
pub(crate) struct SlowReaderGuard<Socket> {
    socket: Socket,
    pace: Pace,
    answers: Arc<Budget>,
    /// Since a write had to wait for the client, until all is written.
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    progress: Progress,
    next_look: Pin<Box<Sleep>>,
}

impl<Socket> SlowReaderGuard<Socket> {
    /// Guards `socket`: a write that is slower than `pace` fails with [`ErrorKind::TimedOut`]. When others wait for a share
    /// of `answers`, it must hurry.
    pub(crate) fn new(socket: Socket, pace: Pace, answers: Arc<Budget>) -> SlowReaderGuard<Socket> {
        SlowReaderGuard { socket, pace, answers, waiting: None }
    }

    /// The outcome of a write, whose bytes are progress.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match (&written, &mut self.waiting) {
            (Poll::Pending, _) => return self.poll_too_slow(context).map(Err),
            (Poll::Ready(Ok(bytes)), Some(waiting)) => waiting.progress.made(*bytes),
            (Poll::Ready(_), _) => {}
        }
        written
    }

    /// The outcome of what comes when all is written.
    fn finished(
        &mut self,
        context: &mut Context<'_>,
        finished: Poll<io::Result<()>>,
    ) -> Poll<io::Result<()>> {
        if finished.is_pending() {
            return self.poll_too_slow(context).map(Err);
        }
        self.waiting = None;
        finished
    }

    fn poll_too_slow(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let tick = self.pace.tick();
        let waiting = self
            .waiting
            .get_or_insert_with(|| Waiting { progress: Progress::start(), next_look: Box::pin(sleep(tick)) });
        loop {
            if waiting.progress.is_too_slow(&self.pace, self.answers.supply()) {
                let error = io::Error::new(ErrorKind::TimedOut, "the client does not read its answer");
                return Poll::Ready(error);
            }
            if waiting.next_look.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            waiting.next_look.as_mut().reset(Instant::now() + tick);
        }
    }
}

impl<Socket: AsyncRead + Unpin> AsyncRead for SlowReaderGuard<Socket> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_read(context, buffer)
    }
}

impl<Socket: AsyncWrite + Unpin> AsyncWrite for SlowReaderGuard<Socket> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let guard = self.get_mut();
        let written = Pin::new(&mut guard.socket).poll_write(context, bytes);
        guard.written(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guard = self.get_mut();
        let written = Pin::new(&mut guard.socket).poll_write_vectored(context, parts);
        guard.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let flushed = Pin::new(&mut guard.socket).poll_flush(context);
        guard.finished(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let closed = Pin::new(&mut guard.socket).poll_shutdown(context);
        guard.finished(context, closed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::Instant;

    use super::*;

    const PACE: Pace = Pace { patience: Duration::from_secs(20), bytes_per_second: 1000 };
    const ANSWER_BYTES: usize = 100_000;

    fn budget() -> Arc<Budget> {
        Arc::new(Budget::new(1024))
    }

    /// How long the writing of an answer took, and what came of it, when the client reads so many bytes every second.
    async fn written(read_every_second: usize, answers: Arc<Budget>) -> (Duration, io::Result<()>) {
        let (socket, client) = duplex(1000);
        let reader = tokio::spawn(read(client, read_every_second));
        let mut guard = SlowReaderGuard::new(socket, PACE, answers);
        let start = Instant::now();
        let outcome = async {
            guard.write_all(&[0; ANSWER_BYTES]).await?;
            guard.flush().await
        };
        let outcome = outcome.await;
        reader.abort();
        (start.elapsed(), outcome)
    }

    async fn read(mut client: DuplexStream, every_second: usize) {
        let mut buffer = vec![0; every_second];
        loop {
            sleep(Duration::from_secs(1)).await;
            if every_second > 0 {
                client.read_exact(&mut buffer).await.unwrap();
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_cut_off_after_its_time() {
        let (time, outcome) = written(0, budget()).await;
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(time >= Duration::from_secs(20) && time < Duration::from_secs(22), "{time:?}");
    }

    /// A byte now and then was progress enough to keep an answer in memory for days.
    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_a_byte_now_and_then_is_cut_off_too() {
        let (time, outcome) = written(1, budget()).await;
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(time >= Duration::from_secs(20) && time < Duration::from_secs(25), "{time:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_keeps_the_least_rate_gets_all_of_its_answer() {
        let (time, outcome) = written(1100, budget()).await;
        outcome.unwrap();
        assert!(time > Duration::from_secs(80), "{time:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_must_hurry_when_others_wait_for_the_memory() {
        let answers = budget();
        let _all = answers.take(1024).await;
        let other = tokio::spawn({
            let answers = Arc::clone(&answers);
            async move { answers.take(1).await }
        });
        for slow in [0, 1100] {
            let (time, outcome) = written(slow, Arc::clone(&answers)).await;
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TimedOut);
            assert!(time < Duration::from_secs(6), "{time:?}");
        }
        other.abort();
        assert!(other.await.is_err());
        written(1100, answers).await.1.unwrap();
    }
}
