//! The application of most pages about the data layer: organizations, teams and their members.

use std::num::NonZeroU32;
use std::sync::Arc;

use keywright::key::{Timestamp, component_newtype};
use keywright::{
    AccessPattern, Capabilities, Condition, CursorKey, CursorKeys, Entity, Projection, RetryPolicy, Store,
    Table, Tenant, TokenHash, Update,
};
use keywright_embedded::engine::clock::{ManualClock, Timestamp as Moment};
use keywright_embedded::engine::faults::{Faults, Rule};
use keywright_embedded::engine::{Engine, Options};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(
        Team,
        Member,
        Task,
        Invitation,
        ShareToken,
        PaymentEvent,
        PageViews,
        Seats,
        Balance,
        JobLock,
        CallLimit,
        PasswordReset
    ),
    patterns(
        TeamById,
        TeamWithMembers,
        MemberById,
        MembershipsOfUser,
        TasksDue,
        InvitationById,
        Invitations,
        ShareByToken,
        PasswordResetByToken,
        LockOfJob
    ),
    index(ByUser, project(role)),
    ttl = "expires_at"
)]
pub struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub struct Team {
    pub organization_id: OrganizationId,
    pub team_id: u64,
    pub name: String,
    #[entity(version)]
    pub version: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub struct Member {
    pub organization_id: OrganizationId,
    pub team_id: u64,
    pub user_id: String,
    pub role: String,
    pub joined_at: Timestamp,
    pub points: u64,
    pub nickname: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#PROJECT#{project_id}",
    sort_key = "TASK#{due_at}#{task_id}"
)]
pub struct Task {
    pub organization_id: OrganizationId,
    pub project_id: String,
    pub due_at: Timestamp,
    pub task_id: u64,
    pub title: String,
    pub state: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "INVITATION#{email}")]
pub struct Invitation {
    pub organization_id: OrganizationId,
    pub email: String,
    pub role: String,
    #[entity(ttl)]
    pub expires_at: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "SHARE#{token}",
    sort_key = "SHARE",
    deviation = "the token is the lookup value"
)]
pub struct ShareToken {
    pub token: String,
    pub organization_id: OrganizationId,
    pub team_id: u64,
    #[entity(ttl)]
    pub expires_at: u64,
}

/// What a payment provider sends, perhaps more than once.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "PAYMENT-EVENT#{event_id}",
    purpose = "claim",
    ttl = "expires_at"
)]
pub struct PaymentEvent {
    pub organization_id: OrganizationId,
    pub event_id: String,
}

/// Looked at by the whole world at once: the count is spread over eight items.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#VIEWS#{page}",
    sort_key = "VIEWS",
    shards = 8,
    purpose = "approximate-counter"
)]
pub struct PageViews {
    pub organization_id: OrganizationId,
    pub page: String,
}

/// The seats that an organization uses.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "SEATS",
    purpose = "approximate-counter",
    count = "seats"
)]
pub struct Seats {
    pub organization_id: OrganizationId,
}

/// What an organization has paid and not used.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "BALANCE",
    purpose = "exact-counter",
    count = "balance"
)]
pub struct Balance {
    pub organization_id: OrganizationId,
}

/// Held by who does a job.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "LOCK#{job}", purpose = "lock")]
pub struct JobLock {
    pub organization_id: OrganizationId,
    pub job: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(JobLock), sort_key_equals = "LOCK#{job}")]
pub struct LockOfJob {
    pub job: String,
}

/// How often a user may call.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#LIMIT#{user_id}",
    sort_key = "CALLS",
    purpose = "rate-limit",
    ttl = "expires_at"
)]
pub struct CallLimit {
    pub organization_id: OrganizationId,
    pub user_id: String,
}

/// A link that was sent to somebody who forgot a password.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "RESET#{token}",
    sort_key = "RESET",
    purpose = "single-use-token",
    ttl = "expires_at",
    deviation = "the token is the lookup value"
)]
pub struct PasswordReset {
    pub token: TokenHash,
    pub organization_id: OrganizationId,
    pub user_id: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(PasswordReset), sort_key_equals = "RESET")]
pub struct PasswordResetByToken {
    pub token: TokenHash,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
pub struct TeamById {
    pub team_id: u64,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub struct TeamWithMembers {
    pub team_id: u64,
}

#[derive(Clone, Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Member), sort_key_equals = "TEAM#{team_id}#MEMBER#{user_id}")]
pub struct MemberById {
    pub team_id: u64,
    pub user_id: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member as Membership))]
pub struct MembershipsOfUser {
    pub user_id: String,
}

#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Member)]
pub struct Membership {
    pub team_id: u64,
    pub role: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = App,
    returns(Task),
    sort_key_range("TASK#{due_at}", from = since, until = end),
    filter(state = state)
)]
pub struct TasksDue {
    pub project_id: String,
    pub since: Timestamp,
    pub end: Timestamp,
    pub state: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Invitation), sort_key_equals = "INVITATION#{email}")]
pub struct InvitationById {
    pub email: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(Invitation), sort_key_starts_with = "INVITATION")]
pub struct Invitations;

#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(ShareToken), sort_key_equals = "SHARE")]
pub struct ShareByToken {
    pub token: String,
}

#[derive(Debug, Update)]
#[update(table = App, of = Team)]
pub struct Rename {
    pub name: String,
}

#[derive(Debug, Update)]
#[update(table = App, of = Member)]
pub struct ChangeRole {
    pub role: String,
}

#[derive(Debug, Update)]
#[update(table = App, of = Member)]
pub struct Award {
    #[update(add)]
    pub points: u64,
}

#[derive(Debug, Update)]
#[update(table = App, of = Member)]
pub struct Spend {
    #[update(subtract)]
    pub points: u64,
}

#[derive(Debug, Condition)]
#[condition(table = App, of = Member, points >= least)]
pub struct HasPoints {
    pub least: u64,
}

pub async fn store() -> Result<Store<App>, Box<dyn std::error::Error>> {
    Ok(Store::in_memory(CursorKeys::new(CursorKey::generate()?)).await?)
}

/// A store whose time stands still until its clock is moved. It is the beginning of 2026.
pub async fn store_with_clock() -> Result<(Store<App>, ManualClock), Box<dyn std::error::Error>> {
    let clock = ManualClock::new(Moment::from_milliseconds(1_767_225_600_000));
    let store = store_on(Options::memory().clock(Arc::new(clock.clone()))).await?;
    Ok((store, clock))
}

/// A store whose calls fail as the rule says, and are not made again.
pub async fn store_with_fault(rule: Rule) -> Result<Store<App>, Box<dyn std::error::Error>> {
    store_on(Options::memory().faults(Faults::new(7).rule(rule)?)).await
}

async fn store_on(options: Options) -> Result<Store<App>, Box<dyn std::error::Error>> {
    let client = keywright_embedded::client(&Engine::open(options)?);
    let once = RetryPolicy { tries: NonZeroU32::MIN, ..RetryPolicy::default() };
    let builder = Store::builder(client, CursorKeys::new(CursorKey::generate()?));
    let builder = builder.capabilities(Capabilities::EMBEDDED).retries(once);
    builder.create_table().await?;
    Ok(builder.open().await?)
}

pub fn acme(store: &Store<App>) -> Result<Tenant<App>, keywright::InvalidTenant> {
    store.tenant(&OrganizationId("acme".to_owned()))
}

pub fn team(team_id: u64, name: &str) -> Team {
    Team { organization_id: OrganizationId("acme".to_owned()), team_id, name: name.to_owned(), version: 0 }
}

pub fn member(team_id: u64, user_id: &str) -> Member {
    Member {
        organization_id: OrganizationId("acme".to_owned()),
        team_id,
        user_id: user_id.to_owned(),
        role: "engineer".to_owned(),
        joined_at: Timestamp::UNIX_EPOCH,
        points: 0,
        nickname: None,
    }
}

pub fn invitation(email: &str, expires_at: u64) -> Invitation {
    Invitation {
        organization_id: OrganizationId("acme".to_owned()),
        email: email.to_owned(),
        role: "guest".to_owned(),
        expires_at,
    }
}
