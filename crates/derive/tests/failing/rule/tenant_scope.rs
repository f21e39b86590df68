//! What a link leads to may be another organization's: whoever reads the pattern must see it.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team, Share), patterns(SharedBy, ShareByToken, Teams))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
struct Share {
    organization_id: String,
    token: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Share))]
struct SharedBy {
    token: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Share), sort_key_equals = "SHARE", across_tenants)]
struct ShareByToken {
    token: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team), across_tenants, sort_key_starts_with = "TEAM")]
struct Teams;

#[derive(Table)]
#[table(entities(Alone), patterns(All))]
struct Single;

#[derive(Entity)]
#[entity(table = Single, partition_key = "ALONE", sort_key = "{id}")]
struct Alone {
    id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Single, returns(Alone), across_tenants)]
struct All;

fn main() {}
