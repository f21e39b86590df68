//! Options that are not known, given twice, missing, or of another form.

use keywright_derive::{AccessPattern, Entity, PatternList, Projection, Table};

#[derive(Table)]
#[table(tenent = "organization_id", billing = "on-demand", entities(Team), entities(Member))]
struct Misspelt;

#[derive(Table)]
#[table]
struct WithoutParentheses;

#[derive(Table)]
#[table(tenant("organization_id"), ttl = expires_at, entities = Team, delimiter = "#")]
struct WrongForms;

#[derive(Table)]
#[table(delimiter = 'x', timestamp = "unix-second", letter_case = "title", sort_key = "sk")]
struct WrongValues;

#[derive(Table)]
#[table(crate = "keywright_key", entities() patterns())]
struct Punctuation;

#[derive(Entity)]
#[entity(partition_key = "TEAM#{team_id}")]
struct WithoutTable {
    team_id: String,
}

#[derive(Table)]
#[table(entities(WithoutPartitionKey, TwoVersions))]
struct App;

#[derive(Entity)]
#[entity(table = App, partion_key = "TEAM#{team_id}")]
struct WithoutPartitionKey {
    team_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "DOCUMENT#{id}", sort_key = "DOCUMENT", shards = 0, earlier_shards(5000))]
struct TwoVersions {
    id: String,
    #[entity(version)]
    version: u64,
    #[entity(version, time_to_live)]
    other: u64,
}

#[derive(Projection)]
#[projection(off = TwoVersions)]
struct WithoutEntity {
    id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App)]
struct WithoutReturns {
    id: String,
}

#[derive(PatternList)]
#[pattern_list(patterns())]
struct OfNoTable;

fn main() {}
