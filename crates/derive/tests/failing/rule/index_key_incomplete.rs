//! A task that was finished stayed in the list of open ones, since the key of the index was not written anew.

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
}

#[derive(Update)]
#[update(table = App, of = Task)]
struct Finish {
    title: String,
    status: String,
    due: u64,
}

// All that the key is rendered from, and what leaves the index.
#[derive(Update)]
#[update(table = App, of = Task)]
struct Assign {
    assignee: Option<String>,
    status: String,
    due: u64,
}

#[derive(Update)]
#[update(table = App, of = Task, remove(assignee))]
struct Release;

fn main() {}
