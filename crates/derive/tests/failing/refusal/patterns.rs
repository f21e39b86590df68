//! Patterns that say what cannot be said.

use keywright_derive::{AccessPattern, Entity, Projection, Table};

#[derive(Table)]
#[table(entities(Team), patterns(Twice, Range, Filters, UnknownFunction, FixedValue, WithoutBeginning, Consistency, Attributes, Summaries, Elsewhere))]
struct App;

#[derive(Table)]
#[table(index(ByName))]
struct Other;

#[derive(Entity)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "AT#{at}")]
struct Team {
    team_id: String,
    at: u64,
    nickname: Option<String>,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), sort_key_equals = "AT#{at}", sort_key_starts_with = "AT")]
struct Twice {
    team_id: String,
    at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), sort_key_range("AT#{at}", from = since, after = since, to = end))]
struct Range {
    team_id: String,
    since: u64,
    end: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), filter(nickname == name))]
struct Filters {
    team_id: String,
    name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), filter(exist(nickname)))]
struct UnknownFunction {
    team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), filter(nickname > 5))]
struct FixedValue {
    team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), filter(begins_with(nickname)))]
struct WithoutBeginning {
    team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), consistency = true)]
struct Consistency {
    team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), sort_key_attributes(at(starts_with = since, from = since)))]
struct Attributes {
    team_id: String,
    since: u64,
}

// Not the type that the entity has, and nothing that it has.
#[derive(Projection)]
#[projection(of = Team)]
struct Summary {
    nickname: String,
    motto: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team as Unrelated))]
struct Summaries {
    team_id: String,
}

struct Unrelated;

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByName, returns(Team))]
struct Elsewhere {
    team_id: String,
}

fn main() {}
