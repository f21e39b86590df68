//! Two fields are stored under one name, so one overwrites the other.

use keywright_derive::{Entity, Table};

use serde::Serialize;

#[derive(Table)]
#[table(tenant = "organization_id", entities(Member))]
struct App;

#[derive(Entity, Serialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "MEMBER#{user_id}")]
struct Member {
    organization_id: String,
    user_id: String,
    team: String,
    #[serde(rename = "team")]
    team_name: String,
}

fn main() {}
