//! Teams and who is in them: a hierarchy in the sort key, read with one Query.

use keywright::key::{Timestamp, component_enum};
use keywright::{AccessPattern, Entity, Projection, Update};
use serde::{Deserialize, Serialize};

use super::{App, ByUser};
use crate::id::{OrganizationId, TeamId, UserId};

/// A team.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub struct Team {
    /// Whose.
    pub organization_id: OrganizationId,
    /// Which one.
    pub team_id: TeamId,
    /// What it is called.
    pub name: String,
    /// Since when: stamped by the store.
    #[entity(created)]
    pub created_at: Option<Timestamp>,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// A user in a team.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser)
)]
pub struct Member {
    /// Whose team.
    pub organization_id: OrganizationId,
    /// Which team.
    pub team_id: TeamId,
    /// Who.
    pub user_id: UserId,
    /// As what.
    pub role: Role,
    /// Since when.
    pub joined_at: Timestamp,
    /// What the team calls them.
    #[serde(default)]
    pub nickname: Option<String>,
}

/// What somebody is in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May look.
    Guest,
    /// May change things.
    Member,
    /// May change who is in it.
    Lead,
}

component_enum!(Role { Guest = "guest", Member = "member", Lead = "lead" });

/// A team and everybody in it: one Query, and never team 10 for team 1.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub struct TeamWithMembers {
    /// Which team.
    pub team_id: TeamId,
}

/// The teams that a user is in, the oldest membership first.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member as Membership))]
pub struct TeamsOfUser {
    /// Who.
    pub user_id: UserId,
}

/// A membership, as far as its index holds it.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Member)]
pub struct Membership {
    /// In which team.
    pub team_id: TeamId,
    /// As what.
    pub role: Role,
    /// Since when.
    pub joined_at: Timestamp,
}

/// One membership, to change it or to end it.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Member), sort_key_equals = "TEAM#{team_id}#MEMBER#{user_id}")]
pub struct MemberById {
    /// In which team.
    pub team_id: TeamId,
    /// Whose.
    pub user_id: UserId,
}

/// Another role.
#[derive(Debug, Update)]
#[update(table = App, of = Member)]
pub struct ChangeRole {
    /// The new one.
    pub role: Role,
}
