//! What concerns the key belongs into the condition on the key.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team), patterns(Teams))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), filter(name = name, sk >= least))]
struct Teams {
    name: String,
    least: String,
}

fn main() {}
