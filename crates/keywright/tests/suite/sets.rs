//! Sets and bytes survive the trip, and are changed member by member.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright::WriteError;
use keywright::key::{Bytes, Set};

use crate::arm::on_every_arm;
use crate::board::*;

fn full() -> Card {
    Card {
        tags: texts(["late", "urgent"]),
        lines: Set::from([1, 20]),
        digests: Set::from([Bytes(vec![1]), Bytes(vec![2, 3])]),
        picture: Some(Bytes(vec![0, 255])),
        ..card(1)
    }
}

/// Tags were a `BTreeSet`, which is stored as a list: neither was a tag found, nor could one be added or taken out.
#[tokio::test]
async fn sets_and_bytes_are_stored_as_such_and_read_back() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        let item = acme.put(&full()).request().unwrap().item.unwrap();
        let text = |text: &str| text.to_owned();
        assert_eq!(item["tags"], AttributeValue::Ss(vec![text("late"), text("urgent")]));
        assert_eq!(item["lines"], AttributeValue::Ns(vec![text("1"), text("20")]));
        assert_eq!(item["digests"], AttributeValue::Bs(vec![Blob::new([1]), Blob::new([2, 3])]));
        assert_eq!(item["picture"], AttributeValue::B(Blob::new([0, 255])));

        acme.put(&full()).send().await.unwrap();

        assert_eq!(*acme.get(first()).await.unwrap().unwrap(), Card { version: 1, ..full() });
        let tags = acme.query(TagsOfCards {}).page().await.unwrap().into_items().unwrap();
        assert_eq!(tags[0], CardTags { card_id: 1, tags: full().tags });
    })
    .await;
}

#[tokio::test]
async fn members_are_added_to_sets_and_taken_out() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&card(1)).send().await.unwrap();
        let add = |tag: &str, line, digest| Change {
            tags: Some(texts([tag])),
            lines: Some(Set::from([line])),
            digests: Some(Set::from([Bytes(vec![digest])])),
            ..Change::default()
        };

        for change in [add("late", 1, 1), add("urgent", 2, 2), add("late", 1, 1)] {
            assert!(acme.update(first(), change).send().await.unwrap().is_done());
        }
        let added = acme.get(first()).await.unwrap().unwrap().into_item();
        assert_eq!(added.tags, texts(["late", "urgent"]));
        assert_eq!(added.lines, Set::from([1, 2]));
        assert_eq!(added.digests, Set::from([Bytes(vec![1]), Bytes(vec![2])]));

        let take_out = TakeOut {
            tags: texts(["late", "never there"]),
            lines: Set::from([1, 2]),
            digests: Set::from([Bytes(vec![2])]),
        };
        assert!(acme.update(first(), take_out).send().await.unwrap().is_done());
        let left = acme.get(first()).await.unwrap().unwrap().into_item();
        assert_eq!((left.tags, left.digests), (texts(["urgent"]), Set::from([Bytes(vec![1])])));
        // The last member took the attribute with it.
        assert_eq!(left.lines, Set::default());
    })
    .await;
}

/// DynamoDB has no empty sets.
#[tokio::test]
async fn a_set_without_members_is_left_out_and_read_back_from_there() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = acme(&store);
        let item = acme.put(&card(1)).request().unwrap().item.unwrap();
        assert!(!item.contains_key("tags") && !item.contains_key("lines") && !item.contains_key("digests"));

        acme.put(&full()).send().await.unwrap();
        assert!(acme.update(first(), Retag { tags: Set::default() }).send().await.unwrap().is_done());

        let left = acme.get(first()).await.unwrap().unwrap().into_item();
        assert_eq!(left, Card { tags: Set::default(), version: 2, ..full() });
        // Nothing is added, and nothing taken out.
        let nothing = Change { tags: Some(Set::default()), ..Change::default() };
        assert!(acme.update(first(), nothing).send().await.unwrap().is_done());
        assert!(acme.update(first(), TakeOut::default()).send().await.unwrap().is_done());
        assert_eq!(*acme.get(first()).await.unwrap().unwrap(), Card { version: 4, ..left });
    })
    .await;
}

#[tokio::test]
async fn a_set_is_asked_for_a_member_and_for_all_of_them() {
    on_every_arm(|arm| async move {
        let acme = acme(&arm.store().await);
        acme.put(&full()).send().await.unwrap();
        acme.put(&Card { tags: texts(["urgently"]), ..card(2) }).send().await.unwrap();
        let retag = || acme.update(first(), Retag { tags: full().tags });

        let tagged = acme.query(CardsTagged { tag: "urgent".to_owned() }).page().await.unwrap();
        assert_eq!(tagged.into_items().unwrap().len(), 1);
        assert!(retag().when(&IsTagged { tag: "late".to_owned() }).send().await.unwrap().is_done());
        assert!(!retag().when(&IsTagged { tag: "lat".to_owned() }).send().await.unwrap().is_done());
        assert!(retag().when(&HasTags { tags: full().tags }).send().await.unwrap().is_done());
        assert!(!retag().when(&HasTags { tags: texts(["late"]) }).send().await.unwrap().is_done());

        // No stored attribute is a set without members, so nothing could ever be equal to one.
        let asked = retag().when(&HasTags { tags: Set::default() }).send().await;
        assert!(matches!(asked, Err(WriteError::Value { .. })), "{asked:?}");
    })
    .await;
}

/// What was stored as a list by an older version of a program is read as the set that it was meant to be, and is one with its next put.
#[tokio::test]
async fn a_list_in_the_place_of_a_set_is_read() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = acme(&store);
        let mut item = acme.put(&card(1)).request().unwrap().item.unwrap();
        let members = ["urgent", "late"].map(|tag| AttributeValue::S(tag.to_owned()));
        item.insert("tags".to_owned(), AttributeValue::L(members.to_vec()));
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();

        let read = acme.get(first()).await.unwrap().unwrap().into_item();
        assert_eq!(read.tags, texts(["late", "urgent"]));
        acme.put(&read).send().await.unwrap();
        let tags = Some(texts(["later"]));
        let added = acme.update(first(), Change { tags, ..Change::default() }).send().await.unwrap();
        assert_eq!(added.done().unwrap().item.tags.len(), 3);
    })
    .await;
}
