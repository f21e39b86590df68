//! A misspelt attribute was removed, and the one that was meant stayed.

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
#[update(table = App, of = Task, remove(nickname, nickame))]
struct Forget {
    title: String,
}

fn main() {}
