//! Where the suite runs. Behaviour is written once; what an arm cannot do is declared and asserted.
//!
//! In this process and over HTTP always; on another implementation if `KEYWRIGHT_OTHER_ENDPOINT` says where it listens, which
//! `cargo xtask others` starts; on Amazon DynamoDB with the feature `suite-on-aws` if the environment has credentials.

#[path = "aws.rs"]
mod aws;

use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeSerializationInterceptorContextRef;
use aws_smithy_types::config_bag::ConfigBag;
use keywright::key::declare::Table;
use keywright::{Capabilities, Capability, CursorKey, CursorKeys, RetryPolicy, Store, StoreBuilder};
use keywright_embedded::engine::clock::{Clock, ManualClock, Timestamp};
use keywright_embedded::engine::faults::Faults;
use keywright_embedded::engine::{Engine, Options};
use keywright_server::{Server, ServerOptions};

/// The beginning of every arm's clock that can be moved: in 2026.
pub(crate) const BEGINNING_SECONDS: u64 = 1_780_000_000;

/// One arm.
#[derive(Clone)]
pub(crate) struct Arm {
    name: &'static str,
    client: Client,
    capabilities: Capabilities,
    clock: Option<ManualClock>,
    keys: CursorKeys,
    /// The tables that were made, where they do not go by themselves.
    tables: Arc<Mutex<Vec<String>>>,
}

impl Arm {
    /// A store of a table of its own, empty.
    pub(crate) async fn store<TableType: Table>(&self) -> Store<TableType> {
        let builder = self.builder();
        builder.create_table().await.unwrap_or_else(|error| panic!("{}: {error:?}", self.name));
        builder.open().await.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What a store of a table of its own is opened with.
    pub(crate) fn builder<TableType: Table>(&self) -> StoreBuilder<TableType> {
        static TABLES: AtomicU32 = AtomicU32::new(0);
        let number = TABLES.fetch_add(1, Ordering::Relaxed);
        let table = format!("keywright-test-{}-{number}", std::process::id());
        self.tables.lock().unwrap().push(table.clone());
        self.builder_of(&table)
    }

    /// What a store of this table is opened with.
    pub(crate) fn builder_of<TableType: Table>(&self, table: &str) -> StoreBuilder<TableType> {
        Store::builder(self.client.clone(), self.keys.clone())
            .table_name(table)
            .capabilities(self.capabilities)
    }

    /// What it declares that it can do.
    pub(crate) const fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// The client itself, for what other programs do to a table.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// The same arm for whoever does not know that the engine shows the item where a condition does not hold.
    pub(crate) fn without_items_of_failed_conditions(mut self) -> Arm {
        self.capabilities.items_of_failed_conditions = Capability::Absent;
        self
    }

    /// The same arm with other keys of cursors.
    pub(crate) fn with_keys(&self, keys: CursorKeys) -> Arm {
        Arm { keys, ..self.clone() }
    }

    /// Seconds since 1970, as the arm counts them.
    pub(crate) fn now_seconds(&self) -> u64 {
        match &self.clock {
            Some(clock) => clock.now().milliseconds() / 1000,
            None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs(),
        }
    }

    /// Moves the clock, where there is one to move.
    pub(crate) fn advance(&self, duration: Duration) -> bool {
        self.clock.as_ref().map(|clock| clock.advance(duration)).is_some()
    }
}

/// Runs a test on every arm.
pub(crate) async fn on_every_arm<Run: Future<Output = ()>>(test: impl Fn(Arm) -> Run) {
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    test(in_process(&keys)).await;
    let (arm, stop) = over_http(&keys);
    test(arm).await;
    drop(stop);
    if let Ok(endpoint) = std::env::var("KEYWRIGHT_OTHER_ENDPOINT") {
        test(other(&endpoint, &keys)).await;
    }
    aws::on_aws(&keys, test).await;
}

/// The arm in this process alone, for tests with many cases.
pub(crate) fn in_process_alone() -> Arm {
    in_process(&CursorKeys::new(CursorKey::generate().unwrap()))
}

/// The arm in this process with faults. A pause between two tries moves the engine's clock, and takes no time outside.
pub(crate) fn with_faults(faults: Faults) -> Arm {
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let clock = ManualClock::new(Timestamp::from_milliseconds(BEGINNING_SECONDS * 1000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
    let config = keywright_embedded::config(&engine).sleep_impl(MovesClock(clock.clone()));
    in_process_with(Client::from_conf(config.build()), clock, &keys)
}

/// The arm in this process with faults, whose time only a test moves: pauses and time limits last until it does.
pub(crate) fn with_faults_and_clock(faults: Faults) -> Arm {
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let clock = ManualClock::new(Timestamp::from_milliseconds(BEGINNING_SECONDS * 1000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
    in_process_with(keywright_embedded::client(&engine), clock, &keys)
}

/// The arm in this process with faults, where each call takes so long of its clock, and no time outside.
pub(crate) fn with_faults_and_slow_calls(faults: Faults, takes: Duration) -> Arm {
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let clock = ManualClock::new(Timestamp::from_milliseconds(BEGINNING_SECONDS * 1000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone())).faults(faults)).unwrap();
    let config = keywright_embedded::config(&engine).sleep_impl(MovesClock(clock.clone()));
    let config = config.interceptor(TakesTime { clock: clock.clone(), takes });
    in_process_with(Client::from_conf(config.build()), clock, &keys)
}

/// Moves the clock with each call.
#[derive(Debug)]
struct TakesTime {
    clock: ManualClock,
    takes: Duration,
}

impl Intercept for TakesTime {
    fn name(&self) -> &'static str {
        "takes time"
    }

    fn read_before_execution(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.clock.advance(self.takes);
        Ok(())
    }
}

/// Sleeps by moving the clock, once it is waited for. A time limit is never reached: an answer that another thread is about to give
/// would be late by a clock that jumps.
#[derive(Debug)]
struct MovesClock(ManualClock);

impl AsyncSleep for MovesClock {
    fn sleep(&self, duration: Duration) -> Sleep {
        if duration == RetryPolicy::default().attempt_timeout {
            return Sleep::new(std::future::pending());
        }
        let clock = self.0.clone();
        Sleep::new(async move { clock.advance(duration) })
    }
}

fn in_process(keys: &CursorKeys) -> Arm {
    let clock = ManualClock::new(Timestamp::from_milliseconds(BEGINNING_SECONDS * 1000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone()))).unwrap();
    in_process_with(keywright_embedded::client(&engine), clock, keys)
}

pub(crate) fn in_process_with(client: Client, clock: ManualClock, keys: &CursorKeys) -> Arm {
    let keys = keys.clone();
    let (capabilities, tables) = (Capabilities::EMBEDDED, Arc::default());
    Arm { name: "in process", client, capabilities, clock: Some(clock), keys, tables }
}

/// The endpoint of this project, served from a thread until the second value is dropped.
fn over_http(keys: &CursorKeys) -> (Arm, tokio::sync::oneshot::Sender<()>) {
    let engine = Engine::open(Options::memory()).unwrap();
    let options = ServerOptions { address: "127.0.0.1:0".parse().unwrap(), ..ServerOptions::default() };
    let server = Server::bind(engine, options).unwrap();
    let endpoint = format!("http://{}", server.local_address());
    let (stop, stopped) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(server.run(async {
            let _ = stopped.await;
        }))
    });
    let arm = Arm {
        name: "over HTTP",
        client: client_of(&endpoint),
        capabilities: Capabilities::EMBEDDED,
        clock: None,
        keys: keys.clone(),
        tables: Arc::default(),
    };
    (arm, stop)
}

/// An implementation that is not ours.
fn other(endpoint: &str, keys: &CursorKeys) -> Arm {
    Arm {
        name: "another implementation",
        client: client_of(endpoint),
        capabilities: Capabilities {
            multi_attribute_keys: Capability::Absent,
            items_of_failed_conditions: Capability::Absent,
            transactions: Capability::Absent,
            ..Capabilities::EMBEDDED
        },
        clock: None,
        keys: keys.clone(),
        tables: Arc::default(),
    }
}

fn client_of(endpoint: &str) -> Client {
    let http = aws_smithy_http_client::Builder::new().build_http();
    Client::from_conf(
        aws_sdk_dynamodb::config::Builder::new()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .endpoint_url(endpoint)
            .http_client(http)
            .sleep_impl(aws_smithy_async::rt::sleep::TokioSleep::new())
            .build(),
    )
}
