//! The wrapper for handlers.

use std::cell::Cell;

use keywright::{ClaimError, Once, OnceError};

use super::{CLOCK_ERROR, KEPT, LEASE};
use crate::application::{event, tenant};
use crate::arm::on_every_arm;

#[tokio::test]
async fn a_handler_runs_once_and_its_answer_is_given_again() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let runs = Cell::new(0);
        for _ in 0..5 {
            let work = || async {
                runs.set(runs.get() + 1);
                Ok::<u32, String>(runs.get())
            };
            let answer = acme.claim(&event, LEASE, KEPT).of_request("body").run(work).await.unwrap();
            assert_eq!(answer.into_answer(), 1);
        }
        assert_eq!(runs.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_handler_that_fails_runs_again_at_once() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT);
        let failed = claim().run(|| async { Err::<u32, _>("the bank is closed") }).await;
        assert!(matches!(failed, Err(OnceError::Work("the bank is closed"))), "{failed:?}");
        assert_eq!(claim().run(|| async { Ok::<u32, String>(7) }).await.unwrap(), Once::Ran(7));
        assert_eq!(claim().run(|| async { Ok::<u32, String>(8) }).await.unwrap(), Once::Replayed(7));
    })
    .await;
}

#[tokio::test]
async fn a_handler_whose_twin_is_at_work_is_told_and_one_that_slept_has_its_answer_back() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT);
        let slept = claim()
            .run(|| async {
                let twin = claim().run(|| async { Ok::<u32, String>(8) }).await;
                assert!(matches!(twin, Err(OnceError::InProgress { .. })), "{twin:?}");
                if arm.advance(LEASE + CLOCK_ERROR) {
                    let successor = claim().run(|| async { Ok::<u32, String>(9) }).await;
                    assert_eq!(successor.unwrap(), Once::Ran(9));
                }
                Ok::<u32, String>(7)
            })
            .await;
        match slept {
            Err(OnceError::NotStored { answer: 7, source: ClaimError::Lost { .. } }) => {}
            Ok(Once::Ran(7)) if !arm.advance(LEASE) => {}
            slept => panic!("{slept:?}"),
        }
    })
    .await;
}
