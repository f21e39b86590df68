//! What a reservation has of its holder it has as the holder stores it, and it is one of the holder that names it.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(User, UserEmail, Plain))]
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
    email: Option<String>,
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
    user_id: String,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "PLAIN#{plain_id}",
    reservation_off = User
)]
struct Plain {
    organization_id: String,
    plain_id: u64,
}

fn main() {}
