//! What a server is told when it is bound: where to listen, for whom, and within which limits.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use keywright_engine::clock::MovableClock;

/// Where and for whom a [`Server`](crate::Server) listens. The default is loopback, port 8000, no browsers.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Whether pages of other origins may call from a browser.
    pub cross_origin: CrossOrigin,
    /// Whether other machines may reach it.
    pub exposure: Exposure,
    /// Names and IP addresses, without a port, that clients may call it by besides `localhost` and the address. On a
    /// loopback address all others are refused with 403, since a web page can make a name of its own resolve to it (DNS
    /// rebinding). On a public address names are only looked at when there is one here.
    pub allowed_hosts: Vec<String>,
    /// The clock that `POST /_keywright/clock` moves: the engine's own, usually. Without one, that path is not there. Only
    /// programs of this machine may call it, never web pages.
    pub clock: Option<Arc<dyn MovableClock>>,
    /// Bounds on size, number and time.
    pub limits: Limits,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8000)),
            cross_origin: CrossOrigin::Refuse,
            exposure: Exposure::Loopback,
            allowed_hosts: Vec::new(),
            clock: None,
            limits: Limits::default(),
        }
    }
}

/// Cross-origin resource sharing (CORS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossOrigin {
    /// No CORS header is ever sent, so browsers keep other origins' pages away from the data.
    Refuse,
    /// As Amazon DynamoDB does it: every origin is allowed. Any page that is open in a browser of this machine
    /// can then read and write every table.
    Allow,
}

/// Who can reach the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// Only this machine: an address that others can reach is refused at bind.
    Loopback,
    /// Everybody who reaches the address, with any credentials: keys are not checked yet.
    Network,
}

/// The bounds that keep one client from hurting the others. Times run on tokio's clock.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections served at a time. When one more comes, the one that has been idle longest is closed; when none is idle,
    /// further ones wait in the system's backlog.
    pub connections: u32,
    /// Bytes of a request's line and headers; more is answered with 431, as are more than 100 headers.
    pub head_bytes: usize,
    /// Bytes of a request's body, 16 MiB on AWS; more is answered with 413.
    pub body_bytes: usize,
    /// Bytes of all bodies above 64 KiB that are in memory at a time; never less than one body's limit.
    /// Further bodies wait, unread, for their turn.
    pub buffered_body_bytes: usize,
    /// Bytes of all answers above 64 KiB that are in memory at a time, until their clients have taken them; one larger
    /// answer is let through. Further reads are done in their turn. The items that writes answer with have as much again.
    pub buffered_answer_bytes: usize,
    /// How long a connection may take from the first byte of a request to the end of its headers. Then it is closed.
    pub head_timeout: Duration,
    /// How long a connection may stay idle before and between requests. Then it is closed.
    pub idle_timeout: Duration,
    /// How long a body may make no progress before it is answered with 408.
    pub body_stall_timeout: Duration,
    /// Bytes a second with which a body must arrive and an answer must be read, on average, once the respective stall
    /// timeout is over. While others wait for the memory that it holds, eight times as many, after an eighth of the time.
    pub slowest_bytes_per_second: u32,
    /// How long a whole body may take, counted from its turn, before it is answered with 408.
    pub body_timeout: Duration,
    /// How long a client may read nothing of its answer before its connection is cut.
    pub answer_stall_timeout: Duration,
    /// How long a shutdown waits for requests in flight before it cuts their connections.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
            head_bytes: 64 * 1024,
            body_bytes: 16 * 1024 * 1024,
            buffered_body_bytes: 64 * 1024 * 1024,
            buffered_answer_bytes: 64 * 1024 * 1024,
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            body_stall_timeout: Duration::from_secs(10),
            slowest_bytes_per_second: 64 * 1024,
            body_timeout: Duration::from_secs(120),
            answer_stall_timeout: Duration::from_secs(20),
            drain_timeout: Duration::from_secs(10),
        }
    }
}
