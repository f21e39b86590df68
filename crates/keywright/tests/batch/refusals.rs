//! What is refused before anything is sent.

use keywright::{BatchError, KeysInErrors};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

/// DynamoDB refuses a call in which a key stands twice, but not two calls: of a batch of 100, whether it failed depended on how far
/// apart the two stood, and then which one won on which call came last.
#[tokio::test]
async fn two_members_with_one_key_are_named_however_far_apart() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let mut documents: Vec<Document> = (0..80).map(|id| document("acme", id)).collect();
        documents[77].document_id = 3;

        let error = acme.batch_put(&documents).send().await.unwrap_err();

        let BatchError::Duplicates(pairs) = &error else { panic!("{error}") };
        let [(first, second)] = pairs.as_slice() else { panic!("{pairs:?}") };
        assert_eq!((first.position(), second.position()), (3, 77));
        assert_eq!(first.key(), Some("ORG#acme / DOC#00000000000000000003"));
        assert_eq!(first.key(), second.key());
        assert!(store.usage().writes.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_put_and_a_delete_of_one_key_are_named_and_so_are_two_reads() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");

    let batch = acme.batch_write().put(&document("acme", 1)).delete(DocumentById { document_id: 1 });
    let error = batch.send().await.unwrap_err();
    assert!(matches!(error, BatchError::Duplicates(_)), "{error}");

    let keys = [1, 2, 1].map(|document_id| DocumentById { document_id });
    let error = acme.batch_get(keys).send().await.unwrap_err();
    let BatchError::Duplicates(pairs) = &error else { panic!("{error}") };
    assert_eq!((pairs[0].0.position(), pairs[0].1.position()), (0, 2));
    assert!(store.usage().reads.is_empty() && store.usage().writes.is_empty());
}

#[tokio::test]
async fn errors_name_no_keys_where_the_store_keeps_them_out() {
    let builder = in_process_alone().builder::<App>().keys_in_errors(KeysInErrors::Redacted);
    builder.create_table().await.unwrap();
    let store = builder.open().await.unwrap();
    let twice = [document("acme", 4711), document("acme", 4711)];

    let error = tenant(&store, "acme").batch_put(&twice).send().await.unwrap_err();

    assert!(!error.to_string().contains("4711"), "{error}");
    assert!(!format!("{error:?}").contains("4711"), "{error:?}");
    assert!(error.to_string().contains("position 1"), "{error}");
}

#[tokio::test]
async fn a_key_that_cannot_be_written_is_named_by_its_place() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let named = |team_id: &str| TeamById { team_id: team_id.to_owned() };

    let error = acme.batch_get([named("1"), named("")]).send().await.unwrap_err();
    assert!(matches!(&error, BatchError::Member { member, .. } if member.position() == 1), "{error}");
    let error = acme.batch_write().put(&team("acme", "1")).delete(named("")).send().await.unwrap_err();
    assert!(matches!(&error, BatchError::Member { member, .. } if member.position() == 1), "{error}");
    assert!(store.usage().reads.is_empty() && store.usage().writes.is_empty());
}
