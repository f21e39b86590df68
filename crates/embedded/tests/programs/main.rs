//! Programs under faults: for each fault one as it is often written, which loses items, reads what is over or counts twice,
//! and one that does not.
//!
//! Both meet the same engine through the SDK's client. Their numbers follow from the rules and the seed, since no two calls
//! run at once. Pauses move the engine's clock, and the SDK's own are of no length.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails in a test's helper fails the test"
)]

mod lagging;
mod late_answers;
mod lost_answers;
mod throttled;
mod transactions;
mod unprocessed;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    Projection, ProjectionType, ScalarAttributeType,
};
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::faults::{Faults, Rule};
use keywright_engine::{Engine, Options};

const SEED: u64 = 2026;
const TABLE: &str = "rows";
/// How long the client waits for an answer.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// An item, or its key.
type Item = HashMap<String, AttributeValue>;

/// An engine with faults, and what a program has of it.
struct Scene {
    client: Client,
    clock: ManualClock,
}

impl Scene {
    /// A client with the SDK's standard retries: three attempts.
    async fn new(rules: impl IntoIterator<Item = Rule>) -> Scene {
        Scene::with(rules, RetryConfig::standard().with_initial_backoff(Duration::ZERO)).await
    }

    /// A client that sends everything once. The SDK's own attempts make what follows rarer, and do not end it.
    async fn without_retries(rules: impl IntoIterator<Item = Rule>) -> Scene {
        Scene::with(rules, RetryConfig::disabled()).await
    }

    async fn with(rules: impl IntoIterator<Item = Rule>, retries: RetryConfig) -> Scene {
        let faults = rules.into_iter().fold(Faults::new(SEED), |faults, rule| faults.rule(rule).unwrap());
        let clock = ManualClock::new(Timestamp::from_milliseconds(1_700_000_000_000));
        let options = Options::memory().clock(Arc::new(clock.clone())).faults(faults);
        let engine = Engine::open(options).unwrap();
        let timeouts = TimeoutConfig::builder().read_timeout(READ_TIMEOUT).build();
        let config = keywright_embedded::config(&engine).retry_config(retries).timeout_config(timeouts);
        let scene = Scene { client: Client::from_conf(config.build()), clock };
        scene.create_table().await;
        scene
    }

    /// A table of rows with an index of those that have an owner.
    async fn create_table(&self) {
        let attribute = |name: &str| {
            let attribute = AttributeDefinition::builder().attribute_name(name);
            attribute.attribute_type(ScalarAttributeType::S).build().unwrap()
        };
        let key = |name: &str| {
            KeySchemaElement::builder().attribute_name(name).key_type(KeyType::Hash).build().unwrap()
        };
        let everything = Projection::builder().projection_type(ProjectionType::All).build();
        let index = GlobalSecondaryIndex::builder().index_name("by_owner").key_schema(key("owner"));
        let table = self.client.create_table().table_name(TABLE).billing_mode(BillingMode::PayPerRequest);
        table
            .key_schema(key("pk"))
            .attribute_definitions(attribute("pk"))
            .attribute_definitions(attribute("owner"))
            .global_secondary_indexes(index.projection(everything).build().unwrap())
            .send()
            .await
            .unwrap();
    }

    /// Lets time pass before the next try.
    fn pause(&self, pause: Duration) {
        self.clock.advance(pause);
    }

    /// The partition keys that are there, in order.
    async fn rows(&self) -> Vec<String> {
        let mut pages =
            self.client.scan().table_name(TABLE).consistent_read(true).into_paginator().items().send();
        let mut rows = Vec::new();
        while let Some(item) = pages.next().await {
            rows.push(item.unwrap()["pk"].as_s().unwrap().clone());
        }
        rows.sort_unstable();
        rows
    }

    /// The number in an item; 0 without one.
    async fn number(&self, pk: &str) -> u64 {
        let get = self.client.get_item().table_name(TABLE).key("pk", string(pk)).consistent_read(true);
        let item = get.send().await.unwrap().item.unwrap_or_default();
        item.get("n").map_or(0, |number| number.as_n().unwrap().parse().unwrap())
    }
}

fn string(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn number(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// The key of a row.
fn row(pk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), string(pk))])
}

/// `prefix 000`, `prefix 001`, ...
fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix} {number:03}")).collect()
}

/// Ever longer pauses, up to a minute together.
fn pauses() -> impl Iterator<Item = Duration> {
    (0..10).map(|number| Duration::from_millis(50 << number))
}

/// Whether the same request may succeed later, and has not been carried out.
fn is_throttled(error: &impl ProvideErrorMetadata) -> bool {
    matches!(error.code(), Some("ThrottlingException" | "ProvisionedThroughputExceededException"))
}
