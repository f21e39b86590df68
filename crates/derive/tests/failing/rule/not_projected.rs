//! The index does not hold the role that the pattern returns and filters by, nor the tenant whose items a filter across tenants asks for.

use keywright_derive::{AccessPattern, Entity, Projection, Table};

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Member),
    patterns(OfUser, OwnersOfUser, OwnersByEmail),
    index(ByUser),
    index(ByEmail, project(role))
)]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}"),
    index(
        ByEmail,
        partition_key = "EMAIL#{email}",
        sort_key = "MEMBER#{user_id}",
        deviation = "who signs in has no tenant yet"
    )
)]
struct Member {
    organization_id: String,
    team_id: String,
    user_id: String,
    joined_at: u64,
    role: String,
    email: String,
}

#[derive(Projection)]
#[projection(of = Member)]
struct Membership {
    team_id: String,
    joined_at: u64,
}

#[derive(Projection)]
#[projection(of = Member)]
struct Found {
    user_id: String,
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

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByEmail, across_tenants, returns(Member as Found), filter(role = role))]
struct OwnersByEmail {
    email: String,
    role: String,
}

fn main() {}
