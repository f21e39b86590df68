//! A write whose answer is lost takes the place of nothing that others wrote since.

use keywright::{Conditional, KeysInErrors, Store, Tenant, WriteError};
use keywright_api::Operation::{self, DeleteItem, PutItem, UpdateItem};
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{in_process_alone, with_faults};

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
