//! Calls are made again as the store's policy says, on its clock, and counted.

use std::time::Duration;

use keywright::{
    Jitter, ReadError, RetryPolicy, RetryUsage, ServiceProblem, Store, TransactionError, WriteError,
};
use keywright_api::Operation::{GetItem, PutItem, Query, TransactWriteItems};
use keywright_api::ThrottlingLimit::{AccountLimit, KeyRangeThroughput};
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{Arm, with_faults, with_faults_and_clock};

fn by_id() -> TeamById {
    TeamById { team_id: "1".to_owned() }
}

async fn store_with(arm: &Arm, policy: RetryPolicy) -> Store<App> {
    let builder = arm.builder::<App>();
    builder.create_table().await.unwrap();
    builder.retries(policy).open().await.unwrap()
}

fn tries(tries: u32) -> RetryPolicy {
    RetryPolicy { tries: tries.try_into().unwrap(), jitter: Jitter::Seeded(7), ..RetryPolicy::default() }
}

#[tokio::test]
async fn reads_are_made_again_whatever_befell_them_and_counted_by_pattern() {
    let befall = [
        Fault::Throttle(KeyRangeThroughput),
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
    ];
    for (fault, throttles) in befall.into_iter().zip([2, 0, 0]) {
        let rule = Rule::new(fault).operation(GetItem).operation(Query).when(When::Calls(vec![1, 2, 4]));
        let arm = with_faults(Faults::new(7).rule(rule).unwrap());
        let store = store_with(&arm, tries(3)).await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();

        assert!(acme.get(by_id()).await.unwrap().is_some());
        let page = acme.query(TeamWithMembers { team_id: "1".to_owned() }).page().await.unwrap();
        assert_eq!(page.items.len(), 1);

        let usage = store.usage();
        let got = &usage.reads["TeamById"];
        assert_eq!(got.requests, 1);
        let expected = RetryUsage { retries: 2, throttles, conflicts: 0, unanswered: 2 - throttles };
        assert_eq!(got.tries, expected);
        assert_eq!(usage.reads["TeamWithMembers"].tries.retries, 1);
    }
}

#[tokio::test]
async fn a_throttle_says_why_and_the_reasons_are_counted() {
    let rule = Rule::new(Fault::Throttle(AccountLimit)).operation(PutItem);
    let arm = with_faults(Faults::new(7).rule(rule).unwrap());
    let store = store_with(&arm, tries(2)).await;

    let error = tenant(&store, "acme").put(&team("acme", "1")).send().await.unwrap_err();

    let WriteError::Service(service) = error else { panic!("{error}") };
    assert_eq!(service.problem(), ServiceProblem::Throttled);
    assert_eq!(service.throttling_reasons(), ["TableWriteAccountLimitExceeded"]);
    assert!(service.to_string().contains("TableWriteAccountLimitExceeded"), "{service}");
    assert_eq!(store.usage().throttled_by["TableWriteAccountLimitExceeded"], 2);
}

#[tokio::test]
async fn a_conflict_with_a_transaction_is_told_from_a_throttle() {
    let rule = Rule::new(Fault::TransactionConflict).operation(PutItem).when(When::First(2));
    let arm = with_faults(Faults::new(7).rule(rule).unwrap());
    let store = store_with(&arm, tries(2)).await;
    let acme = tenant(&store, "acme");

    let error = acme.put(&team("acme", "1")).send().await.unwrap_err();

    let WriteError::Service(service) = error else { panic!("{error}") };
    assert_eq!(service.problem(), ServiceProblem::Conflict);
    assert_eq!(
        store.usage().writes["Team"].tries,
        RetryUsage { retries: 1, conflicts: 2, ..RetryUsage::default() }
    );
    acme.put(&team("acme", "1")).send().await.unwrap();
}

/// On both sides of the limit: the last of the tries succeeds, or there is none left.
#[tokio::test]
async fn a_call_is_made_as_often_as_the_policy_says_and_no_oftener() {
    for (throttled, succeeds) in [(4, true), (5, false)] {
        let rule =
            Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem).when(When::First(throttled));
        let arm = with_faults(Faults::new(7).rule(rule).unwrap());
        let store = store_with(&arm, tries(5)).await;

        let read = tenant(&store, "acme").get(by_id()).await;

        assert_eq!(read.is_ok(), succeeds, "{read:?}");
        assert_eq!(store.usage().reads["TeamById"].tries.retries, 4);
    }
}

/// The time that three pauses take, of the same draws in every run.
#[tokio::test]
async fn pauses_double_are_shortened_by_draws_of_the_seed_and_end_with_the_time() {
    let all = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem);
    let mut passed = Vec::new();
    for (seed, overall) in [(7, 600), (7, 600), (8, 600), (7, 2)] {
        let arm = with_faults(Faults::new(7).rule(all.clone()).unwrap());
        let policy = RetryPolicy {
            tries: 8.try_into().unwrap(),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(20),
            overall: Duration::from_secs(overall),
            jitter: Jitter::Seeded(seed),
            ..RetryPolicy::default()
        };
        let store = store_with(&arm, policy).await;
        let begun = arm.now_seconds();
        tenant(&store, "acme").get(by_id()).await.unwrap_err();
        passed.push((arm.now_seconds() - begun, store.usage().reads["TeamById"].tries.retries));
    }
    // 1 + 2 + 4 + 8 + 16 + 20 + 20 at most.
    assert!(passed[0].0 <= 71 && passed[0].1 == 7, "{passed:?}");
    assert_eq!(passed[0], passed[1], "one seed, one sequence");
    assert_ne!(passed[0].0, passed[2].0, "another seed, another sequence");
    assert!(passed[3].0 <= 2 && passed[3].1 < 7, "the time was over: {passed:?}");
}

/// A store that was to give up after three seconds took six: the read that asks what became of a lost write began a time of its own.
#[tokio::test]
async fn the_time_of_a_call_is_that_of_all_its_requests() {
    let lost = Rule::new(Fault::InternalServerError(Moment::BeforeCommit));
    let lost = lost.operation(PutItem).operation(TransactWriteItems).operation(GetItem);
    let arm = with_faults(Faults::new(7).rule(lost).unwrap());
    let policy = RetryPolicy {
        first_pause: Duration::from_secs(1),
        longest_pause: Duration::from_secs(1),
        overall: Duration::from_secs(30),
        reserve: 100_000,
        ..tries(1000)
    };
    let store = store_with(&arm, policy).await;
    let acme = tenant(&store, "acme");

    let begun = arm.now_seconds();
    let put = acme.put(&team("acme", "1")).may_repeat().send().await.unwrap_err();
    assert!(matches!(put, WriteError::Unknown { .. }), "{put}");
    let put_took = arm.now_seconds() - begun;

    let begun = arm.now_seconds();
    let mut transaction = acme.transaction();
    transaction.add(acme.put(&team("acme", "1")));
    let transacted = transaction.send().await.unwrap_err();
    assert!(matches!(transacted, TransactionError::Unknown { .. }), "{transacted}");
    let transaction_took = arm.now_seconds() - begun;

    assert!(
        (25..=31).contains(&put_took) && (25..=31).contains(&transaction_took),
        "{put_took}, {transaction_took}"
    );
}

/// Fifty callers meet an outage. With three tries each there would be a hundred more calls; there are ten, and then none until
/// something succeeds.
#[tokio::test]
async fn an_outage_is_not_made_worse_than_the_reserve_allows() {
    let outage =
        Rule::new(Fault::InternalServerError(Moment::BeforeCommit)).operation(GetItem).when(When::First(60));
    let arm = with_faults(Faults::new(7).rule(outage).unwrap());
    let store = store_with(&arm, RetryPolicy { reserve: 10, ..tries(3) }).await;
    let acme = tenant(&store, "acme");
    for _ in 0..50 {
        let error = acme.get(by_id()).await.unwrap_err();
        assert!(matches!(error, ReadError::Service(error) if error.problem() == ServiceProblem::Unanswered));
    }
    assert_eq!(store.usage().reads["TeamById"].tries.retries, 10);

    // The outage is over. What it took comes back with successes: five at the first try pay for one retry.
    for (successes, is_made_again) in [(4, false), (5, true)] {
        let rule =
            Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Query).when(When::Calls(vec![1, 2, 3]));
        let arm = with_faults(Faults::new(7).rule(rule).unwrap());
        let store = store_with(&arm, RetryPolicy { reserve: 1, ..tries(2) }).await;
        let acme = tenant(&store, "acme");
        let members = || acme.query(TeamWithMembers { team_id: "1".to_owned() });
        assert!(members().page().await.is_err(), "the one retry was throttled, too");
        for _ in 0..successes {
            acme.get(by_id()).await.unwrap();
        }
        assert_eq!(members().page().await.is_ok(), is_made_again, "after {successes}");
    }
}

/// The engine answers after a minute of its clock. Without a limit the call would wait for it; with one it is over after ten seconds.
#[tokio::test]
async fn a_try_that_takes_too_long_counts_as_not_answered() {
    let slow = Rule::new(Fault::Delay(Moment::BeforeCommit, Duration::from_secs(60))).operation(PutItem);
    let arm = with_faults_and_clock(Faults::new(7).rule(slow).unwrap());
    let store = store_with(&arm, tries(3)).await;
    let acme = tenant(&store, "acme");
    let begun = arm.now_seconds();
    let put = tokio::spawn(async move { acme.put(&team("acme", "1")).send().await });
    while !put.is_finished() {
        tokio::task::yield_now().await;
        arm.advance(Duration::from_secs(1));
    }

    let error = put.await.unwrap().unwrap_err();

    let WriteError::Unknown { source, .. } = error else { panic!("{error:?}") };
    assert_eq!(source.problem(), ServiceProblem::Unanswered);
    let waited = arm.now_seconds() - begun;
    assert!((10..60).contains(&waited), "{waited} s");
}
