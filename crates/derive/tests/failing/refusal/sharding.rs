//! What asks for one Query does not take a pattern of a key with shards, what fans out takes no other, and a batch takes no entity whose
//! key does not hold the tenant.

use keywright_derive::{AccessPattern, Entity, Table};
use keywright_key::declare::{FansOut, KeyOfTenant, OneQuery};

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Event, Team, ShareToken),
    patterns(EventsOfTopic, EventsByAuthor, Teams),
    index(ByAuthor)
)]
struct App;

#[derive(Entity)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#TOPIC#{topic}",
    sort_key = "EVENT#{number}",
    earlier_shards(4),
    index(ByAuthor, partition_key = "ORG#{organization_id}#AUTHOR#{author}", sort_key = "{number}")
)]
struct Event {
    organization_id: String,
    topic: String,
    number: u64,
    author: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}", shards = 1)]
struct Team {
    organization_id: String,
    team_id: u64,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
struct ShareToken {
    token: String,
    organization_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Event))]
struct EventsOfTopic {
    topic: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByAuthor, returns(Event as Numbered))]
struct EventsByAuthor {
    author: String,
}

#[derive(keywright_derive::Projection)]
#[projection(of = Event)]
struct Numbered {
    number: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team))]
struct Teams;

fn query<Pattern: OneQuery>() {}
fn query_sharded<Pattern: FansOut>() {}
fn batch_put<EntityType: KeyOfTenant<App>>() {}

fn main() {
    // Right: the key in the index has no shards, and one shard is none.
    query::<EventsByAuthor>();
    query::<Teams>();
    query_sharded::<EventsOfTopic>();
    batch_put::<Team>();

    // A number that was written earlier is still read.
    query::<EventsOfTopic>();
    query_sharded::<EventsByAuthor>();
    query_sharded::<Teams>();
    batch_put::<ShareToken>();
}
