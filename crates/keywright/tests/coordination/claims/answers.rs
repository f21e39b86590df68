//! Answers: kept as long as was said, for the request that they are of, and as large as an item can be.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{ClaimError, Claimed, ItemProblem, WriteError};

use super::{CLOCK_ERROR, KEPT, LEASE, held};
use crate::application::{event, tenant};
use crate::arm::{in_process_alone, on_every_arm};

#[tokio::test]
async fn an_answer_is_given_again_until_the_second_in_which_its_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claim = || acme.claim(&event, LEASE, KEPT).send::<Option<String>>();
        let worker = held(claim().await.unwrap()).unwrap();
        arm.advance(LEASE);
        worker.complete(&None).await.unwrap();

        if !arm.advance(KEPT - Duration::from_secs(1)) {
            return;
        }
        assert!(matches!(claim().await.unwrap(), Claimed::Done(None)));
        arm.advance(Duration::from_secs(1));
        assert!(held(claim().await.unwrap()).is_some(), "its time is over, though it is stored");
    })
    .await;
}

/// A client reused an idempotency key for a second, larger payment, and was told that the first one's receipt was its answer.
#[tokio::test]
async fn the_same_key_with_another_request_is_an_error_whatever_became_of_the_first() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let pay = |body: &'static str| acme.claim(&event, LEASE, KEPT).of_request(body).send::<u32>();
        let is_refused = |claimed: Result<_, ClaimError>| {
            matches!(
                claimed.map(|_: Claimed<_, u32>| ()),
                Err(ClaimError::AnotherRequest { entity: "Event" })
            )
        };
        let first = held(pay("12 francs").await.unwrap()).unwrap();
        assert!(is_refused(pay("12000 francs").await));
        assert!(
            is_refused(acme.claim(&event, LEASE, KEPT).send().await),
            "a request that does not say what it is"
        );
        arm.advance(LEASE + CLOCK_ERROR);
        assert!(is_refused(pay("12000 francs").await), "the lease is over, and it is another request still");
        first.complete(&7).await.unwrap();
        assert!(is_refused(pay("12000 francs").await));
        assert!(matches!(pay("12 francs").await.unwrap(), Claimed::Done(7)));

        let get = arm.client().get_item().table_name(store.table_name());
        let get = get.key("pk", AttributeValue::S("ORG#acme".to_owned()));
        let item =
            get.key("sk", AttributeValue::S("EVENT#e1".to_owned())).send().await.unwrap().item.unwrap();
        assert!(!format!("{item:?}").contains("francs"), "the request itself is not stored");
    })
    .await;
}

#[tokio::test]
async fn an_answer_of_another_type_is_an_error_that_says_so_without_it() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let worker = held(acme.claim(&event, LEASE, KEPT).send().await.unwrap()).unwrap();
        worker.complete(&"secret".to_owned()).await.unwrap();

        let error = acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap_err();
        let ClaimError::Answer(item) = &error else { panic!("{error}") };
        assert!(matches!(item.problem(), ItemProblem::Attribute { path, .. } if path == "keywright_answer"));
        assert!(!format!("{error} {error:?}").contains("secret"));
    })
    .await;
}

/// The largest item that DynamoDB stores, in bytes.
const LARGEST: usize = 400 * 1024;

#[tokio::test]
async fn an_answer_is_stored_if_the_item_has_400_kb_with_it_and_refused_above() {
    let arm = in_process_alone();
    let store = arm.store().await;
    let acme = tenant(&store, "acme");
    let too_large = "x".repeat(LARGEST);
    let refused = held(acme.claim(&event("acme", "e0"), LEASE, KEPT).send().await.unwrap()).unwrap();
    let Err(ClaimError::Write(WriteError::TooLarge { size_bytes, .. })) = refused.complete(&too_large).await
    else {
        panic!("it is too large")
    };
    let room = LARGEST - (size_bytes - too_large.len());

    let worker = held(acme.claim(&event("acme", "e1"), LEASE, KEPT).send().await.unwrap()).unwrap();
    worker.complete(&"x".repeat(room)).await.unwrap();
    let again = acme.claim(&event("acme", "e1"), LEASE, KEPT).send::<String>().await.unwrap();
    assert!(matches!(again, Claimed::Done(answer) if answer.len() == room));

    let worker = held(acme.claim(&event("acme", "e2"), LEASE, KEPT).send().await.unwrap()).unwrap();
    let refused = worker.complete(&"x".repeat(room + 1)).await;
    assert!(
        matches!(refused, Err(ClaimError::Write(WriteError::TooLarge { size_bytes, .. })) if size_bytes == LARGEST + 1)
    );
}
