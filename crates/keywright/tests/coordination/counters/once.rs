//! Exact counters: what is delivered twice counts once, all of it or nothing.

use std::time::Duration;

use keywright::{AddedOnce, Capability, Claimed, Limits, Transacted, TransactionError};

use crate::application::{Tasks, balance, event, organization, tenant};
use crate::arm::{Arm, on_every_arm};

const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether it declares that it has none: then an exact count is refused before anything is sent.
fn lacks_transactions(arm: &Arm) -> bool {
    arm.capabilities().transactions == Capability::Absent
}

#[tokio::test]
async fn an_exact_count_is_refused_where_there_are_no_transactions() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, event) = (tenant(&store, "acme"), event("acme", "e1"));
        let counted = acme.add_once(&event, KEPT).add(&balance("acme", 1), 1).send().await;
        assert_eq!(
            matches!(counted, Err(TransactionError::Lacking)),
            lacks_transactions(&arm),
            "{counted:?}"
        );
    })
    .await;
}

/// A stream's worker added to eight counters for each record. Records are delivered at least once, and the worker died after the fifth counter:
/// totals drifted, and a floor at zero hid it.
#[tokio::test]
async fn a_record_that_is_delivered_twice_adds_once_to_each_of_its_counters() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let counters: Vec<_> = (0..8).map(|account| balance("acme", account)).collect();
        for record in 0..7 {
            for delivery in 0..2 {
                let event = event("acme", &record.to_string());
                let once =
                    counters.iter().fold(acme.add_once(&event, KEPT), |once, counter| once.add(counter, 1));
                let expected = if delivery == 0 { AddedOnce::Done } else { AddedOnce::Before };
                assert_eq!(once.send().await.unwrap(), expected);
            }
        }
        // A removal that is delivered twice takes one, also from what would be above a floor both times.
        let removed = event("acme", "removed");
        let remove =
            || acme.add_once(&removed, KEPT).add_within(&counters[7], -1, Limits::at_least(0)).send();
        assert_eq!((remove().await.unwrap(), remove().await.unwrap()), (AddedOnce::Done, AddedOnce::Before));

        for (place, counter) in counters.iter().enumerate() {
            assert_eq!(acme.count(counter).await.unwrap(), if place == 7 { 6 } else { 7 });
        }
    })
    .await;
}

#[tokio::test]
async fn one_counter_beyond_its_limit_refuses_all_and_the_claim_is_not_taken() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let (first, second) = (balance("acme", 1), balance("acme", 2));
        let _ = acme
            .add_once(&event("acme", "paid"), KEPT)
            .add(&first, 100)
            .add(&second, 5)
            .send()
            .await
            .unwrap();
        let event = event("acme", "used");
        let charge = |amount: i64| {
            acme.add_once(&event, KEPT)
                .add(&first, -1)
                .add_within(&second, -amount, Limits::at_least(0))
                .send()
        };
        assert_eq!(charge(6).await.unwrap(), AddedOnce::Refused { counter: 1, count: Some(5) });
        assert_eq!(acme.count(&first).await.unwrap(), 100);
        assert_eq!(charge(5).await.unwrap(), AddedOnce::Done, "the claim was not taken by what was refused");
        assert_eq!((acme.count(&first).await.unwrap(), acme.count(&second).await.unwrap()), (99, 0));
    })
    .await;
}

#[tokio::test]
async fn a_sharded_counter_is_exact_too() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let tasks = Tasks { organization_id: organization("acme") };
        for record in 0..20 {
            let event = event("acme", &(record % 10).to_string());
            let _ = acme.add_once(&event, KEPT).add(&tasks, 1).send().await.unwrap();
        }
        assert_eq!(acme.count(&tasks).await.unwrap(), 10);
    })
    .await;
}

#[tokio::test]
async fn what_is_counted_once_is_counted_again_when_the_claim_is_no_longer_kept() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let (event, account) = (event("acme", "e1"), balance("acme", 1));
        let count = || acme.add_once(&event, KEPT).add(&account, 1).send();
        assert_eq!(count().await.unwrap(), AddedOnce::Done);
        if arm.advance(KEPT - Duration::from_secs(1)) {
            assert_eq!(count().await.unwrap(), AddedOnce::Before);
            arm.advance(Duration::from_secs(1));
            assert_eq!(count().await.unwrap(), AddedOnce::Done);
            assert_eq!(acme.count(&account).await.unwrap(), 2);
        }
    })
    .await;
}

#[tokio::test]
async fn a_claim_counts_ninety_nine_counters_and_each_of_them_once() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let counters: Vec<_> = (0..100).map(|account| balance("acme", account)).collect();
        let event = |id: &str| event("acme", id);
        let (all, most, twice) = (event("all"), event("most"), event("twice"));
        let count = |claim, counters: &[_]| {
            counters.iter().fold(acme.add_once(claim, KEPT), |once, counter| once.add(counter, 1)).send()
        };
        let too_many = count(&all, &counters).await;
        assert!(matches!(too_many, Err(TransactionError::TooMany { actions: 101, .. })), "{too_many:?}");
        assert_eq!(count(&most, &counters[..99]).await.unwrap(), AddedOnce::Done);
        let same = acme.add_once(&twice, KEPT).add(&counters[0], 1).add(&counters[0], 1).send().await;
        assert!(matches!(same, Err(TransactionError::SameItem(_))), "{same:?}");
        let usage = store.usage().writes;
        assert_eq!((usage["Event"].units, usage["Balance"].units), (2.0, 198.0), "two units an item");
    })
    .await;
}

#[tokio::test]
async fn a_claim_that_counted_is_done_for_handlers_and_one_in_progress_is_not_counted_by() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let account = balance("acme", 1);
        let (counted, held) = (event("acme", "counted"), event("acme", "held"));
        let _ = acme.add_once(&counted, KEPT).add(&account, 1).send().await.unwrap();
        let claimed = acme.claim(&counted, Duration::from_secs(9), KEPT).send::<()>().await.unwrap();
        assert!(matches!(claimed, Claimed::Done(())));

        let _held = acme.claim(&held, Duration::from_secs(9), KEPT).send::<()>().await.unwrap();
        assert!(acme.add_once(&held, KEPT).add(&account, 1).send().await.is_err());
        assert_eq!(acme.count(&account).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn counters_and_marks_are_actions_of_transactions() {
    on_every_arm(|arm| async move {
        if lacks_transactions(&arm) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let (account, paid) = (balance("acme", 1), event("acme", "paid"));
        for is_first in [true, false] {
            let mut transaction = acme.transaction();
            transaction.add(acme.mark_done(&paid, KEPT));
            transaction.add(acme.add(&account, 10).within(Limits::at_most(10)));
            let transacted = transaction.send().await.unwrap();
            assert_eq!(matches!(transacted, Transacted::Done(_)), is_first);
        }
        assert_eq!(acme.count(&account).await.unwrap(), 10);
    })
    .await;
}
