//! Structs that are no tables, entities or patterns.

use keywright_derive::{AccessPattern, Entity, Projection, Table};

#[derive(Table)]
struct App;

#[derive(Table)]
struct WithFields {
    name: String,
}

#[derive(Table)]
enum Tables {
    App,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
struct Borrowed<'a> {
    team_id: &'a str,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
struct Generic<Id> {
    team_id: Id,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
struct Sized<const LENGTH: usize> {
    team_id: [u8; LENGTH],
}

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{0}", sort_key = "TEAM")]
struct Tuple(String);

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM", sort_key = "TEAM")]
struct Empty;

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
enum Kinds {
    Team { team_id: String },
}

#[derive(Projection)]
#[projection(of = Empty)]
union Bits {
    one: u8,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Empty))]
struct Lent<'a> {
    team_id: &'a str,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Empty))]
struct LentForever {
    team_id: &'static str,
}

fn main() {}
