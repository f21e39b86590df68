//! Purposes that are not known, and options that do not go with them.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Misspelt, Unknown, CountsNothing, WithTime, OfField, Counted, Versioned),
    ttl = "expires_at"
)]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "A", purpose = "claims", ttl = "expires_at")]
struct Misspelt {
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "B", purpose = "semaphore")]
struct Unknown {
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "C", purpose = "lock", count = "locks")]
struct CountsNothing {
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "D", count = "views", ttl = "expires_at")]
struct WithTime {
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "E", purpose = "claim", ttl = "expires_at")]
struct OfField {
    organization_id: String,
    #[entity(ttl)]
    until: u64,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "F",
    purpose = "approximate-counter",
    ttl = "expires_at"
)]
struct Counted {
    organization_id: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "G", purpose = "lock")]
struct Versioned {
    organization_id: String,
    #[entity(version)]
    version: u64,
}

fn main() {}
