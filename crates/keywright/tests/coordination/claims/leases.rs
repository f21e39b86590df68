//! Leases: who is believed dead, when, and what becomes of what the dead one stores.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{ClaimError, Claimed, WriteError};

use super::{CLOCK_ERROR, KEPT, LEASE, held};
use crate::application::{event, tenant};
use crate::arm::on_every_arm;

const MILLISECOND: Duration = Duration::from_millis(1);

/// The lease of a worker ran out while it waited for a bank. A second worker took the event over and stored its receipt; then the
/// first woke and stored another over it. The first must be told that it lost.
#[tokio::test]
async fn the_lease_of_one_who_sleeps_is_taken_over_and_what_it_stores_then_is_refused() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT).send::<String>();
        let sleeper = held(claim().await.unwrap()).unwrap();

        if !arm.advance(LEASE + CLOCK_ERROR - MILLISECOND) {
            return;
        }
        let Claimed::InProgress { until } = claim().await.unwrap() else { panic!("it is held still") };
        assert_eq!(until.unix_milliseconds() / 1000, i64::try_from(arm.now_seconds()).unwrap() + 1);
        arm.advance(MILLISECOND);
        let successor = held(claim().await.unwrap()).unwrap();

        let late = sleeper.complete(&"late".to_owned()).await;
        assert!(matches!(late, Err(ClaimError::Lost { entity: "Event" })), "{late:?}");
        successor.complete(&"in time".to_owned()).await.unwrap();
        assert!(matches!(claim().await.unwrap(), Claimed::Done(answer) if answer == "in time"));
    })
    .await;
}

#[tokio::test]
async fn one_who_is_late_but_was_not_taken_over_is_heard() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let slow = held(acme.claim(&event, LEASE, KEPT).send().await.unwrap()).unwrap();
        arm.advance(LEASE * 10);
        slow.complete(&7).await.unwrap();
        assert!(matches!(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap(), Claimed::Done(7)));
    })
    .await;
}

#[tokio::test]
async fn a_lease_that_is_renewed_goes_on_and_one_that_was_taken_over_is_not_renewed() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let mut worker = held(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap()).unwrap();
        let first_end = worker.until();

        arm.advance(LEASE);
        worker.renew(LEASE).await.unwrap();
        if !arm.advance(LEASE) {
            assert!(worker.until() >= first_end);
            return;
        }
        let claimed = acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap();
        assert!(matches!(claimed, Claimed::InProgress { .. }));
        arm.advance(CLOCK_ERROR);
        let successor = held(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap()).unwrap();
        assert!(matches!(worker.renew(LEASE).await, Err(ClaimError::Lost { .. })));
        // Giving back what somebody else has takes nothing from them.
        worker.give_back().await.unwrap();
        successor.complete(&7).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_given_back_is_free_at_once_and_what_is_dropped_when_its_lease_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT).send::<u32>();
        held(claim().await.unwrap()).unwrap().give_back().await.unwrap();
        drop(held(claim().await.unwrap()).unwrap());
        assert!(matches!(claim().await.unwrap(), Claimed::InProgress { .. }));
        if arm.advance(LEASE + CLOCK_ERROR) {
            assert!(held(claim().await.unwrap()).is_some());
        }
    })
    .await;
}

#[tokio::test]
async fn a_lease_has_a_millisecond_at_least_and_is_not_longer_than_the_claim_is_kept() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        for (number, lease, kept, is_possible) in [
            (0, Duration::from_micros(999), KEPT, false),
            (1, MILLISECOND, KEPT, true),
            (2, LEASE, LEASE - MILLISECOND, false),
            (3, LEASE, LEASE, true),
        ] {
            let event = event("acme", &number.to_string());
            let claimed = acme.claim(&event, lease, kept).send::<u32>().await;
            match (is_possible, claimed) {
                (true, claimed) => assert!(held(claimed.unwrap()).is_some()),
                (false, Err(ClaimError::Write(WriteError::Value { entity, .. }))) => {
                    assert_eq!(entity, "Event")
                }
                (false, claimed) => panic!("{number}: {claimed:?}"),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn two_clocks_that_are_further_apart_are_given_more_time() {
    on_every_arm(|arm| async move {
        let builder = arm.builder::<crate::application::Live>().clock_error(Duration::from_secs(60));
        builder.create_table().await.unwrap();
        let store = builder.open().await.unwrap();
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        drop(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap());
        if arm.advance(LEASE + Duration::from_secs(59)) {
            let claimed = acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap();
            assert!(matches!(claimed, Claimed::InProgress { .. }));
            arm.advance(Duration::from_secs(1));
            assert!(held(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap()).is_some());
        }
    })
    .await;
}

/// A service in another language stored claims by `attribute_not_exists` and nothing else. They are held as long as they are there.
#[tokio::test]
async fn a_claim_of_another_program_without_a_lease_is_held_until_it_expires() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let expires_at = arm.now_seconds() + 100;
        arm.client()
            .put_item()
            .table_name(store.table_name())
            .item("pk", text("ORG#acme"))
            .item("sk", text("EVENT#e1"))
            .item("organization_id", text("acme"))
            .item("expires_at", AttributeValue::N(expires_at.to_string()))
            .send()
            .await
            .unwrap();
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT).send::<u32>();
        arm.advance(Duration::from_secs(99));
        assert!(matches!(claim().await.unwrap(), Claimed::InProgress { .. }));
        if arm.advance(Duration::from_secs(1)) {
            assert!(held(claim().await.unwrap()).is_some());
        }
    })
    .await;
}
