//! A walk finds every row that is not as the types say, and no other.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{Finding, FindingProblem, Integrity, ItemProblem, MaintenanceError, ScanEnd, Store};

use super::{MOST, number, one_of_each};
use crate::application::*;
use crate::arm::{Arm, on_every_arm};

type Item = HashMap<String, AttributeValue>;

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn walk<'p>(store: &Store<App>) -> Integrity<'p, App> {
    store
        .maintenance("a test")
        .integrity(MOST)
        .checking::<Team>()
        .checking::<Member>()
        .checking::<ShareToken>()
        .checking::<Document>()
        .checking::<Invitation>()
}

async fn findings(store: &Store<App>) -> Vec<Finding> {
    let scan = walk(store).with(|scan| scan.segments(number(2)).consistent());
    let mut pages = scan.pages().unwrap();
    let mut findings = Vec::new();
    while let Some(page) = pages.next().await.unwrap() {
        findings.extend(page.findings);
    }
    assert_eq!(pages.end(), Some(ScanEnd::Complete));
    findings
}

#[tokio::test]
async fn what_the_layer_wrote_is_as_the_types_say() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let later = arm.now_seconds() + 1000;
        for organization in ["acme", "globex", "a#b$c"] {
            let tenant = tenant(&store, organization);
            one_of_each(&tenant, organization, &format!("token of {organization}"), later).await;
            let named = MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() };
            assert!(tenant.update(named, Rejoin { joined_at: 99 }).send().await.unwrap().is_done());
        }
        assert_eq!(findings(&store).await, []);
    })
    .await;
}

/// Stores an item of `acme` as another program might have left it, and gives what a walk finds.
async fn found_in(arm: &Arm, item: Item, tamper: impl FnOnce(&mut Item)) -> Vec<FindingProblem> {
    let store = arm.store::<App>().await;
    let later = arm.now_seconds() + 1000;
    // What is right stands beside it, and is not found.
    one_of_each(&tenant(&store, "globex"), "globex", "t1", later).await;
    let mut tampered = item;
    tamper(&mut tampered);
    arm.client().put_item().table_name(store.table_name()).set_item(Some(tampered)).send().await.unwrap();
    findings(&store).await.into_iter().map(|finding| finding.problem().clone()).collect()
}

#[tokio::test]
async fn every_kind_of_damage_is_found() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let team = || acme.put(&team("acme", "1")).request().unwrap().item.unwrap();
        let member = || acme.put(&member("acme", "1", "ada")).request().unwrap().item.unwrap();
        let token = || acme.put(&share_token("acme", "t9", 7)).request().unwrap().item.unwrap();
        let set = |name: &str, value: AttributeValue| {
            let name = name.to_owned();
            move |item: &mut Item| drop(item.insert(name, value))
        };
        let remove = |name: &str| {
            let name = name.to_owned();
            move |item: &mut Item| drop(item.remove(&name))
        };
        let by_user = |attribute| vec![FindingProblem::IndexKey { index: "ByUser", attribute }];

        assert_eq!(found_in(&arm, team(), |_| {}).await, []);
        let undecodable = found_in(&arm, team(), set("name", AttributeValue::N("7".to_owned()))).await;
        let [FindingProblem::Item(error)] = undecodable.as_slice() else { panic!("{undecodable:?}") };
        assert!(matches!(error.problem(), ItemProblem::Attribute { path, .. } if path == "name"));
        assert_eq!(
            found_in(&arm, team(), remove("entity")).await,
            [FindingProblem::NoDiscriminator { attribute: "entity" }]
        );
        assert_eq!(
            found_in(&arm, team(), set("entity", text("ghost"))).await,
            [FindingProblem::UnknownEntity]
        );
        assert_eq!(
            found_in(&arm, team(), remove("organization_id")).await,
            [FindingProblem::NoTenant { attribute: "organization_id" }]
        );
        assert_eq!(
            found_in(&arm, team(), set("organization_id", text("globex"))).await,
            [FindingProblem::Tenant, FindingProblem::Key { attribute: "pk" }]
        );
        assert_eq!(
            found_in(&arm, team(), set("team_id", text("2"))).await,
            [FindingProblem::Key { attribute: "sk" }]
        );
        let elsewhere = set("by_user_sk", text("00000000000000000001"));
        assert_eq!(found_in(&arm, member(), elsewhere).await, by_user("by_user_sk"));
        assert_eq!(found_in(&arm, member(), remove("by_user_pk")).await, by_user("by_user_pk"));
        assert_eq!(found_in(&arm, token(), |_| {}).await, [], "its time is over, and it is right");
        let never = found_in(&arm, token(), set("expires_at", text("tomorrow"))).await;
        assert_eq!(never, [FindingProblem::TimeToLive { attribute: "expires_at" }]);
    })
    .await;
}

#[tokio::test]
async fn a_walk_that_does_not_check_every_entity_reads_nothing() {
    let arm = crate::arm::in_process_alone();
    let store = arm.store::<App>().await;

    let walk = store.maintenance("a test").integrity(MOST).checking::<Team>().checking::<Member>().pages();

    let Err(MaintenanceError::Unchecked { entities }) = walk else { panic!("it began") };
    assert_eq!(entities, ["ShareToken", "Document", "Invitation"]);
    assert!(store.usage().reads.is_empty());
}
