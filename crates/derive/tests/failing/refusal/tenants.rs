//! A tenant is known by one type in a whole table.

use keywright_derive::{AccessPattern, Entity, Table};

// The first entity has the tenant in no key, so it does not say of which type tenants are.
#[derive(Table)]
#[table(tenant = "organization_id", entities(Share, Team), patterns(Twice))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
struct Share {
    token: String,
    organization_id: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM")]
struct Team {
    organization_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team, Team), sort_key_starts_with = "TEAM")]
struct Twice;

// One of these has the tenant as another type.
#[derive(Table)]
#[table(tenant(account_id: u64), entities(Order, Invoice))]
struct Shop;

#[derive(Entity)]
#[entity(table = Shop, partition_key = "ACCOUNT#{account_id}", sort_key = "ORDER")]
struct Order {
    account_id: u64,
}

#[derive(Entity)]
#[entity(table = Shop, partition_key = "ACCOUNT#{account_id}", sort_key = "INVOICE")]
struct Invoice {
    account_id: u32,
}

#[derive(Table)]
#[table(tenant = "organization_id")]
struct OfNobody;

#[derive(Table)]
#[table(tenant(organization_id))]
struct WithoutType;

fn main() {}
