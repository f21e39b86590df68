//! A small application of tenants: organizations with teams, members and share tokens.

use keywright::key::component_newtype;
use keywright::{AccessPattern, Condition, Entity, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
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
pub(crate) struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(crate = keywright::key, table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub(crate) struct Team {
    pub(crate) organization_id: OrganizationId,
    pub(crate) team_id: String,
    pub(crate) name: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    crate = keywright::key,
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub(crate) struct Member {
    pub(crate) organization_id: OrganizationId,
    pub(crate) team_id: String,
    pub(crate) user_id: String,
    pub(crate) role: String,
    pub(crate) joined_at: u64,
    #[serde(default)]
    pub(crate) points: i64,
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
pub(crate) struct ShareToken {
    pub(crate) token: String,
    pub(crate) organization_id: OrganizationId,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub(crate) struct TeamWithMembers {
    pub(crate) team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
pub(crate) struct TeamById {
    pub(crate) team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    crate = keywright::key,
    table = App,
    get_item,
    returns(Member),
    sort_key_equals = "TEAM#{team_id}#MEMBER#{user_id}"
)]
pub(crate) struct MemberById {
    pub(crate) team_id: String,
    pub(crate) user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, index = ByUser, returns(Member as MemberRole))]
pub(crate) struct MembershipsOfUser {
    pub(crate) user_id: String,
}

#[derive(Clone, Debug, PartialEq, keywright::Projection, Deserialize)]
#[projection(crate = keywright::key, of = Member)]
pub(crate) struct MemberRole {
    pub(crate) role: String,
}

#[derive(AccessPattern)]
#[access_pattern(crate = keywright::key, table = App, get_item, across_tenants, returns(ShareToken), sort_key_equals = "SHARE")]
pub(crate) struct ShareByToken {
    pub(crate) token: String,
}

pub(crate) fn tenant(store: &Store<App>, id: &str) -> Tenant<App> {
    store.tenant(&OrganizationId(id.to_owned())).unwrap()
}

pub(crate) fn team(organization: &str, team: &str) -> Team {
    Team {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        name: format!("Team {team}"),
    }
}

pub(crate) fn member(organization: &str, team: &str, user: &str) -> Member {
    Member {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        user_id: user.to_owned(),
        role: "engineer".to_owned(),
        joined_at: 7,
        points: 0,
    }
}

#[derive(Update)]
#[update(crate = keywright::key, table = App, of = Member)]
pub(crate) struct ChangeRole {
    pub(crate) role: String,
}

/// The new time moves the member in the index by user, too.
#[derive(Update)]
#[update(crate = keywright::key, table = App, of = Member)]
pub(crate) struct Rejoin {
    pub(crate) joined_at: u64,
}

#[derive(Update)]
#[update(crate = keywright::key, table = App, of = Member)]
pub(crate) struct Award {
    #[update(add)]
    pub(crate) points: i64,
}

#[derive(Condition)]
#[condition(crate = keywright::key, table = App, of = Member, points >= least)]
pub(crate) struct HasPoints {
    pub(crate) least: i64,
}

pub(crate) fn share_token(organization: &str, token: &str, expires_at: u64) -> ShareToken {
    ShareToken {
        token: token.to_owned(),
        organization_id: OrganizationId(organization.to_owned()),
        expires_at,
    }
}
