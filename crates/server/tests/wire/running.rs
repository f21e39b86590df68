//! A server that runs on a thread of its own for the length of a test.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread::JoinHandle;

use keywright_engine::{Engine, Options};
use keywright_server::{Limits, Server, ServerOptions};
use tokio::sync::oneshot;

use crate::client::{Answer, Connection, call};

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    shutdown: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Options for a free port.
pub(crate) fn free_port() -> ServerOptions {
    ServerOptions { address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..ServerOptions::default() }
}

impl Running {
    /// An empty engine in memory behind default limits.
    pub(crate) fn start() -> Running {
        Running::with_limits(Limits::default())
    }

    pub(crate) fn with_limits(limits: Limits) -> Running {
        let engine = Engine::open(Options::memory()).unwrap();
        Running::with(engine, ServerOptions { limits, ..free_port() })
    }

    pub(crate) fn with(engine: Engine, options: ServerOptions) -> Running {
        let server = Server::bind(engine, options).unwrap();
        let address = server.local_address();
        let (shutdown, asked) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime
                .block_on(server.run(async {
                    let _ = asked.await;
                }))
                .unwrap();
        });
        Running { address, shutdown: Some(shutdown), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.address)
    }

    /// One request on a connection of its own.
    pub(crate) fn exchange(&self, request: impl AsRef<[u8]>) -> Answer {
        self.connect().send(request).receive()
    }

    /// Creates a table with the partition key `id` of type S.
    pub(crate) fn create_table(&self, name: &str) {
        let body = format!(
            r#"{{"TableName":"{name}","BillingMode":"PAY_PER_REQUEST",
                "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
                "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}]}}"#
        );
        let answer = self.exchange(call("CreateTable", body));
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Asks for a shutdown and returns at once.
    pub(crate) fn begin_shutdown(&mut self) {
        let _ = self.shutdown.take().unwrap().send(());
    }

    /// Waits until `run` has returned.
    pub(crate) fn wait_until_stopped(&mut self) {
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(shutdown) = self.shutdown.take() {
            let _ = shutdown.send(());
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server's thread panicked");
        }
    }
}
