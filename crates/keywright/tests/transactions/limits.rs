//! How much one transaction takes, on both sides of each limit.

use keywright::{ServiceProblem, TransactionError};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::on_arms_with_transactions;

#[tokio::test]
async fn a_hundred_actions_are_one_transaction_and_one_more_is_refused_by_name() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let of = |count| {
            let mut transaction = acme.transaction();
            for id in 0..count {
                transaction.add(acme.put(&document("acme", id)).if_absent());
            }
            transaction
        };

        let error = of(101).send().await.unwrap_err();
        let TransactionError::TooMany { actions, first_beyond } = &error else { panic!("{error}") };
        assert_eq!((*actions, first_beyond.position()), (101, 100));
        assert!(acme.query(Documents {}).page().await.unwrap().items.is_empty());

        assert!(of(100).send().await.unwrap().is_done());
        let documents = acme.query(Documents {}).all(200.try_into().unwrap()).await.unwrap();
        assert_eq!(documents.len(), 100);
    })
    .await;
}

#[tokio::test]
async fn a_transaction_of_nothing_is_done_without_a_call() {
    let store = in_process_alone().store::<App>().await;
    let done = tenant(&store, "acme").transaction().send().await.unwrap().done().unwrap();
    assert_eq!(done.write_units(), Some(0.0));
    assert!(store.usage().writes.is_empty());
}

/// Puts of so many bytes together, in items of 400,000 bytes and a rest.
async fn sent(bytes: usize) -> Result<bool, TransactionError> {
    const ITEM: usize = 400_000;
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let size = async |document: &Document| {
        let alone = in_process_alone().store::<App>().await;
        tenant(&alone, "acme").put(document).send().await.unwrap();
        usize::try_from(alone.usage().writes["Document"].put_bytes).unwrap()
    };
    let around = size(&document("acme", 1)).await - document("acme", 1).title.len();
    let mut transaction = acme.transaction();
    let mut left = bytes;
    // The number 0 is one byte shorter than the others.
    for id in 1.. {
        let of_item = left.min(ITEM);
        let title = "x".repeat(of_item - around);
        transaction.add(acme.put(&Document { title, ..document("acme", id) }));
        left -= of_item;
        if left == 0 {
            return transaction.send().await.map(|outcome| outcome.is_done());
        }
    }
    unreachable!("something is left in every round but the last")
}

#[tokio::test]
async fn four_megabytes_are_one_transaction_and_one_byte_more_is_refused_by_name() {
    const LIMIT: usize = 4 * 1024 * 1024;
    assert!(sent(LIMIT).await.unwrap());
    let error = sent(LIMIT + 1).await.unwrap_err();
    let TransactionError::TooLarge { size_bytes, first_beyond } = &error else { panic!("{error}") };
    assert_eq!((*size_bytes, first_beyond.position()), (LIMIT + 1, 10));
}

/// What updates leave is not known before they are sent: the service refuses, and nothing is written.
#[tokio::test]
async fn what_updates_make_too_large_is_refused_by_the_service() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let title = "x".repeat(399_000);
    for id in 0..11 {
        acme.put(&Document { title: title.clone(), ..document("acme", id) }).send().await.unwrap();
    }
    let mut all = acme.transaction();
    for document_id in 0..11 {
        all.add(acme.update(DocumentById { document_id }, CountViews { views: 1 }));
    }
    let error = all.send().await.unwrap_err();
    let TransactionError::Service(service) = &error else { panic!("{error}") };
    assert_eq!(service.problem(), ServiceProblem::Refused);
    assert_eq!(acme.get(DocumentById { document_id: 0 }).await.unwrap().unwrap().views, 0);
}
