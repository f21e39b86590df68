//! A team has no key in the index, so the pattern would find none.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Member), patterns(OfUser), index(ByUser, project(role)))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member, Team))]
struct OfUser {
    user_id: String,
}

fn main() {}
