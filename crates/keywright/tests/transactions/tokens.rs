//! A token makes a transaction happen once, in one process and over its restarts.

use std::time::Duration;

use keywright::{InvalidToken, Tenant, Transaction, TransactionError, TransactionToken};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::on_arms_with_transactions;

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

/// A gift, with everything in it that differs from one moment to the next: write ids, a version, a time to live.
fn gift(acme: &Tenant<App>, mut transaction: Transaction, points: i64) -> Transaction {
    transaction.add(acme.update(ada(), Award { points }));
    transaction.add(acme.put(&document("acme", 1)).if_absent());
    transaction.add(acme.check(InvitationById { invitation_id: 1 }).if_absent());
    transaction
}

#[tokio::test]
async fn a_transaction_that_is_resumed_has_its_effect_once() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();

        let first = gift(&acme, acme.transaction(), 5);
        let kept = first.token().to_string();
        assert!(first.send().await.unwrap().is_done());
        arm.advance(Duration::from_secs(8 * 60));
        let token: TransactionToken = kept.parse().unwrap();
        let again = gift(&acme, acme.resume_transaction(token), 5).send().await.unwrap().done().unwrap();

        assert_eq!(again.write_units(), None, "nothing was written by it");
        assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 5);
        assert_eq!(acme.get(DocumentById { document_id: 1 }).await.unwrap().unwrap().version, 1);
    })
    .await;
}

#[tokio::test]
async fn one_that_had_no_effect_yet_has_it_when_it_is_resumed() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let token = acme.transaction().token();
    assert!(!gift(&acme, acme.resume_transaction(token), 5).send().await.unwrap().is_done());
    acme.put(&member("acme", "1", "ada")).send().await.unwrap();
    assert!(gift(&acme, acme.resume_transaction(token), 5).send().await.unwrap().is_done());
    assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 5);
}

#[tokio::test]
async fn a_token_of_another_transaction_is_an_error_of_its_own() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        let first = gift(&acme, acme.transaction(), 5);
        let token = first.token();
        assert!(first.send().await.unwrap().is_done());

        let error = gift(&acme, acme.resume_transaction(token), 6).send().await.unwrap_err();

        assert!(matches!(error, TransactionError::TokenMismatch { token: told, .. } if told == token));
        assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 5);
    })
    .await;
}

/// After ten minutes the service takes the same request for a new one. An application that resumed then gave twice.
#[tokio::test]
async fn a_token_that_the_service_may_have_forgotten_is_refused_before_anything_is_sent() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    acme.put(&member("acme", "1", "ada")).send().await.unwrap();
    let first = gift(&acme, acme.transaction(), 5);
    let token = first.token();
    assert!(first.send().await.unwrap().is_done());

    arm.advance(TransactionToken::GOOD_FOR - Duration::from_millis(1));
    assert!(gift(&acme, acme.resume_transaction(token), 5).send().await.unwrap().is_done());
    arm.advance(Duration::from_millis(1));
    let error = gift(&acme, acme.resume_transaction(token), 5).send().await.unwrap_err();

    assert!(matches!(error, TransactionError::TokenOver(told) if told == token), "{error}");
    assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 5);
}

#[tokio::test]
async fn a_token_is_a_text_of_30_characters_and_back() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let token = acme.transaction().token();
    let text = token.to_string();
    assert_eq!((text.len(), text.parse()), (30, Ok(token)));
    assert_ne!(token, acme.transaction().token());
    for wrong in ["", "a", &text[1..], &format!("{text}A"), "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"] {
        assert_eq!(wrong.parse::<TransactionToken>(), Err(InvalidToken), "{wrong}");
    }
}
