//! A write whose answer is lost takes the place of nothing that others wrote since.

use std::time::Duration;

use keywright::{Conditional, KeysInErrors, RetryPolicy, Store, Tenant, WriteError};
use keywright_api::Operation::{self, DeleteItem, PutItem, UpdateItem};
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{in_process_alone, with_faults, with_faults_and_clock};

/// The first call of this operation is not answered.
fn first_is_lost(operation: Operation, moment: Moment) -> Faults {
    let rule = Rule::new(Fault::CutConnection(moment)).operation(operation);
    Faults::new(7).rule(rule.when(When::First(1))).unwrap()
}

fn by_id() -> TeamById {
    TeamById { team_id: "1".to_owned() }
}

/// How often calls about teams were made again.
fn retries(store: &Store<App>) -> u64 {
    store.usage().writes["Team"].tries.retries
}

async fn name_of_team(acme: &Tenant<App>) -> Option<String> {
    acme.get(by_id()).await.unwrap().map(|team| team.name.clone())
}

/// A put was stored and its answer lost. Somebody renamed the team, and then the put was made a second time: the new name was gone,
/// and nobody was told. It was asked after too late; now it is asked after first.
#[tokio::test]
async fn a_put_that_was_stored_and_not_answered_is_found_by_its_id_and_not_made_again() {
    let arm = with_faults(first_is_lost(PutItem, Moment::AfterCommit));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");

    let written = acme.put(&team("acme", "1")).send().await.unwrap();

    assert_eq!(written.write_units, None, "the answer was lost");
    assert_eq!(retries(&store), 0);
    assert_eq!(acme.get(by_id()).await.unwrap().unwrap().etag(), Some(written.etag()));
}

#[tokio::test]
async fn a_put_that_nothing_tells_of_is_unknown_and_not_made_again() {
    for if_absent in [false, true] {
        let arm = with_faults(first_is_lost(PutItem, Moment::BeforeCommit));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let team = team("acme", "1");

        let error = match if_absent {
            false => acme.put(&team).send().await.unwrap_err(),
            true => acme.put(&team).if_absent().send().await.unwrap_err(),
        };

        assert!(matches!(error, WriteError::Unknown { .. }), "{error:?}");
        assert_eq!(retries(&store), 0);
        assert_eq!(name_of_team(&acme).await, None);
    }
}

#[tokio::test]
async fn a_put_that_may_have_effect_twice_is_made_again() {
    let arm = with_faults(first_is_lost(PutItem, Moment::BeforeCommit));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");

    acme.put(&team("acme", "1")).may_repeat().send().await.unwrap();

    assert_eq!(retries(&store), 1);
    assert_eq!(name_of_team(&acme).await.unwrap(), "Team 1");
}

#[tokio::test]
async fn a_write_that_asks_for_one_state_is_made_again_since_it_cannot_have_effect_twice() {
    for moment in [Moment::BeforeCommit, Moment::AfterCommit] {
        let lost = Rule::new(Fault::CutConnection(moment)).operation(PutItem).when(When::Calls(vec![2]));
        let arm = with_faults(Faults::new(7).rule(lost).unwrap());
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let etag = acme.put(&team("acme", "1")).send().await.unwrap().etag();
        let renamed = Team { name: "Renamed".to_owned(), ..team("acme", "1") };

        assert!(acme.put(&renamed).if_match(&etag).send().await.unwrap().is_done(), "{moment:?}");

        assert_eq!(retries(&store), 1, "{moment:?}");
        assert_eq!(name_of_team(&acme).await.unwrap(), "Renamed");
    }
}

#[tokio::test]
async fn a_delete_that_was_not_answered_is_done_if_nothing_is_there_and_else_unknown() {
    for (moment, is_known) in [(Moment::AfterCommit, true), (Moment::BeforeCommit, false)] {
        let arm = with_faults(first_is_lost(DeleteItem, moment));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();

        let deleted = acme.delete(by_id()).send().await;

        assert_eq!(deleted.is_ok(), is_known, "{deleted:?}");
        assert!(is_known || matches!(deleted, Err(WriteError::Unknown { .. })));
        assert_eq!(retries(&store), 0);
        assert_eq!(name_of_team(&acme).await.is_none(), is_known);
    }
    let arm = with_faults(first_is_lost(DeleteItem, Moment::BeforeCommit));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    acme.put(&team("acme", "1")).send().await.unwrap();
    acme.delete(by_id()).may_repeat().send().await.unwrap();
    assert_eq!((retries(&store), name_of_team(&acme).await), (1, None));
}

/// An update that only sets was made again blindly, too, and set back what somebody else had set in between.
#[tokio::test]
async fn an_update_that_sets_is_asked_after_and_made_again_only_if_it_may_be() {
    let ada = || MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
    for (may_repeat, moment, is_known) in [
        (false, Moment::AfterCommit, true),
        (false, Moment::BeforeCommit, false),
        (true, Moment::BeforeCommit, true),
    ] {
        let arm = with_faults(first_is_lost(UpdateItem, moment));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        let change = acme.update(ada(), ChangeRole { role: "lead".to_owned() });

        let outcome = match may_repeat {
            false => change.send().await,
            true => change.may_repeat().send().await,
        };

        assert_eq!(matches!(outcome, Ok(Conditional::Done(_))), is_known, "{outcome:?}");
        assert_eq!(store.usage().writes["Member"].tries.retries, u64::from(may_repeat));
        let role = acme.get(ada()).await.unwrap().unwrap().role.clone();
        assert_eq!(role == "lead", is_known);
    }
}

/// Somebody added up the units of a store, and they were fewer than on the bill: what a lost answer was about was read, and counted nowhere.
#[tokio::test]
async fn the_read_that_asks_what_became_of_a_write_is_counted_with_the_writes_of_its_entity() {
    let arm = with_faults(first_is_lost(PutItem, Moment::AfterCommit));
    let store = arm.store::<App>().await;

    tenant(&store, "acme").put(&team("acme", "1")).send().await.unwrap();

    let written = store.usage().writes["Team"];
    assert_eq!((written.lookups, written.lookup_units), (1, 1.0));
    assert_eq!(store.usage().hot_keys[0].units, 1.0);
}

/// The same of the item in the way, which is read where the engine does not show it.
#[tokio::test]
async fn the_read_of_the_item_in_the_way_is_counted_with_the_writes_of_its_entity() {
    for (arm, lookups) in
        [(in_process_alone(), 0), (in_process_alone().without_items_of_failed_conditions(), 1)]
    {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&team("acme", "1")).send().await.unwrap();

        let refused = acme.put(&team("acme", "1")).if_absent().send().await.unwrap();

        assert!(matches!(refused, Conditional::Failed { current: Some(_) }), "{refused:?}");
        let written = store.usage().writes["Team"];
        assert_eq!((written.lookups, written.lookup_units), (lookups, lookups as f64));
    }
}

#[tokio::test]
async fn what_is_unknown_is_named_by_its_entity_and_its_key_unless_the_store_keeps_keys_out() {
    for keys_in_errors in [KeysInErrors::Shown, KeysInErrors::Redacted] {
        let arm = with_faults(first_is_lost(PutItem, Moment::BeforeCommit));
        let builder = arm.builder::<App>().keys_in_errors(keys_in_errors);
        builder.create_table().await.unwrap();
        let store = builder.open().await.unwrap();

        let error = tenant(&store, "acme").put(&team("acme", "1")).send().await.unwrap_err();

        let WriteError::Unknown { entity: "Team", key, .. } = &error else { panic!("{error:?}") };
        let is_shown = keys_in_errors == KeysInErrors::Shown;
        assert_eq!(key.as_deref(), is_shown.then_some("ORG#acme / TEAM#1"));
        assert!(error.to_string().contains("`Team`"), "{error}");
        assert_eq!(format!("{error} {error:?}").contains("TEAM#"), is_shown, "{error:?}");
    }
}

/// The call with this number of an operation is not answered: it had effect, or none.
fn one_is_lost(operation: Operation, call: u64, moment: Moment) -> Faults {
    let lost = Rule::new(Fault::CutConnection(moment)).operation(operation);
    Faults::new(7).rule(lost.when(When::Calls(vec![call]))).unwrap()
}

fn first_document() -> DocumentById {
    DocumentById { document_id: 1 }
}

/// Somebody deleted version 1, and the answer was lost. Somebody else stored the document anew, as version 1 again, and the delete was made
/// a second time: one call had deleted two documents, and the second one was gone without a word. A put and an update took its place alike.
#[tokio::test]
async fn a_write_that_asks_for_a_version_is_not_made_again_on_an_item_that_counts_anew() {
    for operation in [DeleteItem, UpdateItem, PutItem] {
        // The document is stored first, by a put; the write that is lost is the second one.
        let lost = if operation == PutItem { 2 } else { 1 };
        let arm = with_faults_and_clock(one_is_lost(operation, lost, Moment::AfterCommit));
        let builder = arm.builder::<App>();
        builder.create_table().await.unwrap();
        let pause = Duration::from_secs(20);
        let patient = RetryPolicy {
            first_pause: pause,
            longest_pause: pause,
            // Time passes faster than the engine answers, so no try ends by time.
            attempt_timeout: Duration::from_secs(1 << 30),
            ..RetryPolicy::default()
        };
        let store = builder.retries(patient).open().await.unwrap();
        let acme = tenant(&store, "acme");
        acme.put(&document("acme", 1)).send().await.unwrap();

        let writing = tokio::spawn({
            let acme = acme.clone();
            async move {
                let renamed = Document { title: "Ours".to_owned(), ..document("acme", 1) };
                let retitle = Retitle { title: "Ours".to_owned() };
                match operation {
                    DeleteItem => {
                        acme.delete(first_document()).if_version(1).send().await.map(|done| done.is_done())
                    }
                    UpdateItem => {
                        let update = acme.update(first_document(), retitle).if_version(1);
                        update.send().await.map(|done| done.is_done())
                    }
                    _ => acme.put(&renamed).if_version(1).send().await.map(|done| done.is_done()),
                }
            }
        });
        // Its answer is lost. Before time passes it is not made again, and meanwhile the document is another one.
        while store.usage().writes["Document"].tries.unanswered == 0 {
            tokio::task::yield_now().await;
        }
        let theirs = Document { title: "Theirs".to_owned(), ..document("acme", 1) };
        acme.delete(first_document()).send().await.unwrap();
        acme.put(&theirs).if_absent().send().await.unwrap().done().unwrap();
        while !writing.is_finished() {
            tokio::task::yield_now().await;
            arm.advance(Duration::from_secs(1));
        }

        let outcome = writing.await.unwrap();
        match operation {
            // Nothing that is stored tells of a delete.
            DeleteItem => assert!(matches!(outcome, Err(WriteError::Unknown { .. })), "{outcome:?}"),
            // The id of the write told, if it was asked for before it was gone.
            _ => assert!(matches!(outcome, Ok(true) | Err(WriteError::Unknown { .. })), "{outcome:?}"),
        }
        let stored = acme.get(first_document()).await.unwrap();
        let stored = stored.map(|document| (document.title.clone(), document.version));
        assert_eq!(stored, Some(("Theirs".to_owned(), 1)), "{operation:?}");
        assert_eq!(retries_of_documents(&store), 0);
    }
}

fn retries_of_documents(store: &Store<App>) -> u64 {
    store.usage().writes["Document"].tries.retries
}

#[tokio::test]
async fn what_became_of_a_write_that_asks_for_a_version_is_told_by_the_item_or_not_at_all() {
    for (moment, is_known) in [(Moment::AfterCommit, true), (Moment::BeforeCommit, false)] {
        let arm = with_faults(one_is_lost(PutItem, 2, moment));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        acme.put(&document("acme", 1)).send().await.unwrap();
        let put = acme.put(&document("acme", 1)).if_version(1).send().await;
        assert_eq!(matches!(put, Ok(Conditional::Done(_))), is_known, "{put:?}");
        assert!(is_known || matches!(put, Err(WriteError::Unknown { .. })), "{put:?}");
        assert_eq!(retries_of_documents(&store), 0);

        // A tag beside it never comes again, so that is made again.
        let arm = with_faults(one_is_lost(UpdateItem, 1, moment));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let tag = acme.put(&document("acme", 1)).send().await.unwrap().etag();
        let update = acme.update(first_document(), CountViews { views: 1 }).if_version(1).if_match(&tag);
        assert!(update.send().await.unwrap().is_done());
        assert_eq!(retries_of_documents(&store), 1);
    }
}
