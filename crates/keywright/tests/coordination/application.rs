//! A table of what is coordinated: each purpose once within tenants, and where a key can be a deviation, once as that.

use keywright::key::component_newtype;
use keywright::{Entity, Store, Table, Tenant};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(tenant = "organization_id", entities(Event, ForeignEvent), ttl = "expires_at")]
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
