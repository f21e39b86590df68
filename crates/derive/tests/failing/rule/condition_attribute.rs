//! A condition on a misspelt attribute never held, and no write went through.

use keywright_derive::{Condition, Entity, Table};

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

#[derive(Condition)]
#[condition(table = App, of = Task, exists(title), exists(pk), title <> title, not_exists(nickame))]
struct Unnamed {
    title: String,
}

fn main() {}
