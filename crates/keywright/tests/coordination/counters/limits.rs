//! Floors and ceilings: a condition on the item, and what is there when it does not hold.

use futures_util::future::join_all;
use keywright::{Added, Limits};

use crate::application::{seats, tenant};
use crate::arm::on_every_arm;

#[tokio::test]
async fn a_count_goes_to_its_ceiling_and_to_its_floor_and_not_beyond() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let seats = seats("acme");
        let limits = Limits::at_most(5).and_at_least(-2);
        let add = |by: i64| acme.add(&seats, by).within(limits).send();
        let (done, refused) =
            (|count| Added::Done { count: Some(count) }, |count| Added::Refused { count: Some(count) });

        assert_eq!(add(6).await.unwrap(), refused(0), "beyond the ceiling where nothing is yet");
        assert_eq!(add(-3).await.unwrap(), refused(0));
        assert_eq!(acme.count(&seats).await.unwrap(), 0);
        assert_eq!(add(5).await.unwrap(), done(5));
        assert_eq!(add(1).await.unwrap(), refused(5));
        assert_eq!(add(-7).await.unwrap(), done(-2));
        assert_eq!(add(-1).await.unwrap(), refused(-2));
        assert_eq!(add(0).await.unwrap(), done(-2));
        assert_eq!(acme.add(&seats, 100).send().await.unwrap(), done(98), "limits are those of a call");
        assert_eq!(acme.count(&seats).await.unwrap(), 98);
    })
    .await;
}

#[tokio::test]
async fn a_counter_may_begin_at_its_limit() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        for (name, by, limits) in [("a", 5, Limits::at_most(5)), ("b", -5, Limits::at_least(-5))] {
            let acme = tenant(&store, name);
            let first = acme.add(&seats(name), by).within(limits).send().await.unwrap();
            assert_eq!(first, Added::Done { count: Some(by) });
        }
    })
    .await;
}

/// Two requests at one moment each read a balance of 5 and took 5.
#[tokio::test]
async fn of_many_who_take_the_last_as_many_get_it_as_there_are() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let seats = seats("acme");
        let _ = acme.add(&seats, 7).send().await.unwrap();
        let taken = join_all((0..40).map(|_| acme.add(&seats, -1).within(Limits::at_least(0)).send())).await;
        let got =
            taken.into_iter().filter(|taken| matches!(taken.as_ref().unwrap(), Added::Done { .. })).count();
        assert_eq!(got, 7);
        assert_eq!(acme.count(&seats).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn limits_at_the_ends_of_what_a_number_holds_are_limits() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let seats = seats("acme");
        let widest = Limits::at_least(i64::MIN).and_at_most(i64::MAX);
        assert_eq!(
            acme.add(&seats, i64::MAX).within(widest).send().await.unwrap(),
            Added::Done { count: Some(i64::MAX) }
        );
        let beyond = acme.add(&seats, 1).within(widest).send().await.unwrap();
        assert_eq!(beyond, Added::Refused { count: Some(i64::MAX) });
        assert_eq!(
            acme.add(&seats, i64::MIN).within(widest).send().await.unwrap(),
            Added::Done { count: Some(-1) }
        );
    })
    .await;
}

#[tokio::test]
async fn an_increment_is_one_request_of_one_unit() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        for _ in 0..3 {
            let _ = acme.add(&seats("acme"), 1).send().await.unwrap();
        }
        let usage = store.usage().writes["Seats"];
        assert_eq!((usage.requests, usage.units), (3, 3.0));
        assert_eq!(acme.count(&seats("acme")).await.unwrap(), 3);
        assert_eq!((store.usage().reads["Seats"].requests, store.usage().reads["Seats"].units), (1, 1.0));
    })
    .await;
}
