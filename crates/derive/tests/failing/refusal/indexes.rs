//! Indexes whose declaration contradicts itself.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(
    index("by_user"),
    index(ByUser, local, partition_key = "gsi1pk"),
    index(ByPlace, local, sort_key(region)),
    index(ByDate, sort_key = "gsi2sk"),
    index(ByYear, partition_key(year: integer)),
    index(ByTeam, partition_key = "gsi3pk", sort_key(region)),
    index(ByRole, project(role), project_all = "all of it"),
    index(ByName, projects(name))
)]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM", index(ByName, sort_key = "{name}", shards = 4))]
struct Team {
    team_id: String,
    name: String,
}

fn main() {}
