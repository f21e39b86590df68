//! Reads of keys that hold no tenant: what is theirs is an error in its place, or cannot be seen before it is verified.

use std::num::NonZeroU32;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{CursorError, ItemProblem, RawExpression, ReadError, Unverified};

use super::items::Cursors;
use super::{Both, NUMBER};
use crate::application::*;
use crate::hostile::SECRET;

pub(super) async fn reveal_nothing(both: &Both, cursors: &Cursors) {
    through_the_tenant(both, cursors).await;
    through_the_store(both, cursors).await;
}

async fn through_the_tenant(both: &Both, cursors: &Cursors) {
    let one = NonZeroU32::MIN;
    let lookup = || both.mine.lookup(both.by_address());
    for lookup in [lookup(), lookup().backward(), lookup().limit(one)] {
        let page = both.hear("lookup", lookup.page().await).unwrap();
        assert!(!page.items.is_empty());
        for item in &page.items {
            let error = item.as_ref().unwrap_err();
            assert!(matches!(error.problem(), ItemProblem::Foreign(_)) && error.key().is_none(), "{error}");
            both.conceals("an error of a lookup", &error.to_string());
        }
    }
    // Once a filter was asked of their items, too, the caller's own and then the pattern's: the count of errors said whether it held.
    for guess in [SECRET, "something else"] {
        let noted = InvitationsNoted { address: both.names.user.clone(), note: guess.to_owned() };
        let page = both.hear("lookup", both.mine.lookup(noted).page().await).unwrap();
        assert!(page.items.is_empty(), "{guess}");
        let raw = RawExpression::new("note = :note").unwrap().value("note", &guess).unwrap();
        let page = both.hear("lookup", lookup().and_filter(raw).page().await).unwrap();
        assert!(page.items.is_empty(), "{guess}");
    }
    let refused = both.hear("lookup", lookup().after(cursors.invitations.clone()).page().await);
    assert!(
        matches!(refused, Err(ReadError::Cursor(CursorError::Invalid))),
        "a cursor of theirs was accepted"
    );
    let error = both.hear("all", lookup().all(one.saturating_add(1)).await).unwrap_err();
    assert!(matches!(&error, ReadError::Item(error) if matches!(error.problem(), ItemProblem::Foreign(_))));
    let batch = both.hear("batch_get", both.mine.batch_get([both.by_token()]).send().await).unwrap();
    assert!(batch.items.iter().all(Result::is_err));
}

async fn through_the_store(both: &Both, cursors: &Cursors) {
    let one = NonZeroU32::MIN;
    let lookup = || both.store.lookup(both.by_address());
    let raw = || RawExpression::new("attribute_exists(note)").unwrap();
    let mut found = Vec::new();
    for lookup in [lookup(), lookup().backward(), lookup().and_filter(raw())] {
        found.extend(both.hear("Lookup::page", lookup.page().await).unwrap().into_items().unwrap());
        both.conceals("a lookup", &format!("{lookup:?}"));
    }
    let first = both.hear("Lookup::limit", lookup().limit(one).page().await).unwrap();
    let next = first.next.clone().unwrap();
    found.extend(first.into_items().unwrap());
    let second = both.hear("Lookup::after", lookup().limit(one).after(next.clone()).page().await).unwrap();
    found.extend(second.into_items().unwrap());
    assert_eq!(found.len(), 8);
    for found in found {
        is_not_mine(both, found);
    }
    found_item_is_not_mine(both).await;

    // Cursors of nobody in particular are no tenant's, and a tenant's are nobody else's.
    let refused = |error: ReadError| matches!(error, ReadError::Cursor(CursorError::Invalid));
    let mine = both.mine.lookup(both.by_address()).after(next);
    assert!(both.hear("after", mine.page().await).is_err_and(refused));
    let theirs = || lookup().after(cursors.invitations.clone());
    assert!(both.hear("Lookup::after", theirs().page().await).is_err_and(refused));
    assert!(both.hear("Lookup::request", theirs().request()).is_err_and(refused));
}

async fn found_item_is_not_mine(both: &Both) {
    let found = both.hear("lookup_item", both.store.lookup_item(both.by_token()).await);
    is_not_mine(both, found.unwrap().unwrap());
    // Who has the token may see the link. Only its own fields come to whoever does, and the reason to the operators.
    let bearer = both.store.lookup_item(both.by_token()).await.unwrap().unwrap();
    let link = bearer.as_bearer("whoever has the token may see the link");
    assert_eq!(link.organization_id.0, both.names.theirs);
    both.hear("as_bearer", Ok::<_, ReadError>(())).unwrap();
}

fn is_not_mine<Item: std::fmt::Debug>(both: &Both, found: Unverified<App, Item>) {
    both.conceals("an item that is not verified", &format!("{found:?}"));
    let refused = both.hear("verify", found.verify(&both.mine)).unwrap_err();
    assert!(["Invitation", "ShareToken"].contains(&refused.entity()));
}

/// Items of theirs that other programs wrote, or later ones: what is wrong with them is an error of those who find them.
pub(super) async fn reveal_nothing_of_what_does_not_decode(both: &Both) {
    let secret = || AttributeValue::S(format!("\"{SECRET}`"));
    let invitation =
        |invitation_id| invitation(&both.names.theirs, invitation_id, &both.names.user, both.later);
    let sound = both.theirs.put(&invitation(NUMBER)).request().unwrap().item.unwrap();
    let token = share_token(&both.names.theirs, &both.names.token, both.later);
    let token = both.theirs.put(&token).request().unwrap().item.unwrap();
    both.told.take_events();
    let damages: [(&str, Option<AttributeValue>); 7] = [
        ("note", None),
        ("note", Some(AttributeValue::M([(SECRET.to_owned(), secret())].into()))),
        ("note", Some(AttributeValue::N(NUMBER.to_string()))),
        ("expires_at", Some(secret())),
        ("organization_id", None),
        ("entity", None),
        ("entity", Some(secret())),
    ];
    for (attribute, value) in damages {
        for (item, is_token) in [(&sound, false), (&token, true)] {
            let mut item = item.clone();
            match &value {
                Some(value) => item.insert(attribute.to_owned(), value.clone()),
                None => item.remove(attribute),
            };
            let put = both.arm.client().put_item().table_name(both.store.table_name()).set_item(Some(item));
            put.send().await.unwrap();
            if is_token {
                let _ = both.hear("get", both.mine.get(both.by_token()).await);
                let _ = both.hear("lookup_item", both.store.lookup_item(both.by_token()).await);
                let mine = share_token(&both.names.mine, &both.names.token, both.later);
                let insert = both.mine.put(&mine).if_absent().returning_old().send().await;
                let insert = both.hear("put.if_absent", insert);
                assert!(!insert.is_ok_and(|insert| insert.is_done()), "{attribute}");
                let _ = both.hear("delete", both.mine.delete(both.by_token()).if_present().send().await);
                let ended = both.mine.update(both.by_token(), EndShare { expires_at: 1 }).send().await;
                let _ = both.hear("update", ended);
            } else {
                let page = both.mine.lookup(both.by_address()).page().await;
                let page = both.hear("lookup", page).unwrap();
                assert!(page.items.iter().all(Result::is_err), "{attribute}: {page:?}");
                let page = both.store.lookup(both.by_address()).page().await;
                for found in both.hear("Lookup::page", page).unwrap().items {
                    let _ = both.hear("Lookup::page", found.map(drop));
                }
            }
        }
    }
}
