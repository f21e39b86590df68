//! How many calls are under way at once, and how long a batch pauses.

use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use keywright::{BatchBudget, BatchChange, Jitter, RetryPolicy, Store};
use keywright_api::Operation::{BatchGetItem, BatchWriteItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{Arm, with_faults};
use crate::calls::ArmWithCalls;

/// Every call takes a second of a clock that only the test moves: all that may be under way come to be.
fn slow() -> Faults {
    let slow = Rule::new(Fault::Delay(Moment::BeforeCommit, Duration::from_secs(1)));
    Faults::new(7).rule(slow.operation(BatchWriteItem).operation(BatchGetItem)).unwrap()
}

/// Time passes faster than the engine answers, so nothing here ends by time.
const ENDLESS: BatchBudget =
    BatchBudget { tries: const { NonZeroU32::new(1).unwrap() }, overall: Duration::from_secs(1 << 30) };

async fn patient_store(arm: &Arm) -> Store<App> {
    let builder = arm.builder::<App>();
    builder.create_table().await.unwrap();
    let policy = RetryPolicy { attempt_timeout: Duration::from_secs(1 << 30), ..RetryPolicy::default() };
    builder.retries(policy).open().await.unwrap()
}

#[tokio::test]
async fn a_batch_has_as_many_calls_under_way_as_it_may_and_no_more() {
    for in_flight in [1, 3, 8] {
        let arm = ArmWithCalls::new(slow());
        let store = patient_store(&arm.arm).await;
        let acme = tenant(&store, "acme");
        let documents: Vec<Document> = (0..500).map(|id| document("acme", id)).collect();
        let bound = in_flight.try_into().unwrap();

        let write = acme.batch_put(&documents).calls_in_flight(bound).budget(ENDLESS).send();
        assert_eq!(arm.until_done(write).await.unwrap().calls, 20);
        assert_eq!(arm.most_calls(), in_flight, "writes");

        let keys = (0..2000).map(|document_id| DocumentById { document_id });
        let read = acme.batch_get(keys).calls_in_flight(bound).budget(ENDLESS).send();
        assert_eq!(arm.until_done(read).await.unwrap().calls, 20);
        assert_eq!(arm.most_calls(), in_flight, "reads");
    }
}

#[tokio::test]
async fn a_stream_has_as_many_calls_under_way_as_it_may_and_no_more() {
    for in_flight in [1, 3, 8] {
        let arm = ArmWithCalls::new(slow());
        let store = patient_store(&arm.arm).await;
        let acme = tenant(&store, "acme");
        let bound = in_flight.try_into().unwrap();

        let rows = stream::iter((0..500).map(|id| BatchChange::put(document("acme", id))));
        let write = acme.batch_write_stream(rows).calls_in_flight(bound).budget(ENDLESS).send();
        assert_eq!(arm.until_done(write).await.unwrap().calls, 20);
        assert_eq!(arm.most_calls(), in_flight, "writes");

        let named = stream::iter((0..2000).map(|document_id| DocumentById { document_id }));
        let read = acme
            .batch_get_stream(named)
            .calls_in_flight(bound)
            .budget(ENDLESS)
            .window(2000.try_into().unwrap());
        let found =
            arm.until_done(read.filter(|found| std::future::ready(matches!(found, Ok(Some(_))))).count());
        assert_eq!(found.await, 500);
        assert_eq!(arm.most_calls(), in_flight, "reads");
    }
}

/// A batch that nothing comes of pauses before each further try: no longer than its bound, and as long in every run of one seed.
#[tokio::test]
async fn the_pauses_of_a_batch_double_end_at_their_bound_and_are_those_of_their_seed() {
    let mut passed = Vec::new();
    for (seed, failures) in [(7, 9), (7, 9), (8, 9), (7, 3)] {
        let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(BatchWriteItem);
        let arm = with_faults(Faults::new(7).rule(throttled.when(When::First(failures))).unwrap());
        let builder = arm.builder::<App>();
        builder.create_table().await.unwrap();
        let policy = RetryPolicy {
            first_pause: Duration::from_secs(10),
            longest_pause: Duration::from_secs(40),
            jitter: Jitter::Seeded(seed),
            ..RetryPolicy::default()
        };
        let store = builder.retries(policy).open().await.unwrap();
        let budget = BatchBudget { tries: 20.try_into().unwrap(), overall: Duration::from_secs(3600) };
        let begun = arm.now_seconds();
        tenant(&store, "acme").batch_put(&[document("acme", 1)]).budget(budget).send().await.unwrap();
        passed.push(arm.now_seconds() - begun);
    }
    // 10 + 20 + 7 * 40 at most; 10 + 20 + 40 of three.
    assert!((60..=310).contains(&passed[0]), "{passed:?}");
    assert_eq!(passed[0], passed[1], "one seed, one sequence");
    assert_ne!(passed[0], passed[2], "another seed, another sequence");
    assert!(passed[3] <= 70 && passed[3] < passed[0], "{passed:?}");
}
