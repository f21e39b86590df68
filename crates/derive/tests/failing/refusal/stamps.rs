//! Stamps that cannot be: of the wrong type, in a key, twice, in no unit.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(entities(Mandatory, Worded, InKey, Twice, Hours))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "MANDATORY#{id}", sort_key = "MANDATORY")]
struct Mandatory {
    id: u64,
    #[entity(created)]
    created_at: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "WORDED#{id}", sort_key = "WORDED")]
struct Worded {
    id: u64,
    #[entity(updated)]
    updated_at: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "IN_KEY#{id}", sort_key = "{updated_at}")]
struct InKey {
    id: u64,
    #[entity(updated)]
    updated_at: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "TWICE#{id}", sort_key = "TWICE")]
struct Twice {
    id: u64,
    #[entity(updated)]
    updated_at: u64,
    #[entity(updated)]
    changed_at: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "HOURS#{id}", sort_key = "HOURS")]
struct Hours {
    id: u64,
    #[entity(updated = "hours")]
    updated_at: u64,
}

fn main() {}
