//! Throttles, and indexes that are behind.

use std::time::Duration;

use keywright::{ReadError, ServiceProblem, WriteError};
use keywright_api::Operation::{GetItem, PutItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use crate::application::*;
use crate::arm::with_faults;

fn throttled(tries: u64) -> Faults {
    let rule = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(PutItem);
    Faults::new(7).rule(rule.when(When::First(tries))).unwrap()
}

#[tokio::test]
async fn a_throttled_write_is_made_again_as_often_as_the_client_says_and_on_its_clock() {
    let arm = with_faults(throttled(2));
    let store = arm.store::<App>().await;
    let before = arm.now_seconds();

    tenant(&store, "acme").put(&team("acme", "1")).send().await.unwrap();

    // The client makes three tries: two pauses, the second at most twice as long as the first.
    assert!(arm.now_seconds() - before <= 1, "{} s", arm.now_seconds() - before);
}

#[tokio::test]
async fn a_write_that_is_throttled_to_the_last_try_had_no_effect_and_says_so() {
    let arm = with_faults(throttled(3));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");

    let error = acme.put(&team("acme", "1")).send().await.unwrap_err();

    let WriteError::Service(service) = error else { panic!("{error}") };
    assert_eq!(service.problem(), ServiceProblem::Throttled);
    assert_eq!((service.subject(), service.key()), (Some("Team"), Some("ORG#acme / TEAM#1")));
    assert!(service.to_string().contains("`Team`"), "{service}");
    assert!(acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
    acme.put(&team("acme", "1")).send().await.unwrap();
}

#[tokio::test]
async fn a_read_that_is_throttled_to_the_last_try_names_its_pattern_and_no_key() {
    let all = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(GetItem);
    let arm = with_faults(Faults::new(7).rule(all).unwrap());
    let acme = tenant(&arm.store::<App>().await, "acme");

    let error = acme.get(TeamById { team_id: "1".to_owned() }).await.unwrap_err();

    let ReadError::Service(service) = error else { panic!("{error}") };
    assert_eq!((service.subject(), service.key()), (Some("TeamById"), None));
}

/// What is read from an index that is behind is what was written once: whole items, never another tenant's.
#[tokio::test]
async fn an_index_that_is_behind_shows_what_was_and_then_what_is() {
    let lag = Rule::new(Fault::IndexLag(Duration::from_secs(5))).index("ByUser");
    let arm = with_faults(Faults::new(7).rule(lag).unwrap());
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    let roles = async || -> Vec<String> {
        let page = acme.query(MembershipsOfUser { user_id: "ada".to_owned() }).page().await.unwrap();
        page.into_items().unwrap().into_iter().map(|member| member.role).collect()
    };
    acme.put(&member("acme", "1", "ada")).send().await.unwrap();
    assert!(roles().await.is_empty());
    arm.advance(Duration::from_secs(6));
    let named = MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
    assert!(acme.update(named, ChangeRole { role: "lead".to_owned() }).send().await.unwrap().is_done());

    assert_eq!(roles().await, ["engineer"]);
    arm.advance(Duration::from_secs(6));
    assert_eq!(roles().await, ["lead"]);
}
