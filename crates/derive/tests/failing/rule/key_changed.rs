//! The key of a stored item stays what it is.

use keywright_derive::{Entity, Table, Update};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Task))]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TASK#{task_id}"
)]
struct Task {
    organization_id: String,
    task_id: u64,
    title: String,
    nickname: Option<String>,
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Renumber {
    title: String,
    task_id: u64,
}

// An item of one tenant does not become another's.
#[derive(Update)]
#[update(table = App, of = Task)]
struct GiveAway {
    #[update(attribute = "organization_id")]
    to: String,
}

fn main() {}
