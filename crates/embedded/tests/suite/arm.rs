//! The two ways to reach an engine.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_smithy_async::rt::sleep::TokioSleep;
use keywright_engine::{Engine, Options};
use keywright_server::{Server, ServerOptions};
use tokio::sync::oneshot;

use crate::plain_http::PlainHttp;

/// A client, and what must live as long as it is used.
pub(crate) struct Arm {
    pub(crate) client: Client,
    /// Dropped, it stops the server.
    _shutdown: Option<oneshot::Sender<()>>,
}

/// Both ways, each to an engine of its own.
pub(crate) fn both(options: impl Fn() -> Options) -> [Arm; 2] {
    [embedded_with(options()), over_http_with(options())]
}

/// The client of this crate, on an empty engine.
pub(crate) fn embedded() -> Arm {
    embedded_with(Options::memory())
}

fn embedded_with(options: Options) -> Arm {
    let engine = Engine::open(options).unwrap();
    Arm { client: keywright_embedded::client(&engine), _shutdown: None }
}

/// A client that signs and opens sockets, as one for AWS does.
pub(crate) fn over_http() -> Arm {
    over_http_with(Options::memory())
}

fn over_http_with(options: Options) -> Arm {
    let engine = Engine::open(options).unwrap();
    let options = ServerOptions { address: "127.0.0.1:0".parse().unwrap(), ..ServerOptions::default() };
    let server = Server::bind(engine, options).unwrap();
    let address = server.local_address();
    let (shutdown, asked) = oneshot::channel::<()>();
    tokio::spawn(server.run(async {
        let _ = asked.await;
    }));
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("local", "local", None, None, "tests"))
        .endpoint_url(format!("http://{address}"))
        .http_client(PlainHttp::new(address))
        .sleep_impl(TokioSleep::new())
        .build();
    Arm { client: Client::from_conf(config), _shutdown: Some(shutdown) }
}
