//! A floating-point number has no exact text, and only integers have a width.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Reading, Team))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "READING#{value}")]
struct Reading {
    organization_id: String,
    value: f64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id:4}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

fn main() {}
