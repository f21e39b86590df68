//! Claims expire, since each request leaves one behind; locks do not, since they count fencing tokens.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Event, JobLock), ttl = "expires_at")]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EVENT#{event_id}",
    purpose = "claim"
)]
struct Event {
    organization_id: String,
    event_id: String,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "LOCK#{job}",
    purpose = "lock",
    ttl = "expires_at"
)]
struct JobLock {
    organization_id: String,
    job: String,
}

fn main() {}
