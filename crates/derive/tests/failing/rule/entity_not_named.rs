//! A team's tasks lie in its range too: they would be read, paid for and met.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Member, Task), patterns(TeamWithMembers), index(ByUser))]
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

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}#TASK#{task_id}")]
struct Task {
    organization_id: String,
    team_id: String,
    task_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
struct TeamWithMembers {
    team_id: String,
}

fn main() {}
