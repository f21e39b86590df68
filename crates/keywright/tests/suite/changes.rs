//! Each way in which an update changes an attribute, from what is there and from nothing.

use keywright::{Conditional, RawExpression, Tenant};

use crate::arm::on_every_arm;
use crate::board::*;

/// What the first card is after a change.
async fn changed(acme: &Tenant<Board>, change: Change) -> Card {
    let outcome = acme.update(first(), change).send().await.unwrap();
    let Conditional::Done(updated) = outcome else { panic!("{outcome:?}") };
    updated.item.into_item()
}

/// A form gave points for a card only sometimes. Without points the whole change was refused by the service, since the request named an
/// attribute that it did not use.
#[tokio::test]
async fn nothing_happens_to_an_attribute_for_which_no_value_is_given() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&Card { points: Some(5), ..card(1) }).send().await.unwrap();

        let notes = vec!["late".to_owned()];
        let noted = changed(&acme, Change { notes: Some(notes.clone()), ..Change::default() }).await;

        let expected = Card { points: Some(5), notes, version: noted.version, ..card(1) };
        assert_eq!(noted, expected);
    })
    .await;
}

/// The same where nothing at all was given: the item stays as it is, and is written nevertheless.
#[tokio::test]
async fn an_update_in_which_nothing_is_left_counts_a_version_and_changes_nothing_else() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        let etag = acme.put(&Card { points: Some(5), ..card(1) }).send().await.unwrap().etag();

        let left = changed(&acme, Change::default()).await;

        assert_eq!(left, Card { points: Some(5), version: 2, ..card(1) });
        let stored = acme.get(first()).await.unwrap().unwrap();
        assert_ne!(stored.etag().unwrap(), etag);
        let nothing = acme.update(CardById { card_id: 2 }, Change::default()).send().await.unwrap();
        assert!(matches!(nothing, Conditional::Failed { current: None }), "{nothing:?}");
    })
    .await;
}

/// Costs were taken off a budget that a card did not have yet. Adding began from nothing, and taking off was refused by the service.
#[tokio::test]
async fn what_counts_begins_from_nothing() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&card(1)).send().await.unwrap();
        let change = || Change {
            points: Some(3),
            spent: Some(1.5),
            notes: Some(vec!["late".to_owned()]),
            ..Change::default()
        };

        let begun = changed(&acme, change()).await;
        assert_eq!((begun.points, begun.spent, begun.notes.len()), (Some(3), Some(-1.5), 1));
        let further = changed(&acme, change()).await;
        assert_eq!((further.points, further.spent, further.notes.len()), (Some(6), Some(-3.0), 2));
    })
    .await;
}

#[tokio::test]
async fn elements_go_to_the_end_of_a_list() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&Card { notes: vec!["one".to_owned()], ..card(1) }).send().await.unwrap();
        let notes = Some(vec!["two".to_owned(), "three".to_owned()]);

        let noted = changed(&acme, Change { notes, ..Change::default() }).await;

        assert_eq!(noted.notes, ["one", "two", "three"]);
    })
    .await;
}

#[tokio::test]
async fn what_is_set_if_absent_is_set_once() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&card(1)).send().await.unwrap();

        for moment in [7, 8] {
            let started = changed(&acme, Change { started_at: Some(moment), ..Change::default() }).await;
            assert_eq!(started.started_at, Some(7));
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_removed_is_gone_and_removing_it_again_is_no_error() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&Card { nickname: Some("Ace".to_owned()), ..card(1) }).send().await.unwrap();

        for version in [2, 3] {
            assert!(acme.update(first(), TakeOut::default()).send().await.unwrap().is_done());
            assert_eq!(*acme.get(first()).await.unwrap().unwrap(), Card { version, ..card(1) });
        }
    })
    .await;
}

/// What an older version of a program stored lacks an attribute that the type has a default for.
#[tokio::test]
async fn an_attribute_that_is_not_stored_has_the_default_that_serde_is_told() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = acme(&store);
        let mut item = acme.put(&card(1)).request().unwrap().item.unwrap();
        assert!(item.remove("notes").is_some());
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();

        assert_eq!(*acme.get(first()).await.unwrap().unwrap(), Card { version: 1, ..card(1) });
    })
    .await;
}

/// No condition holds for an item whose time is over, whatever it asks: such an item is none.
#[tokio::test]
async fn no_condition_holds_for_what_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = acme(&store);
        let over = Card { expires_at: Some(arm.now_seconds() - 1), tags: texts(["urgent"]), ..card(1) };
        let etag = acme.put(&over).send().await.unwrap().etag();
        let tagged = || IsTagged { tag: "urgent".to_owned() };
        let titled = || RawExpression::new("attribute_exists(#title)").unwrap().name("title", "title");
        let change = || acme.update(first(), Change::default());
        let delete = || acme.delete(first());

        let outcomes = [
            ("put when", acme.put(&over).when(&tagged()).send().await.unwrap().is_done()),
            ("put when raw", acme.put(&over).when_raw(titled()).send().await.unwrap().is_done()),
            ("put of a version", acme.put(&over).if_version(1).send().await.unwrap().is_done()),
            ("update when", change().when(&tagged()).send().await.unwrap().is_done()),
            ("update when raw", change().when_raw(titled()).send().await.unwrap().is_done()),
            ("update of a version", change().if_version(1).send().await.unwrap().is_done()),
            ("update of a state", change().if_match(&etag).send().await.unwrap().is_done()),
            ("delete when", delete().when(&tagged()).send().await.unwrap().is_done()),
            ("delete when raw", delete().when_raw(titled()).send().await.unwrap().is_done()),
            ("delete of a version", delete().if_version(1).send().await.unwrap().is_done()),
            ("delete of a state", delete().if_match(&etag).send().await.unwrap().is_done()),
        ];

        for (asked, is_done) in outcomes {
            assert!(!is_done, "{asked}");
        }
        let stored = arm.client().scan().table_name(store.table_name()).send().await.unwrap();
        assert_eq!(stored.count, 1, "what is over was deleted, though it was not there to be asked");
    })
    .await;
}

#[tokio::test]
async fn a_delete_of_one_state_takes_that_state_and_no_other() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        let before = acme.put(&card(1)).send().await.unwrap().etag();
        let now = acme.put(&Card { title: "Another".to_owned(), ..card(1) }).send().await.unwrap().etag();

        let refused = acme.delete(first()).if_match(&before).send().await.unwrap();
        let Conditional::Failed { current: Some(current) } = refused else { panic!("{refused:?}") };
        assert_eq!(current.title, "Another");
        assert!(acme.delete(first()).if_match(&now).send().await.unwrap().is_done());
        assert!(acme.get(first()).await.unwrap().is_none());
        assert!(!acme.delete(first()).if_match(&now).send().await.unwrap().is_done());
    })
    .await;
}
