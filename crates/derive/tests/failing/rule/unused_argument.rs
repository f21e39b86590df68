//! The caller would believe that only one team's members come.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Member), patterns(Members), index(ByUser))]
struct App;

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
#[access_pattern(table = App, returns(Member), sort_key_starts_with = "TEAM")]
struct Members {
    team_id: String,
}

fn main() {}
