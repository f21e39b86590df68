//! Several connections that one thread drives: each sends a request, and whichever has its answer first is served first.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream as StdTcpStream;
use std::time::Instant;

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use super::connection::{Answer, Head, TIMEOUT};

/// The connections of one thread.
pub(super) struct Lane {
    poll: Poll,
    events: Events,
    wires: Vec<Wire>,
    /// Those that the system said something of, in its order.
    ready: VecDeque<usize>,
    under_way: usize,
}

/// A request with its answer.
#[derive(Debug)]
pub(super) struct Exchange<'lane> {
    /// Which of the lane's connections it was on.
    pub(super) place: usize,
    /// When the request was handed over.
    pub(super) sent_at: Instant,
    /// When all of the answer had been read.
    pub(super) answered_at: Instant,
    /// What came back.
    pub(super) answer: Answer<'lane>,
}

/// One connection and what is under way on it.
struct Wire {
    stream: TcpStream,
    request: Vec<u8>,
    sent: usize,
    sent_at: Instant,
    buffer: Vec<u8>,
    filled: usize,
    is_waiting: bool,
}

impl Lane {
    /// So many connections to `address`.
    pub(super) fn open(address: &str, connections: usize) -> io::Result<Lane> {
        let poll = Poll::new()?;
        let wires = (0..connections)
            .map(|place| {
                let stream = StdTcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
                let mut stream = TcpStream::from_std(stream);
                poll.registry().register(
                    &mut stream,
                    Token(place),
                    Interest::READABLE | Interest::WRITABLE,
                )?;
                Ok(Wire::new(stream))
            })
            .collect::<io::Result<Vec<Wire>>>()?;
        let events = Events::with_capacity(connections.max(1));
        Ok(Lane { poll, events, wires, ready: VecDeque::new(), under_way: 0 })
    }

    /// Sends the request that `write` writes on a connection that has none under way.
    pub(super) fn send(&mut self, place: usize, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let Some(wire) = self.wires.get_mut(place) else { return Ok(()) };
        write(&mut wire.request);
        wire.begin()?;
        self.under_way += 1;
        Ok(())
    }

    /// The next answer of whichever connection; `None` when no request is under way.
    pub(super) fn receive(&mut self) -> io::Result<Option<Exchange<'_>>> {
        let (place, head) = loop {
            if self.under_way == 0 {
                return Ok(None);
            }
            let Some(place) = self.ready.pop_front() else {
                self.look()?;
                continue;
            };
            let Some(wire) = self.wires.get_mut(place) else { continue };
            if let Some(head) = wire.advance()? {
                break (place, head);
            }
        };
        self.under_way -= 1;
        let answered_at = Instant::now();
        Ok(self.wires.get(place).map(|wire| Exchange {
            place,
            sent_at: wire.sent_at,
            answered_at,
            answer: wire.answer(head),
        }))
    }

    /// Waits until the system says something of a connection.
    fn look(&mut self) -> io::Result<()> {
        match self.poll.poll(&mut self.events, Some(TIMEOUT)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            looked => looked?,
        }
        if self.events.is_empty() {
            return Err(io::Error::new(ErrorKind::TimedOut, "the server does not answer"));
        }
        self.ready.extend(self.events.iter().map(|event| event.token().0));
        Ok(())
    }
}

impl Wire {
    fn new(stream: TcpStream) -> Wire {
        Wire {
            stream,
            request: Vec::new(),
            sent: 0,
            sent_at: Instant::now(),
            buffer: vec![0; 64 * 1024],
            filled: 0,
            is_waiting: false,
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        (self.sent, self.filled, self.is_waiting) = (0, 0, true);
        self.sent_at = Instant::now();
        self.push()
    }

    /// Sends as much as the system takes.
    fn push(&mut self) -> io::Result<()> {
        while let Some(rest) = self.request.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match self.stream.write(rest) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Goes on as far as the system lets it; the head of the answer once all of it is here.
    ///
    /// Nothing is read behind the answer, since nothing comes: a system that tells of changes alone will tell of the next.
    fn advance(&mut self) -> io::Result<Option<Head>> {
        if !self.is_waiting {
            return Ok(None);
        }
        self.push()?;
        loop {
            if self.filled == self.buffer.len() {
                self.buffer.resize(self.filled * 2, 0);
            }
            match self.stream.read(self.buffer.get_mut(self.filled..).unwrap_or_default()) {
                Ok(0) => {
                    let message = "the server closed the connection";
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, message));
                }
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            let head = Head::parse(self.buffer.get(..self.filled).unwrap_or_default())?;
            if let Some(head) = head.filter(|head| self.filled >= head.length + head.content_length) {
                self.is_waiting = false;
                return Ok(Some(head));
            }
        }
    }

    fn answer(&self, head: Head) -> Answer<'_> {
        let body = self.buffer.get(head.length..head.length + head.content_length).unwrap_or_default();
        Answer { status: head.status, body }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Answers each of two connections once, the second first, in pieces.
    #[test]
    fn whichever_connection_has_its_answer_first_is_served_first() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let server = thread::spawn(move || {
            let streams: Vec<StdTcpStream> =
                listener.incoming().take(2).map(|stream| stream.expect("a connection")).collect();
            for (stream, body) in streams.iter().rev().zip(["b", "a"]) {
                let mut stream = stream;
                let mut request = [0; 4];
                stream.read_exact(&mut request).expect("the request");
                for piece in ["HTTP/1.1 200 OK\r\ncontent-", "length: 1\r\n\r\n", body] {
                    stream.write_all(piece.as_bytes()).expect("a piece");
                }
            }
            streams
        });
        let mut lane = Lane::open(&address, 2).expect("a lane");
        for place in [0, 1] {
            lane.send(place, |request| request.extend_from_slice(b"ping")).expect("sent");
        }
        let second = lane.receive().expect("no failure").expect("an answer");
        assert_eq!((second.place, second.answer.status, second.answer.body), (1, 200, b"b".as_slice()));
        let first = lane.receive().expect("no failure").expect("an answer");
        assert_eq!((first.place, first.answer.body), (0, b"a".as_slice()));
        assert!(lane.receive().expect("no failure").is_none(), "no request is under way");
        drop(server.join().expect("the server"));
    }

    #[test]
    fn a_connection_that_the_server_closes_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let mut lane = Lane::open(&address, 1).expect("a lane");
        lane.send(0, |request| request.extend_from_slice(b"ping")).expect("sent");
        drop(listener.accept().expect("the connection"));
        assert!(lane.receive().is_err());
    }
}
