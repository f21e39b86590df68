//! An update of what a reservation holds says so.

use keywright_derive::{Entity, Table, Update};

#[derive(Table)]
#[table(tenant = "organization_id", entities(User, UserEmail))]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "USER#{user_id}",
    unique(UserEmail)
)]
struct User {
    organization_id: String,
    user_id: u64,
    email: String,
    name: String,
}

#[derive(Entity, serde::Serialize, serde::Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email}",
    reservation_of = User
)]
struct UserEmail {
    organization_id: String,
    email: String,
    user_id: u64,
}

#[derive(Update)]
#[update(table = App, of = User)]
struct ChangeEmail {
    name: String,
    email: String,
}

#[derive(Update)]
#[update(table = App, of = User, unique)]
struct Rename {
    name: String,
}

fn main() {}
