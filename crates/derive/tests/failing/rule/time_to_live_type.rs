//! Text is no time to live: DynamoDB would keep the sessions, and no condition would ever hold for one. Nor is what may be below zero,
//! have a fraction, or be written by a function as nobody knows what.

use keywright_derive::{Entity, Table};
use keywright_key::Timestamp;
use serde::Serializer;

#[derive(Table)]
#[table(tenant = "organization_id", entities(Session, Visit, Trial, Draft), ttl = "expires_at")]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "SESSION#{session_id}")]
struct Session {
    organization_id: String,
    session_id: String,
    #[entity(ttl)]
    expires_at: Timestamp,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "VISIT#{visit_id}")]
struct Visit {
    organization_id: String,
    visit_id: String,
    #[entity(ttl)]
    expires_at: i64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TRIAL#{trial_id}")]
struct Trial {
    organization_id: String,
    trial_id: String,
    #[entity(ttl)]
    expires_at: Option<f64>,
}

#[derive(Entity, serde::Serialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DRAFT#{draft_id}")]
struct Draft {
    organization_id: String,
    draft_id: String,
    #[entity(ttl)]
    #[serde(serialize_with = "as_text")]
    expires_at: u64,
}

fn as_text<Target: Serializer>(expires_at: &u64, target: Target) -> Result<Target::Ok, Target::Error> {
    target.collect_str(expires_at)
}

fn main() {}
