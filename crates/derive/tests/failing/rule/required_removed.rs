//! An item without what its entity needs cannot be read any more.

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
#[update(table = App, of = Task, remove(nickname, title))]
struct Clear;

#[derive(Update)]
#[update(table = App, of = Task)]
struct Rename {
    nickname: Option<String>,
    title: Option<String>,
}

fn main() {}
