//! The pattern skips and filters by what is not there.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Member), patterns(Teams, Named), index(ByUser))]
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
#[access_pattern(table = App, returns(Team), skips(Team), sort_key_equals = "TEAM#{team_id}")]
struct Teams {
    team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), skips(Member), filter(title = name))]
struct Named {
    name: String,
}

fn main() {}
