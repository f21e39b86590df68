//! A small application of tenants: organizations with teams, members and share tokens.

use keywright::key::component_newtype;
use keywright::{AccessPattern, CursorKey, CursorKeys, Entity, Store, Table, Tenant};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    crate = keywright::key,
    tenant = "organization_id",
    entities(Team, Member, ShareToken),
    patterns(TeamWithMembers, TeamById, MemberById, MembershipsOfUser, ShareByToken),
    index(ByUser, project(role)),
    ttl = "expires_at"
)]
pub struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(crate = keywright::key, table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub struct Team {
    pub organization_id: OrganizationId,
    pub team_id: String,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    crate = keywright::key,
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub struct Member {
    pub organization_id: OrganizationId,
    pub team_id: String,
    pub user_id: String,
    pub role: String,
    pub joined_at: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    crate = keywright::key,
    table = App,
    partition_key = "SHARE#{token}",
    sort_key = "SHARE",
    discriminator = "share",
    deviation = "the token is the lookup value"
)]
pub struct ShareToken {
    pub token: String,
    pub organization_id: OrganizationId,
    #[entity(ttl)]
    pub expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub struct TeamWithMembers {
    pub team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
pub struct TeamById {
    pub team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    crate = keywright::key,
    table = App,
    get_item,
    returns(Member),
    sort_key_equals = "TEAM#{team_id}#MEMBER#{user_id}"
)]
pub struct MemberById {
    pub team_id: String,
    pub user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, index = ByUser, returns(Member as MemberRole))]
pub struct MembershipsOfUser {
    pub user_id: String,
}

#[derive(Clone, Debug, PartialEq, keywright::Projection, Deserialize)]
#[projection(crate = keywright::key, of = Member)]
pub struct MemberRole {
    pub role: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, get_item, across_tenants, returns(ShareToken), sort_key_equals = "SHARE")]
pub struct ShareByToken {
    pub token: String,
}

pub async fn store() -> Store<App> {
    Store::in_memory(CursorKeys::new(CursorKey::generate().unwrap())).await.unwrap()
}

pub fn tenant(store: &Store<App>, id: &str) -> Tenant<App> {
    store.tenant(&OrganizationId(id.to_owned())).unwrap()
}

pub fn team(organization: &str, team: &str) -> Team {
    Team {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        name: format!("Team {team}"),
    }
}

pub fn member(organization: &str, team: &str, user: &str) -> Member {
    Member {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        user_id: user.to_owned(),
        role: "engineer".to_owned(),
        joined_at: 7,
    }
}
