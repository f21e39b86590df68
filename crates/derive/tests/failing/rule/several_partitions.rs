//! Teams and profiles lie under different partition keys: two requests.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Profile), patterns(Both))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}#PROFILE", sort_key = "PROFILE")]
struct Profile {
    organization_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team, Profile))]
struct Both;

fn main() {}
