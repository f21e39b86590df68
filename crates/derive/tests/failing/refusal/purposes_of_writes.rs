//! What a call of its own writes is not put or deleted by the plain one.

use keywright_derive::{AccessPattern, Entity, Table};
use keywright_key::declare::{Data, Deletable, NamesItem, Unreserved};

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, JobLock, PaymentEvent, User, UserEmail),
    patterns(TeamById, JobLockByName, PaymentEventById),
    ttl = "expires_at"
)]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
struct Team {
    organization_id: String,
    team_id: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "LOCK#{name}", purpose = "lock")]
struct JobLock {
    organization_id: String,
    name: String,
}

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EVENT#{event_id}",
    purpose = "claim",
    ttl = "expires_at"
)]
struct PaymentEvent {
    organization_id: String,
    event_id: String,
}

#[derive(Entity, serde::Serialize, serde::Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "USER#{user_id}", unique(UserEmail))]
struct User {
    organization_id: String,
    user_id: String,
    email: String,
}

#[derive(Entity, serde::Serialize, serde::Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email}",
    reservation_of = User
)]
struct UserEmail {
    organization_id: String,
    email: String,
    user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
struct TeamById {
    team_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(JobLock), sort_key_equals = "LOCK#{name}")]
struct JobLockByName {
    name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(PaymentEvent), sort_key_equals = "EVENT#{event_id}")]
struct PaymentEventById {
    event_id: String,
}

fn put<EntityType: Data<App> + Unreserved<App>>() {}
fn delete<Pattern: NamesItem>()
where
    Pattern::Entity: Deletable<App> + Unreserved<App>,
{
}

fn main() {
    // Right: a claim may be given up by who knows what he does.
    put::<Team>();
    delete::<TeamById>();
    delete::<PaymentEventById>();

    put::<JobLock>();
    put::<PaymentEvent>();
    put::<User>();
    put::<UserEmail>();
    delete::<JobLockByName>();
}
