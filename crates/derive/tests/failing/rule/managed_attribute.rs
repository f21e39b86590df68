//! Versions count and stamps are set by themselves, and keys follow from what they are rendered from.

use keywright_derive::{Entity, Table, Update};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Task), index(ByAssignee))]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TASK#{task_id}",
    index(ByAssignee, partition_key = "ORG#{organization_id}#USER#{assignee}", sort_key = "{status}#{due}")
)]
struct Task {
    organization_id: String,
    task_id: u64,
    title: String,
    nickname: Option<String>,
    assignee: Option<String>,
    status: String,
    due: u64,
    #[entity(version)]
    version: u64,
    #[entity(updated)]
    updated_at: u64,
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Rewind {
    title: String,
    version: u64,
}

#[derive(Update)]
#[update(table = App, of = Task, remove(by_assignee_sk, entity))]
struct Hide;

#[derive(Update)]
#[update(table = App, of = Task)]
struct Touch {
    updated_at: u64,
}

fn main() {}
