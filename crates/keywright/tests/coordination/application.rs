//! A table of what is coordinated: each purpose once within tenants, and where a key can be a deviation, once as that.

use keywright::key::component_newtype;
use keywright::{AccessPattern, Condition, Entity, Store, Table, Tenant, TokenHash};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(
        Event,
        ForeignEvent,
        Views,
        Seats,
        Balance,
        Tasks,
        DayCount,
        DayViews,
        ForeignCount,
        JobLock,
        ForeignLock,
        CallLimit,
        ForeignLimit,
        Reset,
        PinReset,
        Note
    ),
    patterns(ResetByToken, PinResetOfUser, NoteById),
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

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Live, partition_key = "ORG#{organization_id}", sort_key = "LOCK#{job}", purpose = "lock")]
pub(crate) struct JobLock {
    pub(crate) organization_id: OrganizationId,
    pub(crate) job: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "LOCK#{job}",
    sort_key = "LOCK",
    purpose = "lock",
    deviation = "jobs are of the whole system"
)]
pub(crate) struct ForeignLock {
    pub(crate) organization_id: OrganizationId,
    pub(crate) job: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#LIMIT#{user_id}",
    sort_key = "CALLS",
    purpose = "rate-limit",
    ttl = "expires_at"
)]
pub(crate) struct CallLimit {
    pub(crate) organization_id: OrganizationId,
    pub(crate) user_id: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ADDRESS#{address}",
    sort_key = "CALLS",
    purpose = "rate-limit",
    ttl = "expires_at",
    deviation = "who calls is not known yet"
)]
pub(crate) struct ForeignLimit {
    pub(crate) organization_id: OrganizationId,
    pub(crate) address: String,
}

/// Found by its token alone.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "RESET#{token}",
    sort_key = "RESET",
    purpose = "single-use-token",
    ttl = "expires_at",
    deviation = "the token is the lookup value"
)]
pub(crate) struct Reset {
    pub(crate) token: TokenHash,
    pub(crate) organization_id: OrganizationId,
    pub(crate) user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Live, get_item, across_tenants, returns(Reset), sort_key_equals = "RESET")]
pub(crate) struct ResetByToken {
    pub(crate) token: TokenHash,
}

/// One for each user: another one takes its place.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}",
    sort_key = "PIN-RESET#{user_id}",
    purpose = "single-use-token",
    ttl = "expires_at"
)]
pub(crate) struct PinReset {
    pub(crate) organization_id: OrganizationId,
    pub(crate) user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Live, get_item, returns(PinReset), sort_key_equals = "PIN-RESET#{user_id}")]
pub(crate) struct PinResetOfUser {
    pub(crate) user_id: String,
}

/// What a lock protects.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Live, partition_key = "ORG#{organization_id}", sort_key = "NOTE#{note_id}")]
pub(crate) struct Note {
    pub(crate) organization_id: OrganizationId,
    pub(crate) note_id: u32,
    pub(crate) text: String,
    pub(crate) fence: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Live, get_item, returns(Note), sort_key_equals = "NOTE#{note_id}", consistency = strong)]
pub(crate) struct NoteById {
    pub(crate) note_id: u32,
}

/// A write with a token of a lock that is no older than the last one's.
#[derive(Condition)]
#[condition(table = Live, of = Note, fence <= mine)]
pub(crate) struct NotFenced {
    pub(crate) mine: u64,
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

pub(crate) fn job(tenant: &str, job: &str) -> JobLock {
    JobLock { organization_id: organization(tenant), job: job.to_owned() }
}

pub(crate) fn call_limit(tenant: &str, user: &str) -> CallLimit {
    CallLimit { organization_id: organization(tenant), user_id: user.to_owned() }
}

pub(crate) fn note(tenant: &str, text: &str, fence: u64) -> Note {
    Note { organization_id: organization(tenant), note_id: 1, text: text.to_owned(), fence }
}
