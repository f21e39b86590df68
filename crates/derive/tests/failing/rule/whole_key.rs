//! A GetItem names one item by its whole key.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team), patterns(ATeam))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_starts_with = "TEAM#{team_id}")]
struct ATeam {
    team_id: String,
}

fn main() {}
