//! The table has a sort key, and so has its index; the entities forgot them.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Member), index(ByUser))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}")]
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
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}")
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
}

fn main() {}
