//! The arm on Amazon DynamoDB: with the feature `suite-on-aws`, where the environment has credentials; else it is skipped, and says so.
//!
//! It costs a few cents. Its tables are called `keywright-test-..`, and are deleted when their test has ended, however it ended.
//! Reads of tables are made consistent and reads of indexes wait a second before, since tests read what was written just before.

use std::future::Future;

use keywright::CursorKeys;

use super::Arm;

#[cfg(feature = "suite-on-aws")]
pub(super) use present::on_aws;

/// Says why nothing runs on AWS.
#[cfg(not(feature = "suite-on-aws"))]
pub(super) async fn on_aws<Run: Future<Output = ()>>(_keys: &CursorKeys, _test: impl Fn(Arm) -> Run) {
    say_once("the arm on AWS is skipped: the feature `suite-on-aws` is off");
}

/// Says it once in a process: every test comes by here.
#[expect(clippy::print_stdout, reason = "a test that is skipped is said to be")]
fn say_once(text: &str) {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| println!("{text}"));
}

#[cfg(feature = "suite-on-aws")]
mod present {
    use std::future::poll_fn;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::Arc;
    use std::task::Poll;
    use std::time::Duration;

    use aws_sdk_dynamodb::Client;
    use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextMut;
    use aws_sdk_dynamodb::config::{
        BehaviorVersion, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
    };
    use aws_sdk_dynamodb::error::BoxError;
    use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
    use aws_sdk_dynamodb::operation::get_item::GetItemInput;
    use aws_sdk_dynamodb::operation::query::QueryInput;
    use aws_sdk_dynamodb::operation::scan::ScanInput;
    use aws_smithy_http_client::tls::Provider;
    use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
    use keywright::Capabilities;

    use super::{Arm, CursorKeys, Future, say_once};

    pub(in super::super) async fn on_aws<Run: Future<Output = ()>>(
        keys: &CursorKeys,
        test: impl Fn(Arm) -> Run,
    ) {
        let Some(client) = client() else {
            say_once(
                "the arm on AWS is skipped: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_SESSION_TOKEN \
                 if there is one",
            );
            return;
        };
        let arm = Arm {
            name: "on AWS",
            client,
            capabilities: Capabilities::AMAZON_DYNAMODB,
            clock: None,
            keys: keys.clone(),
            tables: Arc::default(),
        };
        let mut running = Box::pin(test(arm.clone()));
        let ended =
            poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context))) {
                Ok(poll) => poll.map(Ok),
                Err(panic) => Poll::Ready(Err(panic)),
            })
            .await;
        let tables = std::mem::take(&mut *arm.tables.lock().unwrap());
        for table in tables {
            // One that the test did not make is not there.
            let _ = arm.client.delete_table().table_name(table).send().await;
        }
        if let Err(panic) = ended {
            resume_unwind(panic);
        }
    }

    fn client() -> Option<Client> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"))?;
        let credentials = Credentials::new(
            variable("AWS_ACCESS_KEY_ID")?,
            variable("AWS_SECRET_ACCESS_KEY")?,
            variable("AWS_SESSION_TOKEN"),
            None,
            "environment",
        );
        let http = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
        let config = aws_sdk_dynamodb::config::Builder::new()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(region))
            .credentials_provider(credentials)
            .http_client(http.build_https())
            .sleep_impl(aws_smithy_async::rt::sleep::TokioSleep::new())
            .interceptor(ReadsWhatWasWritten);
        Some(Client::from_conf(config.build()))
    }

    /// Makes reads see what was written just before, as the engine's do.
    #[derive(Debug)]
    struct ReadsWhatWasWritten;

    impl Intercept for ReadsWhatWasWritten {
        fn name(&self) -> &'static str {
            "ReadsWhatWasWritten"
        }

        fn modify_before_serialization(
            &self,
            context: &mut BeforeSerializationInterceptorContextMut<'_>,
            _components: &RuntimeComponents,
            _config: &mut ConfigBag,
        ) -> Result<(), BoxError> {
            let input = context.input_mut();
            if let Some(get) = input.downcast_mut::<GetItemInput>() {
                get.consistent_read = Some(true);
            } else if let Some(batch) = input.downcast_mut::<BatchGetItemInput>() {
                for keys in batch.request_items.iter_mut().flat_map(|tables| tables.values_mut()) {
                    keys.consistent_read = Some(true);
                }
            } else if let Some(query) = input.downcast_mut::<QueryInput>() {
                query.consistent_read = of_table_or_late(query.index_name.as_deref());
            } else if let Some(scan) = input.downcast_mut::<ScanInput>() {
                scan.consistent_read = of_table_or_late(scan.index_name.as_deref());
            }
            Ok(())
        }
    }
    /// A read of a table is made consistent; one of an index cannot be, if it is a global one, and is made later.
    fn of_table_or_late(index: Option<&str>) -> Option<bool> {
        if index.is_some() {
            std::thread::sleep(Duration::from_secs(1));
        }
        index.is_none().then_some(true)
    }
}
