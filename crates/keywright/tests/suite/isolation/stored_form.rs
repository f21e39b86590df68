//! Ids that are stored in another form than keys are rendered of.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::key::component_newtype;
use keywright::{
    AccessPattern, Added, Claimed, Conditional, Entity, InvalidTenant, Locked, Rate, Store, Table, Taken,
    Tenant, TokenSecret, Update, Upserted,
};
use serde::{Deserialize, Serialize, Serializer};

use crate::arm::{Arm, in_process_alone};

const HOUR: Duration = Duration::from_secs(3600);

/// Stored in small letters, and a component of keys as it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct OrganizationId(String);
component_newtype!(OrganizationId(String));

impl Serialize for OrganizationId {
    fn serialize<Target: Serializer>(&self, target: Target) -> Result<Target::Ok, Target::Error> {
        target.serialize_str(&self.0.to_lowercase())
    }
}

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, Entry, User, UserEmail, Seats, Views, Event, JobLock, CallLimit, Reset),
    patterns(TeamById),
    index(ByName),
    ttl = "expires_at"
)]
struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}",
    index(ByName, partition_key = "ORG#{organization_id}#NAME#{name}", sort_key = "TEAM#{team_id}")
)]
struct Team {
    organization_id: OrganizationId,
    team_id: u64,
    name: String,
    note: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
struct TeamById {
    team_id: u64,
}

#[derive(Update)]
#[update(table = App, of = Team)]
struct Remark {
    note: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}#LOG", sort_key = "ENTRY#{entry_id}", shards = 3)]
struct Entry {
    organization_id: OrganizationId,
    entry_id: u64,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "USER#{user_id}",
    unique(UserEmail)
)]
struct User {
    organization_id: OrganizationId,
    user_id: u64,
    email: String,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email}",
    reservation_of = User
)]
struct UserEmail {
    organization_id: OrganizationId,
    email: String,
    user_id: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "SEATS",
    purpose = "approximate-counter"
)]
struct Seats {
    organization_id: OrganizationId,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#VIEWS",
    sort_key = "VIEWS",
    shards = 3,
    purpose = "approximate-counter"
)]
struct Views {
    organization_id: OrganizationId,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EVENT",
    purpose = "claim",
    ttl = "expires_at"
)]
struct Event {
    organization_id: OrganizationId,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "LOCK", purpose = "lock")]
struct JobLock {
    organization_id: OrganizationId,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "CALLS",
    purpose = "rate-limit",
    ttl = "expires_at"
)]
struct CallLimit {
    organization_id: OrganizationId,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "RESET",
    purpose = "single-use-token",
    ttl = "expires_at"
)]
struct Reset {
    organization_id: OrganizationId,
}

/// One who is stored as `acme`.
fn capital() -> OrganizationId {
    OrganizationId("ACME".to_owned())
}

fn team(team_id: u64, note: &str) -> Team {
    Team { organization_id: capital(), team_id, name: "Analysts".to_owned(), note: note.to_owned() }
}

/// Every kind of write, each of an entity that names the tenant in capital letters.
async fn write_everything(tenant: &Tenant<App>, note: &str) {
    let organization_id = capital();
    tenant.put(&team(1, note)).send().await.unwrap();
    assert!(tenant.put(&team(2, note)).if_absent().send().await.unwrap().is_done());
    tenant.batch_put(&[team(3, note)]).send().await.unwrap();
    let mut transaction = tenant.transaction();
    transaction.add(tenant.put(&team(4, note)));
    assert!(transaction.send().await.unwrap().is_done());
    let entry = Entry { organization_id: capital(), entry_id: 1, note: note.to_owned() };
    tenant.put(&entry).send().await.unwrap();
    let named = || tenant.update(TeamById { team_id: 5 }, Remark { note: note.to_owned() });
    let begun = named().or_insert(&team(5, note)).await.unwrap();
    assert!(matches!(begun, Conditional::Done(Upserted::Inserted(_))), "{begun:?}");
    let further = named().or_insert(&team(5, note)).await.unwrap();
    assert!(matches!(further, Conditional::Done(Upserted::Updated(_))), "{further:?}");
    let user = User {
        organization_id: capital(),
        user_id: 1,
        email: "ada@example.com".to_owned(),
        note: note.to_owned(),
    };
    assert!(tenant.insert_unique(&user).send().await.unwrap().is_done());

    let added = tenant.add(&Seats { organization_id: capital() }, 1).send().await.unwrap();
    assert!(matches!(added, Added::Done { count: None | Some(1) }), "{added:?}");
    let added = tenant.add(&Views { organization_id: capital() }, 1).send().await.unwrap();
    assert!(matches!(added, Added::Done { count: None | Some(1) }), "{added:?}");
    let event = Event { organization_id: capital() };
    let claimed = tenant.claim(&event, HOUR, HOUR).send::<String>().await.unwrap();
    let Claimed::New(worker) = claimed else { panic!("another tenant's claim is in the way") };
    worker.complete(&note.to_owned()).await.unwrap();
    let locked = tenant.lock(&JobLock { organization_id: capital() }, HOUR).send().await.unwrap();
    assert!(matches!(locked, Locked::Held(_)), "another tenant's lock is in the way");
    let limit = CallLimit { organization_id: capital() };
    let rate = Rate::new(5, HOUR).unwrap();
    assert_eq!(tenant.take(&limit, rate, 5).await.unwrap(), Taken::Allowed { left: 0 });
    tenant.issue(&Reset { organization_id }, &TokenSecret::generate(), HOUR).await.unwrap();
}

/// The items that have a key of this tenant, in the table or in an index.
async fn items_keyed_by(arm: &Arm, store: &Store<App>, tenant: &str) -> Vec<String> {
    let output = arm.client().scan().table_name(store.table_name()).send().await.unwrap();
    let key = format!("ORG#{tenant}");
    let is_of_tenant = |value: &AttributeValue| value.as_s().is_ok_and(|text| text.starts_with(&key));
    let items = output.items.unwrap_or_default().into_iter();
    let mut items: Vec<String> = items
        .filter(|item| item.values().any(is_of_tenant))
        .map(|item| format!("{:?}", item.into_iter().collect::<BTreeMap<_, _>>()))
        .collect();
    items.sort();
    items
}

/// Keys were rendered of the entity, and only what serde made of its tenant was compared with the handle: through the handle of `acme` an item
/// of `ACME` was put, and took the place of one that was there. And what is stored told the two apart nowhere.
#[tokio::test]
async fn a_tenant_that_is_stored_in_another_form_than_it_is_keyed_by_is_nobody_and_reaches_nobody() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let refused = store.tenant(&capital()).unwrap_err();
    assert!(
        matches!(&refused, InvalidTenant::Value { reason } if reason.contains("one form")),
        "{refused:?}"
    );

    let mine = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
    write_everything(&mine, "mine").await;

    assert_eq!(items_keyed_by(&arm, &store, "ACME").await, Vec::<String>::new());
    // A reservation, which is made of what is stored, was once keyed by another id than the item that has it.
    assert_eq!(items_keyed_by(&arm, &store, "acme").await.len(), 14);
    assert_eq!(mine.get(TeamById { team_id: 1 }).await.unwrap().unwrap().note, "mine");
}
