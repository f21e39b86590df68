//! Shards without a sort key would all be one shard.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(partition_key = "id", entities(Event))]
struct Events;

#[derive(Entity)]
#[entity(table = Events, partition_key = "TOPIC#{topic}", shards = 8)]
struct Event {
    topic: String,
}

fn main() {}
