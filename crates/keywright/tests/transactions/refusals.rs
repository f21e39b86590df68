//! What is refused before anything is sent, and by what name.

use keywright::{ActionKind, KeysInErrors, Reason, ReasonError, TransactionError, WriteError};

use crate::application::*;
use crate::arm::in_process_alone;

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

/// DynamoDB says of such a transaction that there are several actions on one item, and neither which item nor which actions.
#[tokio::test]
async fn two_actions_on_one_item_are_named_whatever_they_do() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");

    let mut twice = acme.transaction();
    twice.add(acme.put(&team("acme", "1")));
    twice.add(acme.check(ada()).if_present());
    twice.add(acme.put(&team("acme", "2")));
    twice.add(acme.update(ada(), Award { points: 1 }));
    let error = twice.send().await.unwrap_err();

    let TransactionError::SameItem(pairs) = &error else { panic!("{error}") };
    let [(check, update)] = pairs.as_slice() else { panic!("{pairs:?}") };
    assert_eq!((check.position(), check.kind()), (1, ActionKind::Check));
    assert_eq!((update.position(), update.kind()), (3, ActionKind::Update));
    assert_eq!(check.key(), Some("ORG#acme / TEAM#1#MEMBER#ada"));
    assert!(error.to_string().starts_with("nothing was sent"), "{error}");
    assert!(store.usage().writes.is_empty());
}

/// An implementation joined the two parts of a key by `#`, and took (A#, B) and (A, #B) for one item.
#[tokio::test]
async fn keys_that_are_one_text_together_and_two_apart_are_two_items() {
    let store = in_process_alone().store::<App>().await;
    let mut both = tenant(&store, "a").transaction();
    let a = tenant(&store, "a");
    for (team, user) in [("1", "#1"), ("1#", "1")] {
        both.add(a.put(&member("a", team, user)));
    }
    assert!(both.send().await.unwrap().is_done());
}

#[tokio::test]
async fn an_action_that_cannot_be_sent_is_named_by_its_place() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");

    let mut foreign = acme.transaction();
    foreign.add(acme.put(&team("acme", "1")));
    foreign.add(acme.put(&team("globex", "1")));
    foreign.add(acme.put(&team("acme", "")));
    let error = foreign.send().await.unwrap_err();
    let TransactionError::Action { action, source } = &error else { panic!("{error}") };
    assert!(matches!(**source, WriteError::Foreign(_)), "{error}");
    assert_eq!((action.position(), action.entity()), (1, "Team"));

    let mut unwritable = acme.transaction();
    unwritable.add(acme.delete(TeamById { team_id: String::new() }));
    let error = unwritable.request().unwrap_err();
    assert!(
        matches!(&error, TransactionError::Action { source, .. } if matches!(**source, WriteError::Key(_)))
    );
    assert!(store.usage().writes.is_empty());
}

#[tokio::test]
async fn an_action_of_another_tenants_handle_is_named() {
    let store = in_process_alone().store::<App>().await;
    let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));

    let mut both = acme.transaction();
    both.add(acme.put(&team("acme", "1")));
    both.add(globex.delete(TeamById { team_id: "1".to_owned() }));
    let error = both.send().await.unwrap_err();

    let TransactionError::AnotherTenant(action) = &error else { panic!("{error}") };
    assert_eq!((action.position(), action.kind()), (1, ActionKind::Delete));
    assert!(!error.to_string().contains("globex"), "{error}");
    assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
}

#[tokio::test]
async fn errors_and_outcomes_name_no_keys_where_the_store_keeps_them_out() {
    let builder = in_process_alone().builder::<App>().keys_in_errors(KeysInErrors::Redacted);
    builder.create_table().await.unwrap();
    let store = builder.open().await.unwrap();
    let acme = tenant(&store, "acme");

    let mut twice = acme.transaction();
    twice.add(acme.put(&document("acme", 4711)));
    twice.add(acme.put(&document("acme", 4711)));
    let error = twice.send().await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("4711"), "{error:?}");

    let mut check = acme.transaction();
    check.add(acme.check(DocumentById { document_id: 4711 }).if_present());
    let canceled = check.send().await.unwrap().canceled().unwrap();
    assert!(!format!("{canceled} {canceled:?}").contains("4711"), "{canceled:?}");
}

#[tokio::test]
async fn the_action_of_one_transaction_says_nothing_of_another() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let begin = || {
        let mut transaction = acme.transaction();
        let action = transaction.add(acme.check(ada()).if_present());
        (transaction, action)
    };
    let ((first, of_first), (second, of_second)) = (begin(), begin());
    drop(second);

    let canceled = first.send().await.unwrap().canceled().unwrap();

    assert_eq!(canceled.reason(&of_first).unwrap(), Reason::ConditionFailed { current: None });
    assert_eq!(canceled.reason(&of_second).unwrap_err(), ReasonError::AnotherTransaction);
}

#[tokio::test]
async fn the_item_in_the_way_that_does_not_decode_is_an_error_of_its_action_alone() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    acme.put(&member("acme", "1", "ada")).send().await.unwrap();
    let key = acme.delete(ada()).request().unwrap().key;
    let broken = arm.client().update_item().table_name(store.table_name()).set_key(key);
    let broken = broken.update_expression("REMOVE #r").expression_attribute_names("#r", "role");
    broken.send().await.unwrap();

    let mut all = acme.transaction();
    let insert = all.add(acme.put(&member("acme", "1", "ada")).if_absent());
    let other = all.add(acme.put(&team("acme", "1")));
    let canceled = all.send().await.unwrap().canceled().unwrap();

    let error = canceled.reason(&insert).unwrap_err();
    assert!(matches!(&error, ReasonError::Current(_)) && error.to_string().contains("role"), "{error}");
    assert_eq!(canceled.reason(&other).unwrap(), Reason::None);
}
