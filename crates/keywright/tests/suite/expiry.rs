//! An item whose time is over is gone, though it is still stored.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{Conditional, Old, Upserted, WriteError};

use crate::application::*;
use crate::arm::on_every_arm;

fn by_token() -> ShareByToken {
    ShareByToken { token: "t1".to_owned() }
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_gone_and_can_be_minted_again() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let over = share_token("acme", "t1", arm.now_seconds() - 1);
        acme.put(&over).send().await.unwrap();

        assert!(acme.get(by_token()).await.unwrap().is_none());
        assert!(store.lookup_item(by_token()).await.unwrap().is_none());
        let deleted = acme.delete(by_token()).if_present().send().await.unwrap();
        assert!(matches!(deleted, Conditional::Failed { current: None }), "{deleted:?}");

        let fresh = share_token("acme", "t1", arm.now_seconds() + 1000);
        assert!(acme.put(&fresh).if_absent().send().await.unwrap().is_done());
        assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), fresh);
    })
    .await;
}

#[tokio::test]
async fn a_token_is_there_until_the_second_in_which_its_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&share_token("acme", "t1", arm.now_seconds() + 60)).send().await.unwrap();

        if !arm.advance(Duration::from_secs(59)) {
            return;
        }
        assert!(acme.get(by_token()).await.unwrap().is_some());
        arm.advance(Duration::from_secs(1));
        assert!(acme.get(by_token()).await.unwrap().is_none());
    })
    .await;
}

/// Somebody withdrew an invitation by an update that ends its time. The update was made, and said that it had failed, since the
/// item was gone by then; as an upsert it even wrote the invitation anew.
#[tokio::test]
async fn an_update_that_ends_an_items_time_says_that_it_was_made() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let by_id = || InvitationById { invitation_id: 1 };
        let (past, future) = (arm.now_seconds() - 1, arm.now_seconds() + 1000);
        let valid = invitation("acme", 1, "ada@example.com", future);
        acme.put(&valid).send().await.unwrap();

        let ended = acme.update(by_id(), EndInvitation { expires_at: past }).or_insert(&valid).await.unwrap();

        let Conditional::Done(Upserted::Updated(updated)) = ended else { panic!("{ended:?}") };
        assert_eq!(updated.item.expires_at, past);
        assert!(acme.get(by_id()).await.unwrap().is_none());
        let again = acme.update(by_id(), EndInvitation { expires_at: future }).send().await.unwrap();
        assert!(matches!(again, Conditional::Failed { current: None }), "what is gone was brought back");
    })
    .await;
}

#[tokio::test]
async fn what_is_over_is_in_no_query_no_index_and_in_the_way_of_no_insert() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let past = arm.now_seconds() - 1;
        let over = invitation("acme", 1, "ada@example.com", past);
        acme.put(&over).send().await.unwrap();
        acme.put(&invitation("acme", 2, "ada@example.com", past + 1000)).send().await.unwrap();

        let found = acme.query(Invitations {}).page().await.unwrap().into_items().unwrap();
        assert_eq!(found.iter().map(|found| found.invitation_id).collect::<Vec<_>>(), [2]);
        let by_address = || InvitationsByAddress { address: "ada@example.com".to_owned() };
        assert_eq!(acme.lookup(by_address()).page().await.unwrap().items.len(), 1);
        assert_eq!(store.lookup(by_address()).page().await.unwrap().items.len(), 1);

        let named = || InvitationById { invitation_id: 1 };
        let etag = acme.put(&over).send().await.unwrap().etag();
        assert!(!acme.put(&over).if_present().send().await.unwrap().is_done());
        assert!(!acme.put(&over).if_match(&etag).send().await.unwrap().is_done());
        assert!(
            !acme.update(named(), EndInvitation { expires_at: past + 9 }).send().await.unwrap().is_done()
        );
        let fresh = Invitation { note: "fresh".to_owned(), expires_at: past + 1000, ..over.clone() };
        let upsert =
            acme.update(named(), EndInvitation { expires_at: past + 9 }).or_insert(&fresh).await.unwrap();
        assert!(matches!(upsert, Conditional::Done(Upserted::Inserted(_))), "{upsert:?}");
        assert_eq!(*acme.get(named()).await.unwrap().unwrap(), fresh);
    })
    .await;
}

/// The token of another tenant's link whose time was over was an error of whoever asked for it, and kept others from minting it again: the
/// item was taken for somebody's though it was gone.
#[tokio::test]
async fn what_is_over_is_gone_for_other_tenants_too() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, theirs) = (tenant(&store, "acme"), tenant(&store, "theirs"));
        let (past, future) = (arm.now_seconds() - 1, arm.now_seconds() + 1000);
        let put_theirs = async || {
            theirs.put(&share_token("theirs", "t1", past)).send().await.unwrap();
            theirs.put(&invitation("theirs", 1, "ada", past)).send().await.unwrap();
        };
        let mine = share_token("acme", "t1", future);
        put_theirs().await;

        assert!(acme.get(by_token()).await.unwrap().is_none());
        assert!(store.lookup_item(by_token()).await.unwrap().is_none());
        let by_address = || InvitationsByAddress { address: "ada".to_owned() };
        assert!(acme.lookup(by_address()).page().await.unwrap().items.is_empty());
        assert!(store.lookup(by_address()).page().await.unwrap().items.is_empty());
        let batch = acme.batch_get([by_token()]).send().await.unwrap();
        assert!(batch.items.iter().all(|item| matches!(item, Ok(None))), "{batch:?}");

        // Nothing of theirs is in an outcome.
        let put = acme.put(&mine).if_present().send().await.unwrap();
        assert!(matches!(put, Conditional::Failed { current: None }), "{put:?}");
        let update = acme.update(by_token(), EndShare { expires_at: future }).send().await.unwrap();
        assert!(matches!(update, Conditional::Failed { current: None }), "{update:?}");
        let delete = acme.delete(by_token()).if_present().send().await.unwrap();
        assert!(matches!(delete, Conditional::Failed { current: None }), "{delete:?}");

        // It is in nobody's way.
        let inserted = acme.put(&mine).if_absent().returning_old().send().await.unwrap().done().unwrap();
        assert_eq!(inserted.old, Old::Nothing);
        assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), mine);
        for returns_old in [false, true] {
            acme.delete(by_token()).send().await.unwrap();
            put_theirs().await;
            if returns_old {
                assert_eq!(acme.put(&mine).returning_old().send().await.unwrap().old, Old::Nothing);
            } else {
                acme.put(&mine).send().await.unwrap();
            }
            assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), mine);
            acme.delete(by_token()).send().await.unwrap();
            put_theirs().await;
            if returns_old {
                assert_eq!(acme.delete(by_token()).returning_old().send().await.unwrap().old, Old::Nothing);
            } else {
                acme.delete(by_token()).send().await.unwrap();
            }
        }
        put_theirs().await;
        let upsert = acme.update(by_token(), EndShare { expires_at: past }).or_insert(&mine).await.unwrap();
        assert!(matches!(upsert, Conditional::Done(Upserted::Inserted(_))), "{upsert:?}");
        // What is not over is theirs, and stays.
        acme.delete(by_token()).send().await.unwrap();
        theirs.put(&share_token("theirs", "t1", future)).send().await.unwrap();
        assert!(matches!(acme.put(&mine).send().await, Err(WriteError::Foreign(_))));
        assert!(matches!(acme.delete(by_token()).send().await, Err(WriteError::Foreign(_))));
    })
    .await;
}

/// Another program stored when an invitation expires as a text, which DynamoDB does not look at, or as a number with a sign or a
/// fraction. It was there for every read; for every update of the first it was gone, and for every read of the others there still.
#[tokio::test]
async fn reads_and_writes_agree_on_when_a_foreign_programs_item_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let now = arm.now_seconds();
        let by_id = || InvitationById { invitation_id: 1 };
        let number = |number: String| AttributeValue::N(number);
        for (expires_at, is_there) in [
            (AttributeValue::S("2001-01-01".to_owned()), true),
            (number("-5".to_owned()), false),
            (number("1.5".to_owned()), false),
            (number(format!("{}.5", now + 1000)), true),
        ] {
            let sound = invitation("acme", 1, "ada@example.com", now + 1000);
            let mut item = acme.put(&sound).request().unwrap().item.unwrap();
            item.insert("expires_at".to_owned(), expires_at.clone());
            arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();

            // What is there does not decode; what is over is not looked at.
            let read = acme.get(by_id()).await;
            assert_eq!(read.is_err(), is_there, "{expires_at:?}: {read:?}");
            let inserted = acme.put(&sound).if_absent().send().await;
            assert_eq!(inserted.is_err(), is_there, "{expires_at:?}: {inserted:?}");
            if is_there {
                let ended = acme.update(by_id(), EndInvitation { expires_at: now + 500 }).send().await;
                assert!(ended.unwrap().is_done(), "{expires_at:?}");
            }
        }
    })
    .await;
}
