//! Errors say what happened, and nothing of anybody's items.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{Conditional, ItemProblem, KeysInErrors, RawExpression, ReadError, WriteError};

use crate::application::*;
use crate::arm::{Arm, on_every_arm};

fn string(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// Another program's item at the key of acme's document 1.
async fn put_damaged(arm: &Arm, table: &str, title: AttributeValue) {
    let put = arm.client().put_item().table_name(table);
    put.item("pk", string("ORG#acme"))
        .item("sk", string("DOC#00000000000000000001"))
        .item("entity", string("document"))
        .item("organization_id", string("acme"))
        .item("document_id", AttributeValue::N("1".to_owned()))
        .item("title", title)
        .send()
        .await
        .unwrap();
}

/// An insert met an item that does not decode. The error said that the write had had effect, though its condition did not hold.
#[tokio::test]
async fn a_failed_condition_on_an_item_that_does_not_decode_says_that_nothing_was_written() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_damaged(&arm, store.table_name(), AttributeValue::N("5".to_owned())).await;

        let error = acme.put(&document("acme", 1)).if_absent().send().await.unwrap_err();

        let WriteError::Current(current) = &error else { panic!("{error:?}") };
        assert!(
            matches!(current.problem(), ItemProblem::Attribute { path, .. } if path == "title"),
            "{error}"
        );
        assert!(error.to_string().contains("nothing was written"), "{error}");
        // Without a condition it can be replaced.
        acme.put(&document("acme", 1)).send().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_item_that_does_not_decode_names_the_attribute_and_hides_no_other_item() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_damaged(&arm, store.table_name(), AttributeValue::Ns(vec!["4711".to_owned()])).await;
        acme.put(&document("acme", 2)).send().await.unwrap();

        let page = acme.query(Documents {}).page().await.unwrap();

        assert_eq!(page.items.len(), 2);
        let error = page.items[0].as_ref().unwrap_err();
        assert_eq!(error.entity(), "document");
        assert!(error.to_string().contains("title") && !error.to_string().contains("4711"), "{error}");
        assert!(error.key().is_some_and(|key| key.contains("DOC#")), "{error}");
        assert!(page.items[1].is_ok());
        let error = acme.get(DocumentById { document_id: 1 }).await.unwrap_err();
        assert!(matches!(error, ReadError::Item(_)), "{error}");
    })
    .await;
}

/// An invitation that does not decode was looked up by its address, before any tenant was known. The error named its key in the
/// table, and in the key whose it is.
#[tokio::test]
async fn the_key_of_an_item_that_may_be_somebody_elses_is_in_no_error() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let (theirs, address) = (tenant(&store, "secret-tenant"), "ada");
        let sound = invitation("secret-tenant", 1, address, arm.now_seconds() + 1000);
        let mut item = theirs.put(&sound).request().unwrap().item.unwrap();
        item.remove("note");
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();
        let by_address = || InvitationsByAddress { address: address.to_owned() };

        let through_store = store.lookup(by_address()).page().await.unwrap();
        let through_tenant = tenant(&store, "acme").lookup(by_address()).page().await.unwrap();

        let error = through_store.items[0].as_ref().unwrap_err();
        assert!(matches!(error.problem(), ItemProblem::Attribute { path, .. } if path == "note"), "{error}");
        let told = format!("{through_tenant:?} {through_store:?}");
        assert!(!told.contains("secret-tenant"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn another_tenants_item_in_an_index_across_tenants_is_an_error_in_its_place() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
        let expires_at = arm.now_seconds() + 1000;
        acme.put(&invitation("acme", 1, "ada", expires_at)).send().await.unwrap();
        other.put(&invitation("other", 2, "ada", expires_at)).send().await.unwrap();
        let by_address = || InvitationsByAddress { address: "ada".to_owned() };

        let page = acme.lookup(by_address()).page().await.unwrap();

        // What the index does not project is read back from its keys.
        assert_eq!(*page.items[0].as_ref().unwrap(), invitation("acme", 1, "ada", expires_at));
        let error = page.items[1].as_ref().unwrap_err();
        assert!(matches!(error.problem(), ItemProblem::Foreign(_)), "{error}");
        let found = store.lookup(by_address()).page().await.unwrap().into_items().unwrap();
        let verified: Vec<bool> = found.into_iter().map(|found| found.verify(&other).is_ok()).collect();
        assert_eq!(verified, [false, true]);
    })
    .await;
}

#[tokio::test]
async fn a_filter_across_tenants_gives_the_tenants_own_and_tells_nothing_of_others() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
        let expires_at = arm.now_seconds() + 1000;
        let noted = |organization: &str, invitation_id: u64, note: &str| Invitation {
            note: note.to_owned(),
            ..invitation(organization, invitation_id, "ada", expires_at)
        };
        let mine = noted("acme", 1, "as a guest");
        for (tenant, invitation) in [
            (&acme, &mine),
            (&acme, &noted("acme", 2, "as an owner")),
            (&other, &noted("other", 3, "as a guest")),
            (&other, &noted("other", 4, "as a spy")),
        ] {
            tenant.put(invitation).send().await.unwrap();
        }
        let by = |note: &str| InvitationsNoted { address: "ada".to_owned(), note: note.to_owned() };

        let page = acme.lookup(by("as a guest")).page().await.unwrap();
        assert_eq!((page.items_read, page.into_items().unwrap()), (4, vec![mine.clone()]));
        let raw = RawExpression::new("note = :note").unwrap().value("note", &"as a guest").unwrap();
        let by_address = InvitationsByAddress { address: "ada".to_owned() };
        let page = acme.lookup(by_address).and_filter(raw).page().await.unwrap();
        assert_eq!(page.into_items().unwrap(), [mine]);
        let page = acme.lookup(by("as a spy")).page().await.unwrap();
        assert!(page.items.is_empty(), "{page:?}");

        // Without a tenant everybody's items are asked, and none is seen before it is verified.
        let found = store.lookup(by("as a guest")).page().await.unwrap().into_items().unwrap();
        assert_eq!(found.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn an_update_that_nothing_fits_says_so_without_an_item() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let outcome = acme
            .update(DocumentById { document_id: 1 }, CountViews { views: 1 })
            .if_version(3)
            .send()
            .await
            .unwrap();
        assert!(matches!(outcome, Conditional::Failed { current: None }), "{outcome:?}");
    })
    .await;
}

/// An item lacked an attribute, and the error said that one is missing, and not which.
#[tokio::test]
async fn an_attribute_that_is_missing_is_named_and_so_is_one_inside_of_another() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_damaged(&arm, store.table_name(), string("A title")).await;
        let error = acme.get(DocumentById { document_id: 1 }).await.unwrap_err();
        assert!(error.to_string().contains("`views`: it is missing"), "{error}");

        let mut item = acme.put(&document("acme", 2)).request().unwrap().item.unwrap();
        item.insert(
            "tags".to_owned(),
            AttributeValue::M([("inner".to_owned(), AttributeValue::Bool(true))].into()),
        );
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();
        let error = acme.get(DocumentById { document_id: 2 }).await.unwrap_err();
        assert!(error.to_string().contains("`tags.*`"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn an_item_that_does_not_decode_is_named_by_no_key_where_the_store_keeps_keys_out() {
    on_every_arm(|arm| async move {
        let builder = arm.builder::<App>().keys_in_errors(KeysInErrors::Redacted);
        builder.create_table().await.unwrap();
        let store = builder.open().await.unwrap();
        let acme = tenant(&store, "acme");
        put_damaged(&arm, store.table_name(), AttributeValue::N("5".to_owned())).await;

        let page = acme.query(Documents {}).page().await.unwrap();
        let read = page.items[0].as_ref().unwrap_err();
        let current = acme.put(&document("acme", 1)).if_absent().send().await.unwrap_err();

        assert_eq!(read.key(), None);
        assert!(matches!(&current, WriteError::Current(error) if error.key().is_none()), "{current:?}");
        let told = format!("{read} {read:?} {current} {current:?}");
        assert!(told.contains("title") && !told.contains("DOC#"), "{told}");
    })
    .await;
}
