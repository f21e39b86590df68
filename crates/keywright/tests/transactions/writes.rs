//! What a transaction does to its items is what the same writes do alone, at one moment, or nothing.

use keywright::{Cause, RawExpression, Reason, Transacted};

use crate::application::*;
use crate::on_arms_with_transactions;

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

fn bob() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "bob".to_owned() }
}

fn first_document() -> DocumentById {
    DocumentById { document_id: 1 }
}

#[tokio::test]
async fn puts_updates_deletes_and_checks_have_effect_together() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        acme.put(&member("acme", "1", "bob")).send().await.unwrap();

        let mut all = acme.transaction();
        all.add(acme.check(TeamById { team_id: "1".to_owned() }).if_present());
        let award = all.add(acme.update(ada(), Award { points: 5 }));
        let delete = all.add(acme.delete(bob()).if_present());
        let put = all.add(acme.put(&document("acme", 1)).if_absent());
        let done = all.send().await.unwrap().done().unwrap();

        let awarded = acme.get(ada()).await.unwrap().unwrap();
        assert_eq!(awarded.points, 5);
        assert_eq!(awarded.etag(), done.etag(&award));
        assert!(acme.get(bob()).await.unwrap().is_none());
        let stored = acme.get(first_document()).await.unwrap().unwrap();
        assert_eq!((stored.version, stored.etag()), (1, done.etag(&put)));
        assert_eq!(done.etag(&delete), None);
        // One KB each, twice; the members have an entry in an index, and the one that is deleted leaves it.
        assert_eq!(done.write_units(), Some(9.0));
        let usage = store.usage();
        let (members, documents) = (usage.writes["Member"], usage.writes["Document"]);
        assert_eq!((members.requests, documents.requests, documents.items_put), (3, 1, 1));
        let singly = 1.0 + 2.0 + 2.0;
        let all: f64 = usage.writes.values().map(|entity| entity.units).sum();
        assert!((all - singly - 9.0).abs() < 1e-9, "{usage:?}");
    })
    .await;
}

#[tokio::test]
async fn one_condition_that_does_not_hold_keeps_everything_as_it_was_and_says_which_and_what_is_there() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&Member { points: 3, ..member("acme", "1", "ada") }).send().await.unwrap();

        let mut all = acme.transaction();
        let put = all.add(acme.put(&team("acme", "1")));
        let spend = all.add(acme.update(ada(), Award { points: -5 }).when(&HasPoints { least: 5 }));
        let absent = all.add(acme.check(bob()).if_present());
        let canceled = all.send().await.unwrap().canceled().unwrap();

        let Reason::ConditionFailed { current: Some(current) } = canceled.reason(&spend).unwrap() else {
            panic!("{canceled}")
        };
        assert_eq!((current.points, current.user_id.as_str()), (3, "ada"));
        assert_eq!(canceled.reason(&absent).unwrap(), Reason::ConditionFailed { current: None });
        assert_eq!(canceled.reason(&put).unwrap(), Reason::None);
        let blamed: Vec<_> =
            canceled.to_blame().map(|(action, cause)| (action.position(), action.entity(), cause)).collect();
        assert_eq!(blamed, [(1, "Member", Cause::ConditionFailed), (2, "Member", Cause::ConditionFailed)]);
        assert!(!canceled.is_passing());
        assert!(canceled.to_string().contains("the update of `Member` at position 1"), "{canceled}");
        assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
        assert_eq!(acme.get(ada()).await.unwrap().unwrap().points, 3);
    })
    .await;
}

#[tokio::test]
async fn the_item_in_the_way_is_read_where_the_engine_does_not_show_it() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.without_items_of_failed_conditions().store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();
        let mut all = acme.transaction();
        let insert = all.add(acme.put(&team("acme", "1")).if_absent());
        let canceled = all.send().await.unwrap().canceled().unwrap();
        let reason = canceled.reason(&insert).unwrap();
        assert!(matches!(reason, Reason::ConditionFailed { current: Some(_) }), "{reason:?}");
    })
    .await;
}

#[tokio::test]
async fn versions_and_tags_hold_inside_a_transaction_as_alone() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let read = async || acme.get(first_document()).await.unwrap().unwrap();
        let is_done = async |transaction: keywright::Transaction| transaction.send().await.unwrap().is_done();
        acme.put(&document("acme", 1)).send().await.unwrap();
        let (first, etag) = (read().await, read().await.etag().unwrap());

        let mut counted = acme.transaction();
        counted.add(acme.update(first_document(), CountViews { views: 1 }).if_version(1));
        assert!(is_done(counted).await);
        assert_eq!((read().await.version, read().await.views), (2, 1));
        for stale in 0..4 {
            let mut transaction = acme.transaction();
            match stale {
                0 => {
                    transaction.add(acme.put(&*first).if_version(first.version));
                }
                1 => {
                    transaction.add(acme.put(&*first).if_match(&etag));
                }
                2 => {
                    transaction.add(acme.delete(first_document()).if_match(&etag));
                }
                _ => {
                    transaction.add(acme.check(first_document()).if_match(&etag));
                }
            }
            assert!(!is_done(transaction).await, "{stale}");
        }
        let mut checked = acme.transaction();
        checked.add(acme.check(first_document()).if_version(2));
        checked.add(acme.put(&team("acme", "1")));
        assert!(is_done(checked).await);
        let current = read().await.into_item();
        let mut replaced = acme.transaction();
        replaced.add(acme.put(&current).if_version(2));
        assert!(is_done(replaced).await);
        assert_eq!(read().await.version, 3);
    })
    .await;
}

/// An expired item is still stored. It is none for an insert and for a check, and an update does not wake it.
#[tokio::test]
async fn an_item_whose_time_is_over_is_none_inside_a_transaction_too() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let past = arm.now_seconds() - 10;
        let later = arm.now_seconds() + 1000;
        acme.put(&invitation("acme", 1, "ada", past)).send().await.unwrap();
        acme.put(&invitation("acme", 2, "bob", past)).send().await.unwrap();
        let by_id = |invitation_id| InvitationById { invitation_id };

        let mut woken = acme.transaction();
        let update = woken.add(acme.update(by_id(1), EndInvitation { expires_at: later }));
        let check = woken.add(acme.check(by_id(2)).if_present());
        let canceled = woken.send().await.unwrap().canceled().unwrap();
        assert_eq!(canceled.reason(&update).unwrap(), Reason::ConditionFailed { current: None });
        assert_eq!(canceled.reason(&check).unwrap(), Reason::ConditionFailed { current: None });

        let mut begun = acme.transaction();
        begun.add(acme.put(&invitation("acme", 1, "ada", later)).if_absent());
        begun.add(acme.check(by_id(2)).if_absent());
        assert!(begun.send().await.unwrap().is_done());
        assert_eq!(acme.get(by_id(1)).await.unwrap().unwrap().expires_at, later);
    })
    .await;
}

#[tokio::test]
async fn what_does_not_fit_its_item_is_refused_by_action() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&document("acme", 1)).send().await.unwrap();
        // Another program made a text of the views.
        let key = acme.delete(first_document()).request().unwrap().key;
        let broken = arm.client().update_item().table_name(store.table_name()).set_key(key);
        let text = aws_sdk_dynamodb::types::AttributeValue::S("many".to_owned());
        broken
            .update_expression("SET #v = :v")
            .expression_attribute_names("#v", "views")
            .expression_attribute_values(":v", text)
            .send()
            .await
            .unwrap();

        let mut all = acme.transaction();
        all.add(acme.put(&team("acme", "1")));
        let count = all.add(acme.update(first_document(), CountViews { views: 1 }));
        let canceled = all.send().await.unwrap().canceled().unwrap();

        assert_eq!(canceled.reason(&count).unwrap(), Reason::Refused { code: "ValidationError".to_owned() });
        assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn an_expression_of_the_callers_own_is_asked_inside_the_fence() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();
        let named = || RawExpression::new("#n = :n").unwrap().name("n", "name");
        for (name, holds) in [("Team 1", true), ("Team 2", false)] {
            let mut all = acme.transaction();
            let asked = named().value("n", &name).unwrap();
            all.add(acme.check(TeamById { team_id: "1".to_owned() }).when_raw(asked));
            let outcome = all.send().await.unwrap();
            assert_eq!(matches!(outcome, Transacted::Done(_)), holds, "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_look_at_the_request_sends_nothing_and_shows_the_token() {
    on_arms_with_transactions(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let mut all = acme.transaction();
        all.add(acme.put(&team("acme", "1")).if_absent());
        all.add(acme.delete(ada()));
        let request = all.request().unwrap();

        let [put, delete] = request.transact_items() else { panic!("{request:?}") };
        assert_eq!(request.client_request_token(), Some(all.token().to_string().as_str()));
        assert_eq!(put.put().unwrap().condition_expression(), Some("attribute_not_exists(#c_key)"));
        assert_eq!(delete.delete().unwrap().condition_expression(), None);
        assert!(store.usage().writes.is_empty());
        assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
    })
    .await;
}
