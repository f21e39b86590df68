//! Nothing compares the keys of an entity that its table does not list.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team))]
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
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}"
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
}

fn main() {}
