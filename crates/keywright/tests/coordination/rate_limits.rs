//! Rate limits: as many as there are, again when time has passed, and one's own.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{InvalidRate, Rate, Taken, WriteError};

use crate::application::{ForeignLimit, HOSTILE_IDS, call_limit, organization, tenant};
use crate::arm::on_every_arm;

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

fn refused_for(seconds: u64) -> Taken {
    Taken::Refused { retry_after: Duration::from_secs(seconds) }
}

#[tokio::test]
async fn a_bucket_gives_what_it_has_and_says_when_there_is_more() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let ada = call_limit("acme", "ada");
        let rate = Rate::new(60, MINUTE).unwrap().with_burst(3).unwrap();
        let take = |permits: u32| acme.take(&ada, rate, permits);
        if !arm.advance(Duration::ZERO) {
            for _ in 0..3 {
                assert!(matches!(take(1).await.unwrap(), Taken::Allowed { .. }));
            }
            return;
        }
        assert_eq!(take(1).await.unwrap(), Taken::Allowed { left: 2 });
        assert_eq!(take(2).await.unwrap(), Taken::Allowed { left: 0 });
        assert_eq!(take(1).await.unwrap(), refused_for(1));
        assert_eq!(take(3).await.unwrap(), refused_for(3));
        arm.advance(SECOND - Duration::from_micros(1000));
        assert_eq!(take(1).await.unwrap(), Taken::Refused { retry_after: Duration::from_millis(1) });
        arm.advance(Duration::from_millis(1));
        assert_eq!(take(1).await.unwrap(), Taken::Allowed { left: 0 });
        arm.advance(Duration::from_millis(2500));
        assert_eq!(take(1).await.unwrap(), Taken::Allowed { left: 1 });
        arm.advance(MINUTE * 60);
        assert_eq!(take(3).await.unwrap(), Taken::Allowed { left: 0 }, "it has no more than it can hold");
        assert_eq!(take(1).await.unwrap(), refused_for(1));
    })
    .await;
}

#[tokio::test]
async fn of_a_hundred_at_once_as_many_pass_as_there_are_permits() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let ada = call_limit("acme", "ada");
        let rate = Rate::new(7, MINUTE * 60).unwrap();
        let taken = join_all((0..100).map(|_| acme.take(&ada, rate, 1))).await;
        let allowed =
            taken.into_iter().filter(|taken| matches!(taken.as_ref().unwrap(), Taken::Allowed { .. }));
        assert_eq!(allowed.count(), 7);
    })
    .await;
}

#[tokio::test]
async fn permits_are_one_at_least_and_what_a_bucket_holds_at_most() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let rate = Rate::new(3, MINUTE).unwrap();
        for (permits, is_possible) in [(0, false), (1, true), (4, false)] {
            let taken = acme.take(&call_limit("acme", "ada"), rate, permits).await;
            match taken {
                Ok(Taken::Allowed { .. }) => assert!(is_possible),
                Err(WriteError::Value { entity, .. }) => assert!(!is_possible && entity == "CallLimit"),
                taken => panic!("{permits}: {taken:?}"),
            }
        }
        assert!(matches!(
            acme.take(&call_limit("acme", "bob"), rate, 3).await.unwrap(),
            Taken::Allowed { left: 0 }
        ));
    })
    .await;
}

#[test]
fn rates_that_cannot_be_are_refused() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    assert_eq!(Rate::new(0, MINUTE), Err(InvalidRate::Nothing));
    assert_eq!(Rate::new(1, Duration::ZERO), Err(InvalidRate::Nothing));
    assert_eq!(Rate::new(61, Duration::from_micros(60)), Err(InvalidRate::TooFast));
    assert!(Rate::new(60, Duration::from_micros(60)).is_ok());
    assert!(Rate::new(1, YEAR * 100).is_ok());
    assert_eq!(Rate::new(1, YEAR * 100 + SECOND), Err(InvalidRate::TooSlow));
    let yearly = Rate::new(1, YEAR).unwrap();
    assert_eq!(yearly.with_burst(0), Err(InvalidRate::Nothing));
    assert_eq!(yearly.with_burst(100).map(Rate::burst), Ok(100));
    assert_eq!(yearly.with_burst(101), Err(InvalidRate::TooSlow));
}

#[tokio::test]
async fn a_full_bucket_and_an_empty_one_are_one_request_and_one_in_between_is_two() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let ada = call_limit("acme", "ada");
        let rate = Rate::new(2, MINUTE * 60).unwrap();
        let mut requests = 0;
        for expected in [1, 2, 1] {
            let _ = acme.take(&ada, rate, 1).await.unwrap();
            let now = store.usage().writes["CallLimit"].requests;
            assert_eq!(now - requests, expected);
            requests = now;
        }
    })
    .await;
}

#[tokio::test]
async fn the_bucket_of_a_tenant_is_its_own_whatever_the_ids_are() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let rate = Rate::new(1, MINUTE * 60).unwrap();
        for owner in HOSTILE_IDS {
            for user in HOSTILE_IDS {
                let taken = tenant(&store, owner).take(&call_limit(owner, user), rate, 1).await.unwrap();
                assert!(matches!(taken, Taken::Allowed { .. }), "{owner:?} {user:?}");
            }
        }
        let foreign = tenant(&store, "acme").take(&call_limit("globex", "ada"), rate, 1).await;
        assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");

        let of =
            |tenant: &str| ForeignLimit { organization_id: organization(tenant), address: "::1".to_owned() };
        let _ = tenant(&store, "acme").take(&of("acme"), rate, 1).await.unwrap();
        for _ in 0..2 {
            let foreign = tenant(&store, "globex").take(&of("globex"), rate, 1).await;
            assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");
            arm.advance(MINUTE * 600);
        }
    })
    .await;
}
