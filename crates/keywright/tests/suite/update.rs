//! Updates change what they name, what follows from it, and nothing else.

use keywright::{Conditional, Upserted, WriteError};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_leaves_the_rest() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();

        let outcome = acme.update(ada(), ChangeRole { role: "lead".to_owned() }).send().await.unwrap();

        let Conditional::Done(updated) = outcome else { panic!("{outcome:?}") };
        let expected = Member { role: "lead".to_owned(), ..member("acme", "1", "ada") };
        assert_eq!(*updated.item, expected);
        assert_eq!(*acme.get(ada()).await.unwrap().unwrap(), expected);
    })
    .await;
}

#[tokio::test]
async fn an_update_of_what_is_not_there_makes_no_half_item() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");

        let outcome = acme.update(ada(), ChangeRole { role: "lead".to_owned() }).send().await.unwrap();

        assert!(matches!(outcome, Conditional::Failed { current: None }), "{outcome:?}");
        assert!(acme.get(ada()).await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn an_update_of_a_component_moves_the_item_in_the_index() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        for (team_id, joined_at) in [("1", 1), ("2", 2)] {
            let member =
                Member { joined_at, role: format!("role of {team_id}"), ..member("acme", team_id, "ada") };
            acme.put(&member).send().await.unwrap();
        }
        let roles = async || -> Vec<String> {
            let pattern = MembershipsOfUser { user_id: "ada".to_owned() };
            let page = acme.query(pattern).page().await.unwrap();
            page.into_items().unwrap().into_iter().map(|member| member.role).collect()
        };
        assert_eq!(roles().await, ["role of 1", "role of 2"]);

        assert!(acme.update(ada(), Rejoin { joined_at: 3 }).send().await.unwrap().is_done());

        assert_eq!(roles().await, ["role of 2", "role of 1"]);
    })
    .await;
}

#[tokio::test]
async fn an_upsert_counts_from_the_first_and_goes_on() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let first = Member { points: 5, ..member("acme", "1", "ada") };

        let begun = acme.update(ada(), Award { points: 5 }).or_insert(&first).await.unwrap();
        assert!(matches!(begun, Conditional::Done(Upserted::Inserted(_))), "{begun:?}");
        let further = acme.update(ada(), Award { points: 5 }).or_insert(&first).await.unwrap();
        assert!(matches!(further, Conditional::Done(Upserted::Updated(_))), "{further:?}");

        assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 10);
    })
    .await;
}

/// An upsert of Ada was given Bob as its first item. Bob was stored, it was called inserted, and there was no Ada; where Bob was there
/// already, sixteen requests were paid for, and then others were blamed for writing at the same moments.
#[tokio::test]
async fn an_upsert_of_another_item_than_the_one_named_is_refused_before_anything_is_sent() {
    let arm = in_process_alone();
    let store = arm.store().await;
    let acme = tenant(&store, "acme");
    let bob = || MemberById { team_id: "1".to_owned(), user_id: "bob".to_owned() };
    for is_bob_there in [false, true] {
        if is_bob_there {
            acme.put(&member("acme", "1", "bob")).send().await.unwrap();
        }
        let before = store.usage().writes.get("Member").map_or(0, |usage| usage.requests);
        for other in [member("acme", "1", "bob"), member("acme", "2", "ada")] {
            let refused = acme.update(ada(), Award { points: 5 }).or_insert(&other).await;

            let Err(WriteError::Value { entity: "Member", key, path, .. }) = &refused else {
                panic!("{refused:?}")
            };
            let named = format!("ORG#acme / TEAM#{}#MEMBER#{}", other.team_id, other.user_id);
            assert_eq!((key.as_deref(), path.as_deref()), (Some(named.as_str()), Some("sk")));
        }
        // That an item is another tenant's is said as ever.
        let theirs = acme.update(ada(), Award { points: 5 }).or_insert(&member("globex", "1", "ada")).await;
        assert!(matches!(theirs, Err(WriteError::Foreign(_))), "{theirs:?}");

        assert_eq!(
            store.usage().writes.get("Member").map_or(0, |usage| usage.requests),
            before,
            "sent nothing"
        );
        assert_eq!(acme.get(bob()).await.unwrap().is_some(), is_bob_there);
        assert!(acme.get(ada()).await.unwrap().is_none());
    }
}
