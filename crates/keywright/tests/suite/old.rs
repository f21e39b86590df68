//! What was there before a write is given back where it is asked for.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use keywright::{Conditional, ItemProblem, Old, WriteError};
use keywright_api::Operation::PutItem;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{on_every_arm, with_faults};

fn by_id() -> TeamById {
    TeamById { team_id: "1".to_owned() }
}

fn by_token() -> ShareByToken {
    ShareByToken { token: "t1".to_owned() }
}

fn named(name: &str) -> Team {
    Team { name: name.to_owned(), ..team("acme", "1") }
}

#[tokio::test]
async fn a_put_gives_back_what_it_replaced() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");

        let first = acme.put(&named("First")).returning_old().send().await.unwrap();
        assert_eq!(first.old, Old::Nothing);
        let second = acme.put(&named("Second")).returning_old().send().await.unwrap();
        let old = second.old.item().unwrap();
        assert_eq!((old.name.as_str(), old.etag()), ("First", Some(first.done.etag())));

        let third = named("Third");
        let third = acme.put(&third).if_match(&second.done.etag()).returning_old();
        let third = third.send().await.unwrap().done().unwrap();
        assert_eq!(third.old.item().unwrap().name, "Second");
        let refused = acme.put(&named("Fourth")).if_absent().returning_old().send().await.unwrap();
        assert!(matches!(refused, Conditional::Failed { current: Some(current) } if current.name == "Third"));
    })
    .await;
}

#[tokio::test]
async fn a_delete_gives_back_what_it_deleted_and_an_update_what_it_changed() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let ada = || MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();

        let lead = || ChangeRole { role: "lead".to_owned() };
        let changed = acme.update(ada(), lead()).returning_old().send().await.unwrap().done().unwrap();
        assert_eq!(changed.old.item().unwrap().role, "engineer");
        assert_eq!(acme.get(ada()).await.unwrap().unwrap().etag(), Some(changed.done.etag()));

        let deleted = acme.delete(ada()).if_present().returning_old().send().await.unwrap().done().unwrap();
        assert_eq!(deleted.old.item().unwrap().role, "lead");
        let again = acme.delete(ada()).returning_old().send().await.unwrap();
        assert_eq!(again.old, Old::Nothing);
        let nobody = acme.update(ada(), lead()).returning_old().send().await.unwrap();
        assert!(matches!(nobody, Conditional::Failed { current: None }));
    })
    .await;
}

/// On both sides of the second in which a token's time is over.
#[tokio::test]
async fn what_is_over_is_not_given_back() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let (now, later) = (arm.now_seconds(), arm.now_seconds() + 1000);
        for (expires_at, is_there) in [(now - 1, false), (later, true)] {
            acme.put(&share_token("acme", "t1", expires_at)).send().await.unwrap();
            let put = acme.put(&share_token("acme", "t1", expires_at)).returning_old().send().await.unwrap();
            assert_eq!(put.old.item().is_some(), is_there);
            let deleted = acme.delete(by_token()).returning_old().send().await.unwrap();
            assert_eq!(deleted.old.item().is_some(), is_there);
        }
        acme.put(&share_token("acme", "t1", now + 60)).send().await.unwrap();
        if arm.advance(Duration::from_secs(60)) {
            let deleted = acme.delete(by_token()).returning_old().send().await.unwrap();
            assert_eq!(deleted.old, Old::Nothing);
        }
    })
    .await;
}

/// The key of a share token holds no tenant.
#[tokio::test]
async fn nothing_of_another_tenant_is_given_back_nor_replaced() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
        let later = arm.now_seconds() + 1000;
        acme.put(&share_token("acme", "t1", later)).send().await.unwrap();

        let put = other.put(&share_token("other", "t1", later)).returning_old().send().await;
        assert!(matches!(put, Err(WriteError::Foreign(_))), "{put:?}");
        let deleted = other.delete(by_token()).returning_old().send().await;
        assert!(matches!(deleted, Err(WriteError::Foreign(_))), "{deleted:?}");
        let change =
            other.update(by_token(), EndShare { expires_at: 1 }).returning_old().send().await.unwrap();
        assert!(matches!(change, Conditional::Failed { current: None }));
        assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), share_token("acme", "t1", later));
    })
    .await;
}

#[tokio::test]
async fn what_was_there_and_does_not_decode_is_an_error_that_says_that_the_write_had_effect() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let mut item = acme.put(&named("First")).request().unwrap().item.unwrap();
        item.insert("name".to_owned(), AttributeValue::N("7".to_owned()));
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();

        let error = acme.put(&named("Second")).returning_old().send().await.unwrap_err();

        let WriteError::Item(error) = error else { panic!("{error}") };
        assert!(matches!(error.problem(), ItemProblem::Attribute { path, .. } if path == "name"));
        assert_eq!(acme.get(by_id()).await.unwrap().unwrap().name, "Second");
    })
    .await;
}

#[tokio::test]
async fn where_an_answer_was_lost_so_is_what_was_there() {
    for may_repeat in [false, true] {
        let lost = Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(PutItem);
        let arm = with_faults(Faults::new(7).rule(lost.when(When::Calls(vec![2]))).unwrap());
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&named("First")).send().await.unwrap();
        let second = named("Second");
        let put = if may_repeat { acme.put(&second).may_repeat() } else { acme.put(&second) };

        // The second try of a put that may repeat finds what the first one stored.
        assert_eq!(put.returning_old().send().await.unwrap().old, Old::Lost);
    }
}

#[tokio::test]
async fn nothing_is_asked_for_that_is_not_wanted() {
    let arm = crate::arm::in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    let first = named("First");

    assert_eq!(acme.put(&first).request().unwrap().return_values, None);
    assert_eq!(acme.put(&first).returning_old().request().unwrap().return_values, Some(ReturnValue::AllOld));
    assert_eq!(acme.put(&first).if_absent().request().unwrap().return_values, None);
    assert_eq!(acme.delete(by_id()).request().unwrap().return_values, None);
    let deleted = acme.delete(by_id()).if_present().returning_old().request().unwrap();
    assert_eq!(deleted.return_values, Some(ReturnValue::AllOld));
    let ada = MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
    let change = acme.update(ada, ChangeRole { role: "lead".to_owned() });
    assert_eq!(change.request().unwrap().return_values, Some(ReturnValue::AllNew));
    assert_eq!(change.returning_old().request().unwrap().return_values, Some(ReturnValue::AllOld));
}
