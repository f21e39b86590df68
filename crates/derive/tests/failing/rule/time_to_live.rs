//! The table looks at no attribute, so sessions would stay for ever.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Session))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "SESSION#{session_id}")]
struct Session {
    organization_id: String,
    session_id: String,
    #[entity(ttl)]
    expires_at: u64,
}

fn main() {}
