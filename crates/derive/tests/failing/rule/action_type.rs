//! Text is not added up.

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
struct Extend {
    #[update(append)]
    title: String,
    #[update(add)]
    nickname: String,
}

fn main() {}
