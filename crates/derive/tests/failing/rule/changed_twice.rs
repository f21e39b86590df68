//! DynamoDB refuses an update with two changes of one attribute.

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
#[update(table = App, of = Task, remove(nickname))]
struct Rename {
    nickname: String,
    title: String,
    #[update(attribute = "title", set_if_absent)]
    otherwise: String,
}

fn main() {}
