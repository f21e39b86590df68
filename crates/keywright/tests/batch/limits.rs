//! What fits into one call, on both sides of each limit.

use futures_util::{StreamExt, stream};
use keywright::{BatchBudget, BatchError, WriteError};
use keywright_embedded::engine::faults::Faults;

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm, with_faults};

fn documents(count: u64) -> Vec<Document> {
    (0..count).map(|id| document("acme", id)).collect()
}

#[tokio::test]
async fn a_call_writes_25_and_reads_100() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    for (count, expected) in [(0, vec![]), (25, vec![25]), (26, vec![25, 1]), (51, vec![25, 25, 1])] {
        let requests = acme.batch_put(&documents(count)).requests().unwrap();
        let members: Vec<usize> = requests
            .iter()
            .map(|request| request.request_items().unwrap()[store.table_name()].len())
            .collect();
        assert_eq!(members, expected);
    }
    for (count, expected) in [(0, vec![]), (100, vec![100]), (101, vec![100, 1])] {
        let keys = (0..count).map(|document_id| DocumentById { document_id });
        let requests = acme.batch_get(keys).requests().unwrap();
        let members: Vec<usize> = requests
            .iter()
            .map(|request| request.request_items().unwrap()[store.table_name()].keys().len())
            .collect();
        assert_eq!(members, expected);
    }
    assert!(store.usage().writes.is_empty());
}

#[tokio::test]
async fn a_batch_of_nothing_is_done_without_a_call() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let written = acme.batch_write().send().await.unwrap();
    assert_eq!((written.items, written.calls), (0, 0));
    let read = acme.batch_get(Vec::<TeamById>::new()).send().await.unwrap();
    assert_eq!((read.items.len(), read.calls), (0, 0));
}

/// An answer has 16 MB at most, and what is beyond comes back though nothing was throttled. Each such answer was a try of the items that came
/// back and made the batch pause: of enough large items the last ones were left, without any fault.
#[tokio::test]
async fn what_is_beyond_the_size_of_an_answer_is_no_try_and_is_not_waited_for() {
    let arm = with_faults(Faults::new(7));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    let title = "t".repeat(399_000);
    for id in 0..100 {
        acme.put(&Document { title: title.clone(), ..document("acme", id) }).send().await.unwrap();
    }
    let named = || (0..100).map(|document_id| DocumentById { document_id });
    let budget = BatchBudget { tries: 1.try_into().unwrap(), ..BatchBudget::default() };
    let begun = arm.now_seconds();

    let read = acme.batch_get(named()).budget(budget).send().await.unwrap();
    assert_eq!((read.calls, read.unfinished().is_none()), (3, true), "42, 42 and 16 of them");
    let streamed: Vec<_> = acme.batch_get_stream(stream::iter(named())).budget(budget).collect().await;
    assert!(streamed.iter().all(|found| matches!(found, Ok(Some(_)))));

    assert_eq!(arm.now_seconds(), begun);
    assert_eq!(store.usage().reads["DocumentById"].tries.retries, 0);
}

/// A request has 16 MB at most, and counts its text: a control character is one byte of an item and six of a request.
#[tokio::test]
async fn a_call_stays_within_16_mb_of_text_though_its_items_are_far_smaller() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let title = "\u{1}".repeat(390_000);
        let large: Vec<Document> =
            documents(8).into_iter().map(|document| Document { title: title.clone(), ..document }).collect();

        let requests = acme.batch_put(&large).requests().unwrap();
        let members: Vec<usize> = requests
            .iter()
            .map(|request| request.request_items().unwrap()[store.table_name()].len())
            .collect();
        assert_eq!(members, [7, 1]);
        let written = acme.batch_put(&large).send().await.unwrap();
        assert_eq!((written.items, written.calls), (8, 2));
    })
    .await;
}

#[tokio::test]
async fn what_is_beyond_16_mb_of_an_answer_is_asked_for_again() {
    // What came back is asked for after a pause, which moves the clock.
    let store = with_faults(Faults::new(7)).store::<App>().await;
    let acme = tenant(&store, "acme");
    let title = "x".repeat(300_000);
    let large: Vec<Document> =
        documents(60).into_iter().map(|document| Document { title: title.clone(), ..document }).collect();
    acme.batch_put(&large).send().await.unwrap();

    let read = acme.batch_get((0..60).map(|document_id| DocumentById { document_id })).send().await.unwrap();

    assert_eq!(read.calls, 2);
    assert!(read.into_items().unwrap().iter().all(Option::is_some));
}

#[tokio::test]
async fn an_item_above_400_kb_is_named_before_anything_is_sent() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let mut documents = documents(30);
    documents[28].title = "x".repeat(410_000);

    let error = acme.batch_put(&documents).send().await.unwrap_err();

    let BatchError::Member { member, source } = &error else { panic!("{error}") };
    assert!(matches!(**source, WriteError::TooLarge { .. }), "{error}");
    assert_eq!((member.position(), member.entity()), (28, "Document"));
    assert!(error.to_string().starts_with("nothing was sent"), "{error}");
    assert!(acme.get(DocumentById { document_id: 0 }).await.unwrap().is_none());
}
