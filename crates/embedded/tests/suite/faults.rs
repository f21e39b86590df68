//! Faults as the SDK sees them, on both arms: the same types, and the same readiness to try again.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::{PutItemError, PutItemOutput};
use aws_sdk_dynamodb::types::AttributeValue;
use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::Options;
use keywright_engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::arm::{Arm, both};
use crate::cases::{create_table, number, string};

/// Both arms, each with its own engine that has this rule for PutItem, and the table `Things`.
async fn arms(rule: Rule) -> [Arm; 2] {
    let rule = rule.operation(Operation::PutItem);
    let arms = both(|| Options::memory().faults(Faults::new(7).rule(rule.clone()).unwrap()));
    for arm in &arms {
        create_table(&arm.client, "Things").await;
    }
    arms
}

/// A client that tries once.
fn once(client: &Client) -> Client {
    retrying(client, RetryConfig::disabled())
}

/// A client that tries as often as by default, without much of a pause.
fn eager(client: &Client) -> Client {
    retrying(client, RetryConfig::standard().with_initial_backoff(Duration::from_millis(1)))
}

fn retrying(client: &Client, retries: RetryConfig) -> Client {
    Client::from_conf(client.config().to_builder().retry_config(retries).build())
}

async fn put(client: &Client) -> Result<PutItemOutput, SdkError<PutItemError>> {
    let put = client.put_item().table_name("Things").item("pk", string("a")).item("sk", number(1));
    put.send().await
}

async fn stored(client: &Client) -> Option<AttributeValue> {
    let get = client.get_item().table_name("Things").key("pk", string("a")).key("sk", number(1));
    get.send().await.unwrap().item.and_then(|mut item| item.remove("sk"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn throttling_is_typed_and_names_its_reasons() {
    for (limit, name) in [
        (ThrottlingLimit::KeyRangeThroughput, "ThrottlingException"),
        (ThrottlingLimit::ProvisionedThroughput, "ProvisionedThroughputExceededException"),
        (ThrottlingLimit::AccountLimit, "RequestLimitExceeded"),
    ] {
        for arm in arms(Rule::new(Fault::Throttle(limit))).await {
            let error = put(&once(&arm.client)).await.unwrap_err().into_service_error();
            let reasons = match &error {
                PutItemError::ThrottlingException(error) => error.throttling_reasons(),
                PutItemError::ProvisionedThroughputExceededException(error) => error.throttling_reasons(),
                PutItemError::RequestLimitExceeded(error) => error.throttling_reasons(),
                other => panic!("{other:?}"),
            };
            assert_eq!(error.meta().code(), Some(name));
            let expected = format!("TableWrite{}", limit.wire_name());
            assert_eq!(reasons[0].reason(), Some(expected.as_str()));
            assert!(reasons[0].resource().unwrap().ends_with(":table/Things"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdk_tries_again_what_is_throttled_fails_or_is_cut() {
    for fault in [
        Fault::Throttle(ThrottlingLimit::KeyRangeThroughput),
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
    ] {
        for arm in arms(Rule::new(fault).when(When::First(1))).await {
            put(&eager(&arm.client)).await.unwrap();
            assert_eq!(stored(&arm.client).await, Some(number(1)), "{fault}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_connection_is_a_dispatch_failure() {
    for (moment, expected) in [(Moment::BeforeCommit, None), (Moment::AfterCommit, Some(number(1)))] {
        for arm in arms(Rule::new(Fault::CutConnection(moment))).await {
            let error = put(&once(&arm.client)).await.unwrap_err();
            assert!(matches!(error, SdkError::DispatchFailure(_)), "{error:?}");
            assert_eq!(stored(&arm.client).await, expected, "{moment}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conflict_is_typed_and_not_tried_again() {
    for arm in arms(Rule::new(Fault::TransactionConflict).when(When::First(1))).await {
        let error = put(&arm.client).await.unwrap_err().into_service_error();
        assert!(matches!(error, PutItemError::TransactionConflictException(_)), "{error:?}");
        assert_eq!(stored(&arm.client).await, None);
    }
}
