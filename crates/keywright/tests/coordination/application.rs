//! A table of what is coordinated: each purpose once within tenants, and where a key can be a deviation, once as that.

use keywright::key::component_newtype;
use keywright::{Entity, Store, Table, Tenant};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Event, ForeignEvent, Views, Seats, Balance, Tasks, DayCount, DayViews, ForeignCount),
    ttl = "expires_at"
)]
pub(crate) struct Live;

/// What came from outside, perhaps more than once.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}",
    sort_key = "EVENT#{event_id}",
    purpose = "claim",
    ttl = "expires_at"
)]
pub(crate) struct Event {
    pub(crate) organization_id: OrganizationId,
    pub(crate) event_id: String,
}

/// The same with an id that the sender minted for all tenants.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "STRIPE#{event_id}",
    sort_key = "EVENT",
    purpose = "claim",
    ttl = "expires_at",
    deviation = "the sender mints the id"
)]
pub(crate) struct ForeignEvent {
    pub(crate) organization_id: OrganizationId,
    pub(crate) event_id: String,
}

/// Spread over eight items.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#VIEWS#{page}",
    sort_key = "VIEWS",
    shards = 8,
    purpose = "approximate-counter"
)]
pub(crate) struct Views {
    pub(crate) organization_id: OrganizationId,
    pub(crate) page: String,
}

/// In one item, within limits.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}",
    sort_key = "SEATS#{plan}",
    purpose = "approximate-counter",
    count = "seats"
)]
pub(crate) struct Seats {
    pub(crate) organization_id: OrganizationId,
    pub(crate) plan: String,
}

/// Exact, in one item.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}",
    sort_key = "BALANCE#{account}",
    purpose = "exact-counter",
    count = "balance"
)]
pub(crate) struct Balance {
    pub(crate) organization_id: OrganizationId,
    pub(crate) account: u32,
}

/// Exact, spread over four items.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#TASKS",
    sort_key = "TASKS",
    shards = 4,
    purpose = "exact-counter"
)]
pub(crate) struct Tasks {
    pub(crate) organization_id: OrganizationId,
}

/// Of a day, and gone some time after it.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}",
    sort_key = "DAY#{day}",
    purpose = "approximate-counter"
)]
pub(crate) struct DayCount {
    pub(crate) organization_id: OrganizationId,
    pub(crate) day: u32,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

/// The same over three items.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#DAY-VIEWS",
    sort_key = "DAY#{day}",
    shards = 3,
    purpose = "approximate-counter"
)]
pub(crate) struct DayViews {
    pub(crate) organization_id: OrganizationId,
    pub(crate) day: u32,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

/// Without the tenant in its key.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "COUNT#{name}",
    sort_key = "COUNT",
    purpose = "approximate-counter",
    deviation = "the name is one of a list that all tenants see"
)]
pub(crate) struct ForeignCount {
    pub(crate) organization_id: OrganizationId,
    pub(crate) name: String,
}

pub(crate) fn organization(id: &str) -> OrganizationId {
    OrganizationId(id.to_owned())
}

pub(crate) fn tenant(store: &Store<Live>, id: &str) -> Tenant<Live> {
    store.tenant(&organization(id)).unwrap()
}

pub(crate) fn event(tenant: &str, event_id: &str) -> Event {
    Event { organization_id: organization(tenant), event_id: event_id.to_owned() }
}

/// Ids that would meet if keys were joined carelessly.
pub(crate) const HOSTILE_IDS: &[&str] =
    &["1", "1#", "1#EVENT", "10", "1$", "A", "a", "ä", "1#ORG#1", " 1", "1\u{0}", "\u{1F4A3}"];

pub(crate) fn balance(tenant: &str, account: u32) -> Balance {
    Balance { organization_id: organization(tenant), account }
}

pub(crate) fn seats(tenant: &str) -> Seats {
    Seats { organization_id: organization(tenant), plan: "team".to_owned() }
}

pub(crate) fn views(tenant: &str, page: &str) -> Views {
    Views { organization_id: organization(tenant), page: page.to_owned() }
}
