//! The listener: accepts connections, serves them, and on shutdown finishes what is in flight.

use std::fmt::Debug;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener as StdTcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use keywright_engine::{ConnectionCut, Engine};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::clock_endpoint::ClockEndpoint;
use crate::connections::{Connections, Place};
use crate::endpoint::Endpoint;
use crate::head_guard::{HeadGuard, Patience};
use crate::hosts::Hosts;
use crate::options::{Exposure, Limits, ServerOptions};
use crate::pace::Pace;
use crate::slow_reader::SlowReaderGuard;

/// How long to wait when the system gives no socket (too many open files, usually).
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// An HTTP endpoint that every AWS SDK can call.
///
/// ```
/// use keywright_engine::{Engine, Options};
/// use keywright_server::{Server, ServerOptions};
///
/// let engine = Engine::open(Options::memory())?;
/// let options = ServerOptions { address: "127.0.0.1:0".parse()?, ..ServerOptions::default() };
/// let server = Server::bind(engine, options)?;
/// println!("listening on http://{}", server.local_address());
///
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let shutdown = std::future::ready(());
/// runtime.block_on(server.run(shutdown))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: StdTcpListener,
    local_address: SocketAddr,
    endpoint: Arc<Endpoint>,
    limits: Limits,
}

impl Server {
    /// Takes the address. Connections wait in the system's backlog until [`Server::run`] serves them.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] for an address that other machines can reach, unless
    /// [`Exposure::Network`] says so; whatever the system answers, such as [`io::ErrorKind::AddrInUse`].
    pub fn bind(engine: Engine, options: ServerOptions) -> io::Result<Server> {
        let ServerOptions { address, cross_origin, exposure, allowed_hosts, clock, limits } = options;
        if exposure == Exposure::Loopback && !address.ip().to_canonical().is_loopback() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, refusal_of_public(address)));
        }
        let listener = StdTcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let local_address = listener.local_addr()?;
        let hosts = Hosts::new(local_address, allowed_hosts);
        let endpoint =
            Arc::new(Endpoint::new(engine, cross_origin, hosts, clock.map(ClockEndpoint::new), &limits));
        Ok(Server { listener, local_address, endpoint, limits })
    }

    /// The address it listens on, with the port that the system chose when 0 was asked for.
    pub fn local_address(&self) -> SocketAddr {
        self.local_address
    }

    /// Serves until `shutdown` is ready; then accepts nothing more, closes idle connections, finishes the requests
    /// in flight for as long as [`Limits::drain_timeout`] allows, and returns.
    ///
    /// Must be called in a tokio runtime with I/O and time. Dropping the future cuts all connections.
    ///
    /// # Errors
    /// Whatever the system answers when the listener is handed to the runtime.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let connections = Arc::new(Connections::new(self.limits.connections));
        let (stage, _) = watch::channel(Stage::Serving);
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                (stream, peer, place) = accept(&listener, &connections) => {
                    let connection = Connection {
                        endpoint: Arc::clone(&self.endpoint),
                        peer,
                        stage: stage.subscribe(),
                        place: Arc::new(place),
                        patience: Patience { idle: self.limits.idle_timeout, head: self.limits.head_timeout },
                        pace: Pace {
                            patience: self.limits.answer_stall_timeout,
                            bytes_per_second: self.limits.slowest_bytes_per_second,
                        },
                    };
                    tokio::spawn(connection.serve(stream, http_settings(&self.limits)));
                }
            }
        }
        drop(listener);
        stage.send_replace(Stage::Draining);
        if timeout(self.limits.drain_timeout, connections.all_closed()).await.is_err() {
            let open = connections.open();
            tracing::warn!(open, "requests were still in flight when the shutdown's time was over");
        }
        Ok(())
    }
}

fn refusal_of_public(address: SocketAddr) -> String {
    format!(
        "{address} can be reached from other machines, and keys are not checked yet: anybody there could read and \
         write every table; listen on 127.0.0.1, or allow a public address explicitly"
    )
}

/// How far the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Serving,
    Draining,
}

/// The next connection, once there is a place for it.
async fn accept(listener: &TcpListener, connections: &Arc<Connections>) -> (TcpStream, SocketAddr, Place) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, connections.place().await),
            // The client went away before it was served.
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "the system gives no further connection; trying again");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

fn http_settings(limits: &Limits) -> http1::Builder {
    // hyper refuses a smaller buffer.
    const SMALLEST_HEAD_BYTES: usize = 8192;
    let mut settings = http1::Builder::new();
    settings
        // The guards of the socket do that, which tell an idle client from one that sends no more of its head.
        .header_read_timeout(None)
        .max_header_size(limits.head_bytes)
        .max_buf_size(limits.head_bytes.max(SMALLEST_HEAD_BYTES));
    settings
}

/// One client's connection.
struct Connection {
    endpoint: Arc<Endpoint>,
    peer: SocketAddr,
    stage: watch::Receiver<Stage>,
    /// Given back when the connection ends.
    place: Arc<Place>,
    patience: Patience,
    pace: Pace,
}

impl Connection {
    /// Serves requests one after the other until the client leaves, its place is needed while it is idle, or the server has
    /// drained; cut off when the server is gone.
    async fn serve(mut self, stream: TcpStream, settings: http1::Builder) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "answers may be delayed: the socket refused TCP_NODELAY");
        }
        let (endpoint, peer, place) = (&self.endpoint, self.peer, &self.place);
        let service = service_fn(|request| {
            place.request_begins();
            let answer = Arc::clone(endpoint).answer(request, peer);
            let place = Arc::clone(place);
            async move {
                // What is not answered closes the connection.
                let response = answer.await?;
                place.answer_begins();
                Ok::<_, ConnectionCut>(response)
            }
        });
        let socket = SlowReaderGuard::new(stream, self.pace, endpoint.answers());
        let socket = HeadGuard::new(socket, Arc::clone(place), self.patience);
        let mut connection = pin!(settings.serve_connection(TokioIo::new(socket), service));
        let mut served = tokio::select! {
            served = &mut connection => Some(served),
            _ = self.stage.wait_for(|stage| *stage == Stage::Draining) => None,
            () = place.is_needed() => None,
        };
        if served.is_none() {
            connection.as_mut().graceful_shutdown();
            served = tokio::select! {
                served = &mut connection => Some(served),
                () = gone(&mut self.stage) => None,
            };
        }
        if let Some(Err(error)) = served {
            tracing::debug!(%error, "a connection ended with an error");
        }
    }
}

/// Waits until the server has been dropped.
async fn gone(stage: &mut watch::Receiver<Stage>) {
    while stage.changed().await.is_ok() {}
}
