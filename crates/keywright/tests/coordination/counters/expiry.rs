//! Counters that expire: what is over begins anew, and nothing is taken from it.

use std::time::Duration;

use keywright::{Added, Limits};

use crate::application::{DayCount, DayViews, organization, tenant};
use crate::arm::on_every_arm;

const DONE_1: Added = Added::Done { count: Some(1) };

/// A record of the day's last minute was processed after the day's counter had expired, and its decrement brought the row back with -1,
/// which stayed for ever.
#[tokio::test]
async fn a_decrement_brings_back_no_counter_whose_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let of =
            |day: u32, expires_at: u64| DayCount { organization_id: organization("acme"), day, expires_at };
        let today = of(1, arm.now_seconds() + 60);
        assert_eq!(acme.add(&today, 2).send().await.unwrap(), Added::Done { count: Some(2) });
        assert_eq!(acme.add(&today, -1).send().await.unwrap(), DONE_1);

        let over = of(2, arm.now_seconds() - 1);
        let nothing = Added::Refused { count: None };
        assert_eq!(acme.add(&over, -1).send().await.unwrap(), nothing, "it never began");
        let _ = acme.add(&over, 5).send().await.unwrap();
        assert_eq!(acme.count(&over).await.unwrap(), 0, "its time is over, though it is stored");
        assert_eq!(acme.add(&over, -1).send().await.unwrap(), nothing, "it is stored, and its time is over");
        assert_eq!(acme.add(&over, -1).within(Limits::at_least(-9)).send().await.unwrap(), nothing);

        // Until the second in which its time is over.
        if arm.advance(Duration::from_secs(59)) {
            assert_eq!(acme.count(&today).await.unwrap(), 1);
            arm.advance(Duration::from_secs(1));
            assert_eq!(acme.count(&today).await.unwrap(), 0);
            assert_eq!(acme.add(&today, -1).send().await.unwrap(), nothing);
        }
    })
    .await;
}

#[tokio::test]
async fn an_increment_begins_anew_in_place_of_a_counter_whose_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let of = |expires_at: u64| DayCount { organization_id: organization("acme"), day: 1, expires_at };
        let _ = acme.add(&of(arm.now_seconds() - 1), 5).send().await.unwrap();
        let fresh = of(arm.now_seconds() + 100);
        assert_eq!(acme.add(&fresh, 1).send().await.unwrap(), DONE_1, "no old count goes on");
        // The first increment has said when it expires.
        let _ = acme.add(&of(arm.now_seconds() + 1), 1).send().await.unwrap();
        if arm.advance(Duration::from_secs(99)) {
            assert_eq!(acme.count(&fresh).await.unwrap(), 2);
            arm.advance(Duration::from_secs(1));
            assert_eq!(acme.count(&fresh).await.unwrap(), 0);
        }
    })
    .await;
}

#[tokio::test]
async fn a_decrement_of_a_sharded_counter_finds_the_shard_that_is_there() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let today =
            DayViews { organization_id: organization("acme"), day: 1, expires_at: arm.now_seconds() + 60 };
        assert_eq!(acme.add(&today, -1).send().await.unwrap(), Added::Refused { count: None });
        let _ = acme.add(&today, 10).send().await.unwrap();
        for _ in 0..10 {
            assert_eq!(acme.add(&today, -1).send().await.unwrap(), Added::Done { count: None });
        }
        assert_eq!(acme.count(&today).await.unwrap(), 0);
    })
    .await;
}
