//! The reserve of retries that a batch shares with every other caller of its store.

use std::time::Duration;

use keywright::{Jitter, RetryPolicy, Store};
use keywright_api::Operation::{BatchWriteItem, GetItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use crate::application::*;
use crate::arm::{Arm, with_faults};
use crate::faults::patient;

/// A store with a small reserve, and three tries for what is no batch.
async fn store_with_reserve(arm: &Arm, reserve: u32) -> Store<App> {
    let builder = arm.builder::<App>();
    builder.create_table().await.unwrap();
    builder
        .retries(RetryPolicy { reserve, jitter: Jitter::Seeded(7), ..RetryPolicy::default() })
        .open()
        .await
        .unwrap()
}

/// An import of many rows was throttled in a third of its calls, and each retry succeeded. It took a whole retry from the reserve for
/// each failed call and gave back a fifth of one for each success, so after some hundred calls nobody in the process was given a retry, and
/// the import itself went on with the longest pauses.
#[tokio::test]
async fn a_batch_whose_retries_succeed_leaves_the_reserve_to_others() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(BatchWriteItem);
    let read = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem).when(When::First(2));
    let faults = Faults::new(7).rule(throttled.when(When::Share(0.3))).unwrap().rule(read).unwrap();
    let arm = with_faults(faults);
    let store = store_with_reserve(&arm, 20).await;
    let acme = tenant(&store, "acme");
    let documents: Vec<Document> = (0..10_000).map(|id| document("acme", id)).collect();

    let begun = arm.now_seconds();
    let written = acme.batch_put(&documents).budget(patient()).send().await.unwrap();
    let took = arm.now_seconds() - begun;

    assert!(written.calls > 500, "the faults befell {} calls", written.calls - 400);
    // Pauses of up to 50, 100, 200 ms, one after the other on this clock. A longest pause is 20 s.
    assert!(took < 60, "{took} s");
    assert!(acme.get(DocumentById { document_id: 1 }).await.unwrap().is_some(), "it was throttled twice");
}

/// The same of a stream, whose calls have no lanes.
#[tokio::test]
async fn a_stream_whose_retries_succeed_leaves_the_reserve_to_others() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(BatchWriteItem);
    let read = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem).when(When::First(2));
    let faults = Faults::new(7).rule(throttled.when(When::Share(0.3))).unwrap().rule(read).unwrap();
    let arm = with_faults(faults);
    let store = store_with_reserve(&arm, 20).await;
    let acme = tenant(&store, "acme");

    let rows =
        futures_util::stream::iter((0..10_000).map(|id| keywright::BatchChange::put(document("acme", id))));
    acme.batch_write_stream(rows).budget(patient()).send().await.unwrap();

    assert!(acme.get(DocumentById { document_id: 1 }).await.unwrap().is_some(), "it was throttled twice");
}

/// While nothing succeeds a batch takes what is there and no more, and then makes the longest pauses.
#[tokio::test]
async fn a_batch_that_only_fails_uses_the_reserve_up() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(BatchWriteItem);
    let arm = with_faults(Faults::new(7).rule(throttled.when(When::First(30))).unwrap());
    let store = store_with_reserve(&arm, 5).await;
    let begun = arm.now_seconds();

    let documents: Vec<Document> = (0..25).map(|id| document("acme", id)).collect();
    let batch = tenant(&store, "acme").batch_put(&documents).calls_in_flight(1.try_into().unwrap());
    let budget = keywright::BatchBudget { tries: 40.try_into().unwrap(), overall: Duration::from_secs(3600) };
    batch.budget(budget).send().await.unwrap();

    // Twenty-five pauses of ten seconds on average.
    assert!(arm.now_seconds() - begun > 120, "{} s", arm.now_seconds() - begun);
}
