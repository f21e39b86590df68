//! A tenant that comes with the request is one that a caller can change.

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
#[access_pattern(table = App, returns(Team), sort_key_starts_with = "TEAM")]
struct Teams {
    organization_id: String,
}

fn main() {}
