//! Several items at one moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keywright::{Cause, ItemProblem, SnapshotError};
use keywright_api::Operation::TransactGetItems;
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{in_process_alone, with_faults};
use crate::on_arms_with_transactions;

fn named(user: &str) -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: user.to_owned() }
}

#[tokio::test]
async fn each_item_comes_in_its_own_type_and_absent_and_expired_ones_are_none() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        acme.put(&invitation("acme", 1, "ada", arm.now_seconds() - 10)).send().await.unwrap();

        let mut snapshot = acme.snapshot();
        let team = snapshot.get(TeamById { team_id: "1".to_owned() });
        let ada = snapshot.get(named("ada"));
        let bob = snapshot.get(named("bob"));
        let expired = snapshot.get(InvitationById { invitation_id: 1 });
        let read = snapshot.send().await.unwrap();

        assert_eq!(read.item(&team).unwrap().unwrap().name, "Team 1");
        assert_eq!(
            read.item(&ada).unwrap().unwrap().etag(),
            acme.get(named("ada")).await.unwrap().unwrap().etag()
        );
        assert!(read.item(&bob).unwrap().is_none());
        assert!(read.item(&expired).unwrap().is_none());
        assert_eq!(read.read_units(), 8.0);
        let usage = store.usage();
        assert_eq!((usage.reads["TeamById"].requests, usage.reads["TeamById"].units), (1, 2.0));
        assert_eq!(usage.reads["InvitationById"].items_read, 1);
    })
    .await;
}

/// Reads one after the other saw points that were gone from one and not yet with the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_never_sees_a_transaction_by_half() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    for user in ["ada", "bob"] {
        acme.put(&Member { points: 50, ..member("acme", "1", user) }).send().await.unwrap();
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let gifts = tokio::spawn({
        let (acme, is_over) = (acme.clone(), Arc::clone(&is_over));
        async move {
            while !is_over.load(Ordering::Relaxed) {
                for points in [7, -7] {
                    let mut gift = acme.transaction();
                    gift.add(acme.update(named("ada"), Award { points: -points }));
                    gift.add(acme.update(named("bob"), Award { points }));
                    assert!(gift.send().await.unwrap().is_done());
                }
            }
        }
    });
    for _ in 0..300 {
        let mut snapshot = acme.snapshot();
        let both = ["ada", "bob"].map(|user| snapshot.get(named(user)));
        let read = snapshot.send().await.unwrap();
        let sum: i64 = both.iter().map(|member| read.item(member).unwrap().unwrap().points).sum();
        assert_eq!(sum, 100);
    }
    is_over.store(true, Ordering::Relaxed);
    gifts.await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_read_at_once_is_refused_by_name_before_anything_is_sent() {
    let store = in_process_alone().store::<App>().await;
    let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
    let of = |count| {
        let mut snapshot = acme.snapshot();
        for document_id in 0..count {
            snapshot.get(DocumentById { document_id });
        }
        snapshot
    };
    let error = of(101).send().await.unwrap_err();
    assert!(
        matches!(&error, SnapshotError::TooMany { items: 101, first_beyond } if first_beyond.position() == 100),
        "{error}"
    );
    assert!(of(100).send().await.is_ok());
    assert_eq!(of(0).send().await.unwrap().read_units(), 0.0);
    let before = store.usage();

    let mut twice = acme.snapshot();
    twice.get(named("ada"));
    twice.get(named("bob"));
    twice.get(named("ada"));
    let error = twice.send().await.unwrap_err();
    let SnapshotError::SameItem(pairs) = &error else { panic!("{error}") };
    assert_eq!((pairs[0].0.position(), pairs[0].1.position()), (0, 2));

    let mut unwritable = acme.snapshot();
    unwritable.get(named(""));
    assert!(matches!(unwritable.send().await.unwrap_err(), SnapshotError::Key { .. }));

    let mut both = acme.snapshot();
    both.get(named("ada"));
    both.get_through(&globex, named("ada"));
    let error = both.send().await.unwrap_err();
    assert!(matches!(&error, SnapshotError::AnotherTenant(read) if read.position() == 1), "{error}");
    let elsewhere = in_process_alone().store::<App>().await;
    let mut both = acme.snapshot();
    both.get_through(&tenant(&elsewhere, "acme"), named("ada"));
    assert!(matches!(both.send().await.unwrap_err(), SnapshotError::AnotherClient(_)));
    assert_eq!(store.usage(), before, "nothing was sent");
}

#[tokio::test]
async fn an_item_of_another_tenant_is_an_error_in_its_place_and_the_others_are_read() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        let later = arm.now_seconds() + 1000;
        globex.put(&share_token("globex", "theirs", later)).send().await.unwrap();
        acme.put(&share_token("acme", "ours", later)).send().await.unwrap();

        let mut snapshot = acme.snapshot();
        let theirs = snapshot.get(ShareByToken { token: "theirs".to_owned() });
        let ours = snapshot.get(ShareByToken { token: "ours".to_owned() });
        let read = snapshot.send().await.unwrap();

        let error = read.item(&theirs).unwrap_err();
        let SnapshotError::Item(item) = &error else { panic!("{error}") };
        assert!(matches!(item.problem(), ItemProblem::Foreign(_)));
        assert!(!format!("{error} {error:?} {read:?}").contains("globex"));
        assert_eq!(read.item(&ours).unwrap().unwrap().token, "ours");
        let other = acme.snapshot().get(named("ada"));
        assert!(matches!(read.item(&other), Err(SnapshotError::AnotherSnapshot)));
    })
    .await;
}

#[tokio::test]
async fn conflicts_throttles_and_lost_answers_are_tried_again() {
    for fault in [
        Fault::TransactionConflict,
        Fault::Throttle(KeyRangeThroughput),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
    ] {
        for (calls, is_read) in [(2, true), (3, false)] {
            let rule = Rule::new(fault).operation(TransactGetItems).when(When::First(calls));
            let store = with_faults(Faults::new(7).rule(rule).unwrap()).store::<App>().await;
            let acme = tenant(&store, "acme");
            let mut snapshot = acme.snapshot();
            let ada = snapshot.get(named("ada"));
            let read = snapshot.send().await;
            assert_eq!(read.is_ok(), is_read, "{fault:?}");
            match read {
                Ok(read) => assert!(read.item(&ada).unwrap().is_none()),
                Err(SnapshotError::Canceled(causes)) => {
                    assert!(matches!(causes[0].1, Cause::Conflict | Cause::Throttled), "{causes:?}");
                }
                Err(error) => assert!(matches!(error, SnapshotError::Service(_)), "{error}"),
            }
        }
    }
}
