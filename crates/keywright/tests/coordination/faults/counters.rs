//! Counts after a thousand increments at once, of which many are throttled or lose their answers.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{
    Added, AddedOnce, ReadError, RetryPolicy, ServiceProblem, Tenant, TransactionError, WriteError,
};
use keywright_api::Operation::{BatchGetItem, GetItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use super::{faults, seeds};
use crate::application::{Live, Tasks, balance, event, organization, tenant, views};
use crate::arm::with_faults;

const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const INCREMENTS: usize = 1_000;

/// The count, read past every fault.
async fn counted(read: impl AsyncFn() -> Result<i64, ReadError>) -> i64 {
    loop {
        match read().await {
            Ok(count) => return count,
            Err(ReadError::Service(error)) => assert_ne!(error.problem(), ServiceProblem::Refused),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Delivers a record until it is known to have counted, as a queue does; then once more. How many deliveries that took.
async fn deliver(acme: &Tenant<Live>, record: usize) -> usize {
    let event = event("acme", &record.to_string());
    let (account, tasks) = (balance("acme", 1), Tasks { organization_id: organization("acme") });
    let mut deliveries = 0;
    let mut is_known = false;
    loop {
        deliveries += 1;
        match acme.add_once(&event, KEPT).add(&account, 1).add(&tasks, 2).send().await {
            Ok(AddedOnce::Before) if is_known => return deliveries,
            Ok(AddedOnce::Done) if is_known => panic!("record {record} counted twice"),
            Ok(AddedOnce::Done | AddedOnce::Before) => is_known = true,
            Ok(AddedOnce::Refused { .. }) => panic!("nothing is limited"),
            Err(TransactionError::Unknown { .. }) => {}
            Err(TransactionError::Service(error)) => {
                assert_ne!(error.problem(), ServiceProblem::Refused, "{error}")
            }
            Err(TransactionError::Action { source, .. }) => {
                assert!(matches!(*source, WriteError::Contended { .. }), "{source}");
            }
            Err(error) => panic!("record {record}: {error}"),
        }
    }
}

/// A count over shards took a retry from the reserve for each answer that left some out, and never gave one back: after some such
/// counts nobody in the process was given a retry.
#[tokio::test]
async fn a_count_whose_shards_came_back_gives_its_retries_back() {
    let comes_back = Rule::new(Fault::Unprocessed { share: 0.3 }).operation(BatchGetItem);
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem).when(When::First(1));
    let faults = Faults::new(7).rule(comes_back.when(When::Every(2))).unwrap().rule(throttled).unwrap();
    let arm = with_faults(faults);
    let builder = arm.builder();
    builder.create_table().await.unwrap();
    let store = builder.retries(RetryPolicy { reserve: 2, ..RetryPolicy::default() }).open().await.unwrap();
    let acme = tenant(&store, "acme");

    for _ in 0..20 {
        assert_eq!(acme.count(&views("acme", "prices")).await.unwrap(), 0);
    }

    assert_eq!(store.usage().reads["Views"].tries.retries, 19, "every second call");
    assert_eq!(acme.count(&balance("acme", 1)).await.unwrap(), 0, "it is asked again");
    let hot = store.usage().hot_keys;
    assert!(hot.iter().any(|hot| hot.key == store.key_hash("ORG#acme#VIEWS#prices#3") && hot.units > 0.0));
    assert!(hot.iter().any(|hot| hot.key == store.key_hash("ORG#acme") && hot.units > 0.0));
}

#[tokio::test]
async fn an_exact_counter_equals_a_recount_after_a_thousand_faulty_increments_delivered_twice() {
    for seed in seeds().take(3) {
        let arm = with_faults(faults(seed, 0.05));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let deliveries = join_all((0..INCREMENTS).map(|record| deliver(&acme, record))).await;
        let (account, tasks) = (balance("acme", 1), Tasks { organization_id: organization("acme") });
        println!("seed {seed}: {} deliveries", deliveries.iter().sum::<usize>());
        assert_eq!(counted(async || acme.count(&account).await).await, INCREMENTS as i64, "seed {seed}");
        assert_eq!(counted(async || acme.count(&tasks).await).await, 2 * INCREMENTS as i64, "seed {seed}");
    }
}

#[tokio::test]
async fn an_approximate_counter_is_off_by_what_callers_were_told_is_unknown_and_by_no_more() {
    for seed in seeds().take(10) {
        let arm = with_faults(faults(seed, 0.05));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let page = views("acme", "prices");
        let (mut done, mut unknown) = (0, 0);
        for added in join_all((0..INCREMENTS).map(|_| acme.add(&page, 1).send())).await {
            match added {
                Ok(Added::Done { .. }) => done += 1,
                Ok(Added::Refused { .. }) => panic!("nothing is limited"),
                Err(WriteError::Unknown { .. }) => unknown += 1,
                Err(WriteError::Service(error)) => assert_eq!(error.problem(), ServiceProblem::Throttled),
                Err(error) => panic!("{error}"),
            }
        }
        let count = counted(async || acme.count(&page).await).await;
        println!("seed {seed}: {done} told, {unknown} unknown, {count} counted");
        assert!(
            (done..=done + unknown).contains(&count),
            "seed {seed}: {done} told, {unknown} unknown, {count}"
        );
        assert!(done > 700, "seed {seed}: {done} told");
    }
}
