//! What only the client in process has: the engine's clock, and no need of a runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright_engine::clock::{Clock as _, ManualClock, Timestamp};
use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, Files, MemoryFiles};
use keywright_engine::{Engine, Options};

use crate::cases::{create_table, put};
use crate::gate::{Gate, GatedFiles};

const HOUR: Duration = Duration::from_secs(3600);

fn manual_clock() -> ManualClock {
    ManualClock::new(Timestamp::from_milliseconds(1_800_000_000_000))
}

/// Counts the tries of a client.
#[derive(Clone, Debug, Default)]
struct Tries(Arc<AtomicUsize>);

impl Intercept for Tries {
    fn name(&self) -> &'static str {
        "Tries"
    }

    fn read_before_transmit(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), aws_sdk_dynamodb::error::BoxError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// An engine with the table `Things` whose disk fails at the next sync: every later write is a 500.
async fn engine_with_a_failing_disk(clock: &ManualClock) -> Engine {
    let files = MemoryFiles::new();
    let engine = Engine::open(Options::files(Arc::new(files.clone()))).unwrap();
    create_table(&keywright_embedded::client(&engine), "Things").await;
    engine.close().unwrap();
    drop(engine);
    let counted =
        FaultyFiles::over(&files, FaultPlan { seed: 1, fault: Fault::SyncFails, at_operation: u64::MAX });
    let opening = open_over(counted.unwrap(), clock).1.operations();
    let plan = FaultPlan { seed: 1, fault: Fault::SyncFails, at_operation: opening + 1 };
    open_over(FaultyFiles::over(&files, plan).unwrap(), clock).0
}

fn open_over(files: FaultyFiles, clock: &ManualClock) -> (Engine, FaultyFiles) {
    let shared: Arc<dyn Files> = Arc::new(files.clone());
    (Engine::open(Options::files(shared).clock(Arc::new(clock.clone()))).unwrap(), files)
}

/// With pauses of an hour, this test ends only because they pass when the engine's clock does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_pause_on_the_engines_clock() {
    let clock = manual_clock();
    let engine = engine_with_a_failing_disk(&clock).await;
    let retries =
        RetryConfig::standard().with_max_attempts(3).with_initial_backoff(HOUR).with_max_backoff(HOUR);
    let tries = Tries::default();
    let config = keywright_embedded::config(&engine).retry_config(retries).interceptor(tries.clone());
    let client = Client::from_conf(config.build());
    let put = client.put_item().table_name("Things").item("pk", AttributeValue::S("a".into()));
    let put = put.item("sk", AttributeValue::N("1".into()));
    let sending = tokio::spawn(put.send());

    let start = clock.now();
    while !sending.is_finished() {
        clock.advance(Duration::from_secs(60));
        tokio::task::yield_now().await;
    }
    let error = sending.await.unwrap().unwrap_err().into_service_error();
    assert!(matches!(error, PutItemError::InternalServerError(_)), "{error:?}");
    assert_eq!(tries.0.load(Ordering::SeqCst), 3);
    // Backoff is drawn between nothing and an hour, twice.
    assert!(clock.now().since(start) >= Duration::from_secs(120));
}

/// A table takes an hour to be created on this clock: waiting for it is a matter of moving the clock.
#[tokio::test]
async fn time_moves_only_when_the_clock_does() {
    let clock = manual_clock();
    let options = Options::memory().clock(Arc::new(clock.clone())).table_delay(HOUR);
    let engine = Engine::open(options).unwrap();
    let client = keywright_embedded::client(&engine);
    create_table(&client, "Things").await;
    let status = async || {
        let described = client.describe_table().table_name("Things").send().await.unwrap();
        described.table.unwrap().table_status.unwrap().to_string()
    };
    assert_eq!(status().await, "CREATING");
    clock.advance(HOUR);
    assert_eq!(status().await, "ACTIVE");
}

/// The SDK leaves read timeouts to its connector, so a connector without one waits for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_timeout_passes_on_the_engines_clock() {
    let clock = manual_clock();
    let gate = Arc::new(Gate::default());
    let files = Arc::new(GatedFiles::new(Arc::clone(&gate)));
    let engine = Engine::open(Options::files(files).clock(Arc::new(clock.clone()))).unwrap();
    let timeouts = TimeoutConfig::builder().read_timeout(HOUR).build();
    let config =
        keywright_embedded::config(&engine).timeout_config(timeouts).retry_config(RetryConfig::disabled());
    let client = Client::from_conf(config.build());
    create_table(&client, "Things").await;
    gate.close();
    let put = client.put_item().table_name("Things").item("pk", AttributeValue::S("a".into()));
    let sending = tokio::spawn(put.item("sk", AttributeValue::N("1".into())).send());
    gate.until_somebody_waits();
    while !sending.is_finished() {
        clock.advance(HOUR);
        tokio::task::yield_now().await;
    }
    let error = sending.await.unwrap().unwrap_err();
    assert!(matches!(error, SdkError::DispatchFailure(ref failure) if failure.is_timeout()), "{error:?}");
    gate.open();
}

#[test]
fn no_runtime_is_needed() {
    let engine = Engine::open(Options::memory()).unwrap();
    let client = keywright_embedded::client(&engine);
    pollster::block_on(async {
        create_table(&client, "Things").await;
        put(&client, "Things", "a", 1).await;
        let query = client.query().table_name("Things").key_condition_expression("pk = :p");
        let page =
            query.expression_attribute_values(":p", AttributeValue::S("a".into())).send().await.unwrap();
        assert_eq!(page.count, 1);
    });
}

#[tokio::test]
async fn an_operation_that_this_version_lacks_is_unknown() {
    let engine = Engine::open(Options::memory()).unwrap();
    let client = keywright_embedded::client(&engine);
    let error = client.describe_time_to_live().table_name("Things").send().await.unwrap_err();
    let code = aws_sdk_dynamodb::error::ProvideErrorMetadata::code(&error);
    assert_eq!(code, Some("UnknownOperationException"));
}

#[tokio::test]
async fn the_client_keeps_the_engine_open() {
    let client = keywright_embedded::client(&Engine::open(Options::memory()).unwrap());
    create_table(&client, "Things").await;
    put(&client, "Things", "a", 1).await;
}
