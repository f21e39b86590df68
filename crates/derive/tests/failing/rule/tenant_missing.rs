//! Without the organization in the partition key a query reads every customer's teams.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Member), index(ByUser))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
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
    index(ByUser, partition_key = "USER#{user_id}", sort_key = "{joined_at}")
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
}

fn main() {}
