//! Stamps: the store says when an item was stored first and written last, by its clock.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what fails shows itself")]

use std::sync::Arc;
use std::time::Duration;

use keywright::key::Timestamp;
use keywright::{
    AccessPattern, Capabilities, Conditional, CursorKey, CursorKeys, Entity, Store, Table, Tenant, Update,
    Upserted,
};
use keywright_embedded::engine::clock::{ManualClock, Timestamp as EngineTime};
use keywright_embedded::engine::{Engine, Options};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Page, Visit), patterns(PageById, VisitById), ttl = "expires_at")]
struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "PAGE#{page_id}")]
struct Page {
    organization_id: String,
    page_id: u64,
    title: String,
    #[entity(created)]
    created_at: Option<Timestamp>,
    #[entity(updated)]
    updated_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "VISIT#{visit_id}")]
struct Visit {
    organization_id: String,
    visit_id: u64,
    #[entity(created)]
    first_seconds: Option<u64>,
    #[entity(updated = "milliseconds")]
    last_milliseconds: i64,
    #[entity(ttl)]
    expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Page), sort_key_equals = "PAGE#{page_id}")]
struct PageById {
    page_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Visit), sort_key_equals = "VISIT#{visit_id}")]
struct VisitById {
    visit_id: u64,
}

#[derive(Update)]
#[update(table = App, of = Page)]
struct Retitle {
    title: String,
}

#[derive(Update)]
#[update(table = App, of = Visit)]
struct Prolong {
    expires_at: u64,
}

const BEGINNING_SECONDS: u64 = 1_780_000_000;

async fn acme() -> (Tenant<App>, ManualClock) {
    let clock = ManualClock::new(EngineTime::from_milliseconds(BEGINNING_SECONDS * 1000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone()))).unwrap();
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let builder =
        Store::<App>::builder(keywright_embedded::client(&engine), keys).capabilities(Capabilities::EMBEDDED);
    builder.create_table().await.unwrap();
    let store = builder.open().await.unwrap();
    (store.tenant(&"acme".to_owned()).unwrap(), clock)
}

fn page() -> Page {
    Page {
        organization_id: "acme".to_owned(),
        page_id: 1,
        title: "First".to_owned(),
        created_at: None,
        updated_at: None,
    }
}

fn visit(expires_at: u64) -> Visit {
    let organization_id = "acme".to_owned();
    Visit { organization_id, visit_id: 1, first_seconds: None, last_milliseconds: 0, expires_at }
}

fn at(seconds: u64) -> Option<Timestamp> {
    let milliseconds = i64::try_from((BEGINNING_SECONDS + seconds) * 1000).unwrap();
    Some(Timestamp::from_unix_milliseconds(milliseconds).unwrap())
}

#[tokio::test(flavor = "current_thread")]
async fn the_first_write_stays_and_the_last_one_moves() {
    let (acme, clock) = acme().await;
    let stamps = async || {
        let page = acme.get(PageById { page_id: 1 }).await.unwrap().unwrap();
        (page.created_at, page.updated_at)
    };
    acme.put(&page()).send().await.unwrap();
    assert_eq!(stamps().await, (at(0), at(0)));

    clock.advance(Duration::from_secs(60));
    let retitle = Retitle { title: "Second".to_owned() };
    let updated = acme.update(PageById { page_id: 1 }, retitle).send().await.unwrap().done().unwrap();
    assert_eq!((updated.item.created_at, updated.item.updated_at), (at(0), at(60)));

    clock.advance(Duration::from_secs(60));
    let read = acme.get(PageById { page_id: 1 }).await.unwrap().unwrap().into_item();
    acme.put(&read).send().await.unwrap();
    assert_eq!(stamps().await, (at(0), at(120)));
}

#[tokio::test(flavor = "current_thread")]
async fn an_item_in_place_of_one_whose_time_is_over_is_a_new_one() {
    let (acme, clock) = acme().await;
    acme.put(&visit(BEGINNING_SECONDS + 10)).send().await.unwrap();
    clock.advance(Duration::from_secs(20));

    let later = BEGINNING_SECONDS + 1000;
    let prolonged = acme
        .update(VisitById { visit_id: 1 }, Prolong { expires_at: later })
        .or_insert(&visit(later))
        .await
        .unwrap();

    assert!(matches!(prolonged, Conditional::Done(Upserted::Inserted(_))), "{prolonged:?}");
    let now = BEGINNING_SECONDS + 20;
    let visit = acme.get(VisitById { visit_id: 1 }).await.unwrap().unwrap();
    assert_eq!(visit.first_seconds, Some(now));
    assert_eq!(visit.last_milliseconds, i64::try_from(now * 1000).unwrap());
}
