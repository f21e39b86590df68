//! A reservation and its holder know each other.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(User, UserEmail, Guest, GuestEmail))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "USER#{user_id}")]
struct User {
    organization_id: String,
    user_id: u64,
    email: String,
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

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "GUEST#{guest_id}",
    unique(GuestEmail)
)]
struct Guest {
    organization_id: String,
    guest_id: u64,
    email: String,
}

// It does not say whose it is.
#[derive(Entity, serde::Serialize, serde::Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "INVITED#{email}",
    reservation_of = Guest
)]
struct GuestEmail {
    organization_id: String,
    email: String,
}

fn main() {}
