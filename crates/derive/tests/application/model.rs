//! The crate with the table and its entities. Each feature breaks it in one way.

use keywright_derive::{Entity, Projection, Table};

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, Member, Task),
    patterns(Teams),
    index(ByUser, project(role))
)]
pub struct App;

#[derive(Entity)]
#[cfg_attr(
    not(feature = "tenant_missing"),
    entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")
)]
#[cfg_attr(
    feature = "tenant_missing",
    entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM#{team_id}")
)]
pub struct Team {
    pub organization_id: String,
    pub team_id: u64,
    pub name: String,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub struct Member {
    pub organization_id: String,
    pub team_id: u64,
    pub user_id: String,
    pub role: String,
    pub joined_at: u64,
    pub nickname: String,
}

#[derive(Projection)]
#[projection(of = Member)]
pub struct Membership {
    pub team_id: u64,
    pub role: String,
}

#[derive(Entity)]
#[cfg_attr(
    not(feature = "same_key"),
    entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}#TASK#{task_id}")
)]
#[cfg_attr(
    feature = "same_key",
    entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}#MEMBER#{task_id}")
)]
pub struct Task {
    pub organization_id: String,
    pub team_id: u64,
    pub task_id: u64,
}

/// A pattern that the table's own crate has.
#[derive(keywright_derive::AccessPattern)]
#[access_pattern(table = App, returns(Team), skips(Member, Task), sort_key_starts_with = "TEAM")]
pub struct Teams;

#[cfg(feature = "entity_not_listed")]
#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "NOTE#{note_id}")]
pub struct Note {
    pub organization_id: String,
    pub note_id: u64,
}
