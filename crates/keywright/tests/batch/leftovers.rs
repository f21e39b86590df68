//! Faults that do not end: what is left is named, and what is known of it is said.

use std::time::Duration;

use keywright::{
    BatchBudget, BatchError, BatchItemError, Fate, ServiceProblem, Unfinished, UnfinishedReason,
};
use keywright_api::Operation::{BatchGetItem, BatchWriteItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule};

use crate::application::*;
use crate::arm::{in_process_alone, with_faults};

fn always(fault: Fault) -> Faults {
    let rule = Rule::new(fault).operation(BatchWriteItem).operation(BatchGetItem);
    Faults::new(7).rule(rule).unwrap()
}

fn documents(count: u64) -> Vec<Document> {
    (0..count).map(|id| document("acme", id)).collect()
}

fn unfinished(error: BatchError) -> Unfinished {
    match error {
        BatchError::Unfinished(unfinished) => unfinished,
        other => panic!("{other}"),
    }
}

/// The loop that many programs have tries five times and forgets the rest.
#[tokio::test]
async fn what_is_left_after_the_last_try_is_named_by_key_and_the_rest_is_done() {
    // One of each call comes back: there is always one left.
    let store = with_faults(always(Fault::Unprocessed { share: 0.01 })).store::<App>().await;
    let acme = tenant(&store, "acme");

    let left = unfinished(acme.batch_put(&documents(60)).send().await.unwrap_err());

    assert_eq!(left.done() + left.left().len(), 60);
    assert_eq!(left.reason(), UnfinishedReason::Tries);
    assert_eq!(left.service_error().unwrap().problem(), ServiceProblem::Throttled);
    assert!(!left.left().is_empty());
    for document_id in 0..60 {
        let is_stored = acme.get(DocumentById { document_id }).await.unwrap().is_some();
        let named = left.left().iter().find(|left| left.member.position() as u64 == document_id);
        assert_eq!(is_stored, named.is_none(), "{document_id}");
        if let Some(named) = named {
            assert_eq!(named.fate, Fate::NoEffect);
            assert_eq!(named.member.key(), Some(format!("ORG#acme / DOC#{document_id:020}").as_str()));
        }
    }
}

#[tokio::test]
async fn a_batch_that_is_only_throttled_ends_when_its_time_is_over() {
    let arm = with_faults(always(Fault::Throttle(KeyRangeThroughput)));
    let store = arm.store::<App>().await;
    let before = arm.now_seconds();
    let budget = BatchBudget { tries: u32::MAX.try_into().unwrap(), overall: Duration::from_secs(30) };

    let batch = tenant(&store, "acme").batch_put(&documents(110)).budget(budget).send().await;
    let left = unfinished(batch.unwrap_err());

    assert_eq!((left.done(), left.left().len()), (0, 110));
    assert_eq!(left.reason(), UnfinishedReason::Time);
    assert!(left.left().iter().all(|left| left.fate == Fate::NoEffect));
    // Here lanes wait one after the other, since waiting is what moves the clock; outside they wait at the same time.
    assert!(arm.now_seconds() - before <= 4 * 30, "{}", arm.now_seconds() - before);
    assert!(left.calls() < 200, "{}", left.calls());
}

#[tokio::test]
async fn what_was_written_without_an_answer_is_said_to_be_unknown() {
    let store = with_faults(always(Fault::CutConnection(Moment::AfterCommit))).store::<App>().await;
    let acme = tenant(&store, "acme");

    let left = unfinished(acme.batch_put(&documents(3)).send().await.unwrap_err());

    assert_eq!((left.done(), left.calls()), (0, 10));
    assert!(left.left().iter().all(|left| left.fate == Fate::Unknown));
    assert_eq!(left.service_error().unwrap().problem(), ServiceProblem::Unanswered);
    assert!(acme.get(DocumentById { document_id: 0 }).await.unwrap().is_some());
}

#[tokio::test]
async fn what_could_not_be_read_is_never_said_to_be_absent() {
    let store = with_faults(always(Fault::Unprocessed { share: 0.01 })).store::<App>().await;
    let acme = tenant(&store, "acme");
    for document in documents(20) {
        acme.put(&document).send().await.unwrap();
    }

    let read = acme.batch_get((0..20).map(|document_id| DocumentById { document_id })).send().await.unwrap();

    let left = read.unfinished().unwrap().left().len();
    assert!(left > 0);
    assert_eq!(read.items.iter().filter(|item| matches!(item, Err(BatchItemError::Left(_)))).count(), left);
    assert_eq!(read.items.iter().filter(|item| matches!(item, Ok(Some(_)))).count(), 20 - left);
    assert!(matches!(read.into_items(), Err(BatchError::Unfinished(_))));
}

#[tokio::test]
async fn a_refused_call_ends_the_batch_and_the_rest_is_not_sent() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    arm.client().delete_table().table_name(store.table_name()).send().await.unwrap();

    let batch = tenant(&store, "acme").batch_put(&documents(500)).calls_in_flight(1.try_into().unwrap());
    let error = batch.send().await.unwrap_err();

    let told = error.to_string();
    let left = unfinished(error);
    assert_eq!((left.done(), left.left().len(), left.calls()), (0, 500, 1));
    assert_eq!(left.reason(), UnfinishedReason::Refused);
    assert_eq!(left.service_error().unwrap().code(), Some("ResourceNotFoundException"));
    assert!(told.contains("0 of the batch are done and 500 are left"), "{told}");
}
