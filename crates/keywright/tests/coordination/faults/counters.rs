//! Counts after a thousand increments at once, of which many are throttled or lose their answers.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Added, AddedOnce, ReadError, ServiceProblem, Tenant, TransactionError, WriteError};

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
