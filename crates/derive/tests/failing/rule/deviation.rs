//! A reason that says nothing, and a deviation of a key that holds the tenant.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Share))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "")]
struct Share {
    token: String,
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}", deviation = "teams are looked up")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

fn main() {}
