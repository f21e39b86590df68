//! Of eight shards of a lock eight could be held at once.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(JobLock))]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "LOCK#{job}",
    shards = 8,
    purpose = "lock"
)]
struct JobLock {
    organization_id: String,
    job: String,
}

fn main() {}
