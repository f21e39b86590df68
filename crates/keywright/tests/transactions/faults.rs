//! Answers that are lost, conflicts and throttles: nothing is done twice, nothing by half, and what is said is true.

use keywright::{Cause, Tenant, Transacted, TransactionError};
use keywright_api::Operation::TransactWriteItems;
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{with_faults, with_faults_and_clock};

const ACCOUNTS: u64 = 4;
const TRANSFERS: u64 = 20;
const BEGINNING: i64 = 10;

fn faults(seed: u64, share: f64) -> Faults {
    let befall = [
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
        Fault::Throttle(KeyRangeThroughput),
        Fault::TransactionConflict,
        Fault::TransactionInProgress,
    ];
    befall.into_iter().fold(Faults::new(seed), |faults, fault| {
        faults.rule(Rule::new(fault).operation(TransactWriteItems).when(When::Share(share))).unwrap()
    })
}

/// No answer came, and the first item of the transaction was written by somebody else since. It was asked alone, so nobody knew; the second
/// item would have told.
#[tokio::test]
async fn one_item_that_was_not_written_since_tells_that_a_transaction_happened() {
    let lost = Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(TransactWriteItems);
    let arm = with_faults_and_clock(Faults::new(7).rule(lost).unwrap());
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    let mut transaction = acme.transaction();
    transaction.add(acme.put(&team("acme", "1")));
    transaction.add(acme.put(&document("acme", 1)));
    // Its next try waits for the clock.
    let sending = tokio::spawn(transaction.send());
    while acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    acme.put(&Team { name: "Another".to_owned(), ..team("acme", "1") }).send().await.unwrap();
    while !sending.is_finished() {
        tokio::task::yield_now().await;
        arm.advance(std::time::Duration::from_millis(1));
    }

    let sent = sending.await.unwrap();

    assert!(matches!(sent, Ok(Transacted::Done(_))), "{sent:?}");
}

fn named(account: u64) -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: account.to_string() }
}

async fn balances(acme: &Tenant<App>) -> Vec<i64> {
    let mut balances = Vec::new();
    for account in 0..ACCOUNTS {
        balances.push(acme.get(named(account)).await.unwrap().unwrap().points);
    }
    balances
}

#[derive(Debug, Default)]
struct Tally {
    done: usize,
    canceled: usize,
    not_done: usize,
    unknown: usize,
}

/// Points go from one account to another, and a receipt is stored; each outcome is compared with what is stored before and after.
async fn transfers_are_what_they_say(seed: u64, tally: &mut Tally) {
    let arm = with_faults(faults(seed, 0.08));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    for account in 0..ACCOUNTS {
        let member = Member { points: BEGINNING, ..member("acme", "1", &account.to_string()) };
        acme.put(&member).send().await.unwrap();
    }
    for round in 0..TRANSFERS {
        let (from, to) = ((seed + round) % ACCOUNTS, (seed + round * 3 + 1) % ACCOUNTS);
        if from == to {
            continue;
        }
        let before = balances(&acme).await;
        let (from_place, to_place) = (usize::try_from(from).unwrap(), usize::try_from(to).unwrap());
        let mut transfer = acme.transaction();
        let spend = Award { points: -7 };
        transfer.add(acme.update(named(from), spend).when(&HasPoints { least: 7 }));
        transfer.add(acme.update(named(to), Award { points: 7 }));
        transfer.add(acme.put(&document("acme", round)).if_absent());
        let outcome = transfer.send().await;

        let after = balances(&acme).await;
        let receipt = acme.get(DocumentById { document_id: round }).await.unwrap();
        let mut moved = before.clone();
        moved[from_place] -= 7;
        moved[to_place] += 7;
        let place = format!("seed {seed}, transfer {round}: {outcome:?}, {before:?} to {after:?}");
        let (is_moved, is_as_before) =
            (after == moved && receipt.is_some(), after == before && receipt.is_none());
        assert!(is_moved || is_as_before, "by half, or twice: {place}");
        let was_enough = before[from_place] >= 7;
        match outcome {
            Ok(Transacted::Done(_)) => {
                tally.done += 1;
                assert!(is_moved && was_enough, "{place}");
            }
            Ok(Transacted::Canceled(canceled)) => {
                tally.canceled += 1;
                assert!(is_as_before, "{place}");
                let by_condition = canceled.to_blame().any(|(_, cause)| cause == Cause::ConditionFailed);
                assert!(by_condition != was_enough || canceled.is_passing(), "{place}");
            }
            Err(TransactionError::Unknown { .. }) => tally.unknown += 1,
            Err(TransactionError::Service(_)) => {
                tally.not_done += 1;
                assert!(is_as_before, "{place}");
            }
            Err(error) => panic!("{error}: {place}"),
        }
    }
    let sum: i64 = balances(&acme).await.iter().sum();
    assert_eq!(sum, BEGINNING * i64::try_from(ACCOUNTS).unwrap(), "seed {seed}");
}

#[tokio::test]
async fn what_a_transaction_says_is_what_became_of_it_whatever_was_lost() {
    let seeds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 0..3_000 } else { 0..80 };
    let mut tally = Tally::default();
    for seed in seeds {
        transfers_are_what_they_say(seed, &mut tally).await;
    }
    println!("{tally:?}");
    // All of them happen, and of nearly all it is known what became of them, though a third of the answers are lost.
    assert!(tally.done > 0 && tally.canceled > 0 && tally.unknown > 0, "{tally:?}");
    assert!(tally.unknown * 20 < tally.done + tally.canceled, "{tally:?}");
}

fn once(fault: Fault, calls: u64) -> Faults {
    let rule = Rule::new(fault).operation(TransactWriteItems);
    Faults::new(7).rule(rule.when(When::First(calls))).unwrap()
}

async fn award(faults: Faults) -> (Result<Transacted, TransactionError>, i64) {
    let store = with_faults(faults).store::<App>().await;
    let acme = tenant(&store, "acme");
    acme.put(&member("acme", "1", "0")).send().await.unwrap();
    let mut transaction = acme.transaction();
    transaction.add(acme.update(named(0), Award { points: 1 }));
    let outcome = transaction.send().await;
    (outcome, acme.get(named(0)).await.unwrap().unwrap().points)
}

/// The client makes three tries. The SDK's own token is another one with every send, so that its retries by hand counted twice.
#[tokio::test]
async fn an_answer_that_is_lost_is_asked_for_again_with_the_same_token() {
    let (outcome, points) = award(once(Fault::CutConnection(Moment::AfterCommit), 2)).await;
    let done = outcome.unwrap().done().unwrap();
    assert_eq!((done.write_units(), points), (None, 1));
}

#[tokio::test]
async fn an_answer_that_is_lost_to_the_last_try_is_told_by_the_item() {
    let (outcome, points) = award(once(Fault::CutConnection(Moment::AfterCommit), 3)).await;
    assert!(outcome.unwrap().is_done());
    assert_eq!(points, 1);
}

#[tokio::test]
async fn no_answer_to_any_try_is_unknown_where_no_item_tells() {
    let (outcome, points) = award(once(Fault::CutConnection(Moment::BeforeCommit), 3)).await;
    assert!(matches!(outcome, Err(TransactionError::Unknown { .. })), "{outcome:?}");
    assert_eq!(points, 0);
}

#[tokio::test]
async fn conflicts_and_throttles_are_tried_again_and_are_the_reason_at_the_last_try() {
    for (fault, cause) in [
        (Fault::TransactionConflict, Cause::Conflict),
        (Fault::Throttle(KeyRangeThroughput), Cause::Throttled),
    ] {
        let (outcome, points) = award(once(fault, 2)).await;
        assert!(outcome.unwrap().is_done());
        assert_eq!(points, 1);

        let (outcome, points) = award(once(fault, 3)).await;
        let canceled = outcome.unwrap().canceled().unwrap();
        assert_eq!(canceled.to_blame().map(|(_, cause)| cause).collect::<Vec<_>>(), [cause]);
        assert!(canceled.is_passing());
        assert_eq!(points, 0);
    }
}

#[tokio::test]
async fn a_transaction_in_progress_is_waited_for_and_unknown_if_it_stays() {
    let (outcome, points) = award(once(Fault::TransactionInProgress, 2)).await;
    assert!(outcome.unwrap().is_done());
    assert_eq!(points, 1);
    let (outcome, points) = award(once(Fault::TransactionInProgress, 3)).await;
    assert!(matches!(outcome, Err(TransactionError::Unknown { .. })), "{outcome:?}");
    assert_eq!(points, 0);
}
