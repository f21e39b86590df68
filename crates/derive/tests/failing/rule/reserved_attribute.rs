//! The field and the rendered key would overwrite each other.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(partition_key = "user_id", entities(User))]
struct Users;

#[derive(Entity)]
#[entity(table = Users, partition_key = "USER#{user_id}")]
struct User {
    user_id: String,
}

fn main() {}
