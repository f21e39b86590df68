//! Versions: updates and puts that compare them count one, and a write that was made of an old one does not happen.

use keywright::{Conditional, RawExpression, WriteError};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

fn by_id() -> DocumentById {
    DocumentById { document_id: 1 }
}

#[tokio::test]
async fn every_write_counts_the_version_up_by_one() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let version = async || acme.get(by_id()).await.unwrap().unwrap().version;

        acme.put(&document("acme", 1)).if_absent().send().await.unwrap().done().unwrap();
        assert_eq!(version().await, 1);
        let updated = acme.update(by_id(), CountViews { views: 1 }).send().await.unwrap().done().unwrap();
        assert_eq!((updated.item.version, version().await), (2, 2));
        let read = acme.get(by_id()).await.unwrap().unwrap().into_item();
        acme.put(&read).send().await.unwrap();
        assert_eq!(version().await, 3);
        let first = document("acme", 1);
        acme.update(by_id(), CountViews { views: 1 }).or_insert(&first).await.unwrap().done().unwrap();
        assert_eq!(version().await, 4);
    })
    .await;
}

/// Two people opened version 1. Both put what they made of it, if it is still version 1, and both were told that it was: a put
/// stored the version that its entity had, so the first one changed nothing that the second could have noticed.
#[tokio::test]
async fn of_two_puts_that_were_made_of_one_version_the_second_fails() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&document("acme", 1)).send().await.unwrap();
        let ours = acme.get(by_id()).await.unwrap().unwrap().into_item();
        let theirs = Document { title: "Theirs".to_owned(), ..ours.clone() };

        assert!(acme.put(&theirs).if_version(theirs.version).send().await.unwrap().is_done());
        let second = acme.put(&ours).if_version(ours.version).send().await.unwrap();

        let Conditional::Failed { current: Some(current) } = second else { panic!("{second:?}") };
        assert_eq!((current.title.as_str(), current.version), ("Theirs", 2));
    })
    .await;
}

/// What the documentation says of puts that do not compare: a version begins again where such a put, or an insert in the place of what is
/// gone, stores an entity with version 0, and an old version fits once more. A tag never does.
#[tokio::test]
async fn a_put_that_compares_no_version_begins_again_and_a_tag_keeps_old_holders_out() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let version = async || acme.get(by_id()).await.unwrap().unwrap().version;
        let count = || acme.update(by_id(), CountViews { views: 1 });
        let first = acme.put(&document("acme", 1)).send().await.unwrap().etag();
        for _ in 0..6 {
            count().send().await.unwrap().done().unwrap();
        }
        assert_eq!(version().await, 7);

        acme.put(&document("acme", 1)).send().await.unwrap();
        assert_eq!(version().await, 1);
        assert!(!count().if_match(&first).send().await.unwrap().is_done());
        assert!(count().if_version(1).send().await.unwrap().is_done());

        acme.delete(by_id()).send().await.unwrap();
        acme.put(&document("acme", 1)).if_absent().send().await.unwrap().done().unwrap();
        assert_eq!(version().await, 1);
        assert!(!count().if_match(&first).send().await.unwrap().is_done());
        assert!(count().if_version(1).send().await.unwrap().is_done());

        // The version that a condition names counts, whatever that of the entity is.
        let new = document("acme", 1);
        for expected in [3, 4] {
            assert!(acme.put(&new).if_version(expected - 1).send().await.unwrap().is_done());
            assert_eq!(version().await, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn an_update_or_delete_of_an_old_version_does_not_happen() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&document("acme", 1)).send().await.unwrap();
        assert!(acme.update(by_id(), CountViews { views: 1 }).if_version(1).send().await.unwrap().is_done());

        assert!(!acme.update(by_id(), CountViews { views: 1 }).if_version(1).send().await.unwrap().is_done());
        assert!(!acme.delete(by_id()).if_version(1).send().await.unwrap().is_done());

        let current = acme.get(by_id()).await.unwrap().unwrap();
        assert_eq!((current.views, current.version), (1, 2));
        assert!(acme.delete(by_id()).if_version(2).send().await.unwrap().is_done());
    })
    .await;
}

/// An update asked for points twice, with two values of one condition. Both had the same placeholders in the request, so that the
/// second value took the place of the first, and only one of the two was asked.
#[tokio::test]
async fn of_two_conditions_of_one_update_both_must_hold() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&Member { points: 5, ..member("acme", "1", "ada") }).send().await.unwrap();
        let award = || {
            let named = MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
            acme.update(named, Award { points: 1 })
        };
        let has =
            |least| RawExpression::new("#p >= :p").unwrap().name("p", "points").value("p", &least).unwrap();

        let typed = award().when(&HasPoints { least: 100 }).when(&HasPoints { least: 1 });
        assert!(!typed.send().await.unwrap().is_done());
        assert!(!award().when_raw(has(100)).when_raw(has(1)).send().await.unwrap().is_done());
        let both = award().when(&HasPoints { least: 5 }).when(&HasPoints { least: 4 }).when_raw(has(3));
        assert!(both.when_raw(has(2)).send().await.unwrap().is_done());
    })
    .await;
}

/// A version came in with a body, was the highest that there is, and was stored one higher: no program could read the item any more, nor
/// repair it through the layer.
#[tokio::test]
async fn a_version_that_cannot_be_counted_on_is_refused_and_the_item_stays_readable() {
    let arm = in_process_alone();
    let store = arm.store().await;
    let acme = tenant(&store, "acme");
    let with = |version| Document { version, ..document("acme", 1) };
    let highest = u64::MAX / 2;
    for version in [u64::MAX, u64::MAX - 1, highest] {
        let batch = [with(version)];
        let mut transaction = acme.transaction();
        transaction.add(acme.put(&batch[0]));
        let refused = [
            acme.put(&with(version)).send().await.map(drop),
            acme.put(&with(version)).if_absent().send().await.map(drop),
            acme.put(&with(0)).if_version(version).send().await.map(drop),
        ];
        for refused in refused {
            let Err(WriteError::Value { entity: "Document", path, .. }) = &refused else {
                panic!("{refused:?}")
            };
            assert_eq!(path.as_deref(), Some("version"));
        }
        assert!(acme.batch_put(&batch).send().await.is_err());
        assert!(transaction.send().await.is_err());
        assert!(acme.get(by_id()).await.unwrap().is_none(), "nothing was stored");
    }

    // The highest one is counted on by updates: there are as many before their end as puts have.
    acme.put(&with(highest - 1)).send().await.unwrap();
    let updated = acme.update(by_id(), CountViews { views: 1 }).send().await.unwrap().done().unwrap();
    assert_eq!(
        (updated.item.version, acme.get(by_id()).await.unwrap().unwrap().version),
        (highest + 1, highest + 1)
    );
}
