//! Text is not added up, and what is stored as a list or as nobody knows what is no set.

use std::collections::BTreeSet;

use keywright_derive::{Entity, Table, Update};
use keywright_key::Set;

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
    watchers: BTreeSet<String>,
    tags: Set<String>,
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Extend {
    #[update(append)]
    title: String,
    #[update(add)]
    nickname: String,
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Unwatch {
    #[update(delete_from)]
    watchers: BTreeSet<String>,
    #[update(append)]
    tags: Set<String>,
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Watch {
    #[update(add)]
    watchers: BTreeSet<String>,
    #[update(subtract)]
    tags: Set<String>,
}

fn main() {}
