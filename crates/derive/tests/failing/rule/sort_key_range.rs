//! Without leading zeros 10 sorts before 5.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Score), patterns(Best))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "SCORE#{points:raw}")]
struct Score {
    organization_id: String,
    points: u32,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Score), sort_key_range("SCORE#{points:raw}", from = least))]
struct Best {
    least: u32,
}

fn main() {}
