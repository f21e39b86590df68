//! What a batch without trouble does.

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

#[tokio::test]
async fn puts_and_deletes_of_several_entities_go_together() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let members: Vec<Member> = (0..30).map(|user| member("acme", "1", &format!("user-{user}"))).collect();
        acme.put(&document("acme", 1)).send().await.unwrap();

        let written = acme
            .batch_write()
            .put(&team("acme", "1"))
            .put_all(&members)
            .delete(DocumentById { document_id: 1 })
            .delete(DocumentById { document_id: 2 })
            .send()
            .await
            .unwrap();

        assert_eq!((written.items, written.calls), (33, 2));
        assert_eq!(written.write_ids.iter().filter(|id| id.is_some()).count(), 31);
        let pattern = TeamWithMembers { team_id: "1".to_owned() };
        assert_eq!(acme.query(pattern).all(100.try_into().unwrap()).await.unwrap().len(), 31);
        assert!(acme.get(DocumentById { document_id: 1 }).await.unwrap().is_none());
        let ada =
            acme.get(MemberById { team_id: "1".to_owned(), user_id: "user-7".to_owned() }).await.unwrap();
        assert_eq!(ada.unwrap().write_id(), written.write_ids[8].as_ref());
    })
    .await;
}

#[tokio::test]
async fn what_is_read_stands_in_the_order_of_its_keys_and_what_is_not_there_is_none() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let even: Vec<Document> = (0..120).map(|id| document("acme", id * 2)).collect();
        acme.batch_put(&even).send().await.unwrap();

        let keys = (0..240).rev().map(|document_id| DocumentById { document_id });
        let read = acme.batch_get(keys).send().await.unwrap();

        assert!(read.unfinished().is_none());
        for (document_id, found) in (0..240).rev().zip(read.into_items().unwrap()) {
            let expected = (document_id % 2 == 0).then_some(document_id);
            assert_eq!(found.map(|document| document.document_id), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn an_item_whose_time_is_over_is_gone() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let now = arm.now_seconds();
        let invitation = |id, expires_at| invitation("acme", id, "ada@example.com", expires_at);
        acme.batch_put(&[invitation(1, now - 1), invitation(2, now + 3600)]).send().await.unwrap();

        let keys = [InvitationById { invitation_id: 1 }, InvitationById { invitation_id: 2 }];
        let found = acme.batch_get(keys).send().await.unwrap().into_items().unwrap();

        assert!(found[0].is_none());
        assert_eq!(found[1].as_ref().unwrap().invitation_id, 2);
    })
    .await;
}

#[tokio::test]
async fn progress_is_told_after_every_call_and_ends_at_the_whole() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let documents: Vec<Document> = (0..110).map(|id| document("acme", id)).collect();
    let mut told = Vec::new();

    let writing = acme.batch_put(&documents).calls_in_flight(2.try_into().unwrap());
    writing
        .on_progress(|progress| told.push((progress.calls, progress.done, progress.total)))
        .send()
        .await
        .unwrap();

    assert_eq!(told.len(), 5);
    assert!(told.is_sorted());
    assert_eq!(told.last(), Some(&(5, 110, 110)));
}

#[tokio::test]
async fn what_a_batch_took_is_counted_by_entity_and_by_pattern() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let documents: Vec<Document> = (0..40).map(|id| document("acme", id)).collect();

    let written = acme.batch_put(&documents).send().await.unwrap();
    let read = acme.batch_get((0..41).map(|document_id| DocumentById { document_id })).send().await.unwrap();

    assert!((written.write_units - 40.0).abs() < 0.001, "{written:?}");
    let usage = store.usage();
    let writes = usage.writes["Document"];
    assert_eq!((writes.requests, writes.items_put), (2, 40));
    assert!((writes.units - 40.0).abs() < 0.001, "{writes:?}");
    let reads = usage.reads["DocumentById"];
    assert_eq!((reads.requests, reads.items_read, reads.items_given), (1, 40, 40));
    assert!((reads.units - read.read_units).abs() < 0.001, "{reads:?}");
}

#[tokio::test]
async fn a_batch_can_be_sent_from_any_task() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let writing = tokio::spawn({
        let acme = acme.clone();
        async move { acme.batch_put(&[document("acme", 1)]).on_progress(|_| ()).send().await.unwrap().items }
    });
    assert_eq!(writing.await.unwrap(), 1);
    let reading = tokio::spawn(async move {
        acme.batch_get([DocumentById { document_id: 1 }]).send().await.unwrap().items.len()
    });
    assert_eq!(reading.await.unwrap(), 1);
}
