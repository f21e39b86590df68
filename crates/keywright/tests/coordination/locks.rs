//! Locks: one holder, tokens that rise, and writes of one who slept that are refused.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Capability, Conditional, HeldLock, LockError, Locked, Transacted, WriteError};
use keywright_embedded::engine::faults::Faults;

use crate::application::{
    ForeignLock, HOSTILE_IDS, JobLock, Live, NotFenced, NoteById, job, note, organization, tenant,
};
use crate::arm::{on_every_arm, with_faults};

const LEASE: Duration = Duration::from_secs(30);
const CLOCK_ERROR: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

fn held<LockType>(locked: Locked<Live, LockType>) -> Option<HeldLock<Live, LockType>> {
    match locked {
        Locked::Held(held) => Some(held),
        Locked::Taken { .. } => None,
    }
}

#[tokio::test]
async fn of_a_hundred_one_holds_the_lock_and_the_next_has_a_higher_token() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let billing = job("acme", "billing");
        let mut last = 0;
        for _ in 0..3 {
            let locked = join_all((0..100).map(|_| acme.lock(&billing, LEASE).send())).await;
            let mut all: Vec<_> = locked.into_iter().filter_map(|locked| held(locked.unwrap())).collect();
            assert_eq!(all.len(), 1);
            let holder = all.pop().unwrap();
            assert_eq!(holder.token().number(), last + 1);
            last = holder.token().number();
            holder.release().await.unwrap();
        }
    })
    .await;
}

/// A worker slept through the end of its lease. Another took the lock and wrote a note; then the first woke and wrote an older one over it.
#[tokio::test]
async fn one_who_slept_through_its_lease_writes_nothing_whatever_it_believes() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let billing = job("acme", "billing");
        let mut sleeper = held(acme.lock(&billing, LEASE).send().await.unwrap()).unwrap();
        if !arm.advance(LEASE + CLOCK_ERROR - MILLISECOND) {
            return;
        }
        let Locked::Taken { until } = acme.lock(&billing, LEASE).send().await.unwrap() else {
            panic!("it is held still")
        };
        assert_eq!(until.unix_milliseconds() / 1000, i64::try_from(arm.now_seconds()).unwrap() + 1);
        arm.advance(MILLISECOND);
        let successor = held(acme.lock(&billing, LEASE).send().await.unwrap()).unwrap();
        assert!(successor.token() > sleeper.token());

        let write = |holder: &HeldLock<Live, JobLock>, text: &str| {
            let mut transaction = acme.transaction();
            transaction.add(holder.check());
            transaction.add(acme.put(&note("acme", text, holder.token().number())));
            transaction.send()
        };
        assert!(matches!(write(&successor, "new").await.unwrap(), Transacted::Done(_)));
        assert!(matches!(write(&sleeper, "old").await.unwrap(), Transacted::Canceled(_)));
        // The token alone, in the item that is protected: one write, no transaction.
        let stale = note("acme", "old", sleeper.token().number());
        let refused = acme.put(&stale).when(&NotFenced { mine: stale.fence }).send().await.unwrap();
        assert!(matches!(refused, Conditional::Failed { current: Some(current) } if current.text == "new"));

        assert!(matches!(sleeper.renew(LEASE).await, Err(LockError::Lost { entity: "JobLock" })));
        sleeper.release().await.unwrap();
        assert!(matches!(write(&successor, "newer").await.unwrap(), Transacted::Done(_)), "it is held still");
        assert_eq!(acme.get(NoteById { note_id: 1 }).await.unwrap().unwrap().text, "newer");
    })
    .await;
}

#[tokio::test]
async fn one_who_is_late_and_was_not_replaced_goes_on() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let billing = job("acme", "billing");
        let mut late = held(acme.lock(&billing, LEASE).send().await.unwrap()).unwrap();
        arm.advance(LEASE * 3);
        late.renew(LEASE).await.unwrap();
        if arm.capabilities().transactions == Capability::Absent {
            return;
        }
        let mut transaction = acme.transaction();
        transaction.add(late.check());
        transaction.add(acme.put(&note("acme", "late", late.token().number())));
        assert!(matches!(transaction.send().await.unwrap(), Transacted::Done(_)));
        late.renew(LEASE).await.unwrap();
        let token = late.token();
        assert!(held(acme.lock(&billing, LEASE).send().await.unwrap()).is_none());
        assert_eq!(token.number(), 1, "a renewal is the same holding");
    })
    .await;
}

#[tokio::test]
async fn a_lease_is_a_millisecond_at_least() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let refused = acme.lock(&job("acme", "a"), Duration::from_micros(999)).send().await;
        assert!(matches!(refused, Err(WriteError::Value { entity: "JobLock", .. })), "{refused:?}");
        assert!(held(acme.lock(&job("acme", "a"), MILLISECOND).send().await.unwrap()).is_some());
    })
    .await;
}

/// The pauses move the engine's clock, and take no time outside.
#[tokio::test]
async fn one_who_waits_has_the_lock_when_the_lease_is_over_or_is_told_that_it_is_not() {
    let arm = with_faults(Faults::new(1));
    let store = arm.store().await;
    let acme = tenant(&store, "acme");
    let billing = job("acme", "billing");
    let first = held(acme.lock(&billing, LEASE).send().await.unwrap()).unwrap();

    let before = arm.now_seconds();
    let waited = acme.lock(&billing, LEASE).wait(Duration::from_secs(5)).await.unwrap();
    assert!(matches!(waited, Locked::Taken { .. }));
    let took = arm.now_seconds() - before;
    assert!((5..=6).contains(&took), "{took} s");

    let waited = acme.lock(&billing, LEASE).wait(LEASE * 2).await.unwrap();
    let second = held(waited).expect("the lease was over in between");
    assert!(second.token() > first.token());
    let took = arm.now_seconds() - before;
    assert!((30..=33).contains(&took), "{took} s");
}

#[tokio::test]
async fn one_who_waits_over_http_has_a_lock_that_is_given_back() {
    on_every_arm(|arm| async move {
        if arm.advance(Duration::ZERO) {
            return;
        }
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let billing = job("acme", "billing");
        let first = held(acme.lock(&billing, LEASE).send().await.unwrap()).unwrap();
        let (waited, ()) = tokio::join!(acme.lock(&billing, LEASE).wait(LEASE), async {
            first.release().await.unwrap();
        });
        assert!(held(waited.unwrap()).is_some());
    })
    .await;
}

#[tokio::test]
async fn the_same_lock_of_two_tenants_is_two_whatever_the_ids_are() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        for owner in HOSTILE_IDS {
            for id in HOSTILE_IDS {
                let locked = tenant(&store, owner).lock(&job(owner, id), LEASE).send().await.unwrap();
                let holder = held(locked).unwrap_or_else(|| panic!("{owner:?} has {id:?} already"));
                assert_eq!(holder.token().number(), 1, "{owner:?} {id:?}");
            }
        }
        let acme = tenant(&store, "acme");
        let foreign = acme.lock(&job("globex", "billing"), LEASE).send().await;
        assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");

        let system =
            |tenant: &str| ForeignLock { organization_id: organization(tenant), job: "j".to_owned() };
        let of_acme = held(acme.lock(&system("acme"), LEASE).send().await.unwrap()).unwrap();
        let globex = tenant(&store, "globex");
        for _ in 0..2 {
            let foreign = globex.lock(&system("globex"), LEASE).send().await;
            assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");
            arm.advance(LEASE * 2);
        }
        of_acme.release().await.unwrap();
    })
    .await;
}
