//! One keep-alive HTTP/1.1 connection: sends prepared bytes, reads one answer, checks it.
//!
//! It reads only what it must (the status, the content length, the body's bytes), so that the generator costs little
//! on a machine that it shares with the server.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// An open connection with its buffer.
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer<'connection> {
    /// The HTTP status.
    pub(super) status: u16,
    /// The whole body.
    pub(super) body: &'connection [u8],
}

/// No server here takes this long, unless it is stuck.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

impl Connection {
    /// Connects to `address`.
    pub(super) fn open(address: &str) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(Connection { stream, buffer: vec![0; 64 * 1024] })
    }

    /// Sends `request` and reads the answer to it.
    pub(super) fn exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.stream.write_all(request)?;
        let mut filled = 0;
        let head = loop {
            filled += self.read_after(filled)?;
            let received = self.buffer.get(..filled).unwrap_or_default();
            if let Some(head) = Head::parse(received)? {
                break head;
            }
        };
        let end = head.length + head.content_length;
        while filled < end {
            filled += self.read_after(filled)?;
        }
        let body = self.buffer.get(head.length..end).unwrap_or_default();
        Ok(Answer { status: head.status, body })
    }

    fn read_after(&mut self, filled: usize) -> io::Result<usize> {
        if filled == self.buffer.len() {
            self.buffer.resize(filled * 2, 0);
        }
        match self.stream.read(self.buffer.get_mut(filled..).unwrap_or_default())? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection")),
            count => Ok(count),
        }
    }
}

/// The head of an answer, as far as it is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// The HTTP status.
    pub(super) status: u16,
    /// The bytes of the head, the empty line included.
    pub(super) length: usize,
    /// The bytes of the body.
    pub(super) content_length: usize,
}

impl Head {
    /// The head of an answer, when all of it has been received.
    pub(super) fn parse(received: &[u8]) -> io::Result<Option<Head>> {
        let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
        let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let text = std::str::from_utf8(received.get(..end).unwrap_or_default())
            .map_err(|_| invalid("the answer's head is not text"))?;
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        let content_length = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            if name.eq_ignore_ascii_case("content-length") { value.trim().parse().ok() } else { None }
        });
        Ok(Some(Head {
            status: status.ok_or_else(|| invalid("the answer has no status"))?,
            length: end + 4,
            content_length: content_length.ok_or_else(|| invalid("the answer has no content length"))?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_only_when_it_is_complete() {
        let answer = b"HTTP/1.1 400 Bad Request\r\ncontent-LENGTH: 12\r\n\r\n{";
        assert!(Head::parse(&answer[..30]).expect("no error yet").is_none());
        let head = Head::parse(answer).expect("valid").expect("complete");
        assert_eq!((head.status, head.content_length, head.length), (400, 12, answer.len() - 1));
    }

    #[test]
    fn an_answer_without_a_length_is_an_error_rather_than_a_guess() {
        assert!(Head::parse(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").is_err());
    }
}
