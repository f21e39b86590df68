//! A share whose token is another tenant's id would lie in that tenant's partition.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant(organization_id: String), entities(Share, Team))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
struct Share {
    token: String,
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
    name: String,
}

fn main() {}
