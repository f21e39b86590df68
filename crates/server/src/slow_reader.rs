//! A client's socket that fails when the client reads nothing of its answer for too long.
//!
//! Without it an answer that nobody reads keeps its memory, and its connection's place, as long as the client likes.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A socket whose writes must make progress.
#[derive(Debug)]
pub(crate) struct SlowReaderGuard<Socket> {
    socket: Socket,
    patience: Duration,
    /// Since a write has been waiting for the client.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<Socket> SlowReaderGuard<Socket> {
    /// Guards `socket`: a write that makes no progress for `patience` fails with [`ErrorKind::TimedOut`].
    pub(crate) fn new(socket: Socket, patience: Duration) -> SlowReaderGuard<Socket> {
        SlowReaderGuard { socket, patience, deadline: None }
    }

    fn in_time<Progress>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<Progress>>,
    ) -> Poll<io::Result<Progress>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        deadline
            .as_mut()
            .poll(context)
            .map(|()| Err(io::Error::new(ErrorKind::TimedOut, "the client does not read its answer")))
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
        guard.in_time(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guard = self.get_mut();
        let written = Pin::new(&mut guard.socket).poll_write_vectored(context, parts);
        guard.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let flushed = Pin::new(&mut guard.socket).poll_flush(context);
        guard.in_time(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let closed = Pin::new(&mut guard.socket).poll_shutdown(context);
        guard.in_time(context, closed)
    }
}
