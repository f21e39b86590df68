//! A brace that is never closed would be literal text, the same for every item.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id")]
struct Team {
    organization_id: String,
    team_id: String,
}

// What lies beside a template that cannot be read says nothing more.
#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), sort_key_starts_with = "TEAM#${team_id}")]
struct OneTeam {
    team_id: String,
}

fn main() {}
