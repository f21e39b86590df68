//! Lists that name what does not belong to the table.

use keywright_derive::{AccessPattern, Entity, PatternList, Table};

#[derive(Table)]
#[table(entities(Team, Unknown), patterns(TeamById, NotAPattern, OfOther))]
struct App;

#[derive(Table)]
#[table(entities(Team), patterns(OfOther))]
struct Other;

#[derive(Entity)]
#[entity(table = Other, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
struct Team {
    team_id: String,
}

struct Unknown;

struct NotAPattern;

#[derive(AccessPattern)]
#[access_pattern(table = App, listed_in = Nowhere, returns(Team))]
struct TeamById {
    team_id: String,
}

struct Nowhere;

#[derive(AccessPattern)]
#[access_pattern(table = Other, returns(Team))]
struct OfOther {
    team_id: String,
}

#[derive(PatternList)]
#[pattern_list(table = App, patterns(OfOther))]
struct Service;

fn main() {}
