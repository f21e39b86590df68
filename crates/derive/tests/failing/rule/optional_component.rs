//! A task that nobody is assigned to would have no key.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Task))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TASK#{assignee}")]
struct Task {
    organization_id: String,
    assignee: Option<String>,
}

fn main() {}
