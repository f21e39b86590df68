//! The index does not hold the role that the pattern returns and filters by.

use keywright_derive::{AccessPattern, Entity, Projection, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Member), patterns(OfUser, OwnersOfUser), index(ByUser))]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
}

#[derive(Projection)]
#[projection(of = Member)]
struct Membership {
    team_id: String,
    joined_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member))]
struct OfUser {
    user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member as Membership), filter(role = role))]
struct OwnersOfUser {
    user_id: String,
    role: String,
}

fn main() {}
