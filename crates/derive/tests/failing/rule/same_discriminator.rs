//! A guest that is read back would be taken for a member.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(User, Guest))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "USER#{user_id}")]
struct User {
    organization_id: String,
    user_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "GUEST#{user_id}", discriminator = "user")]
struct Guest {
    organization_id: String,
    user_id: String,
}

fn main() {}
