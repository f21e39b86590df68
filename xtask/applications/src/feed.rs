//! The application of the page about write sharding: the events of a topic, of which there are more a second than one key takes.

use keywright::key::component_newtype;
use keywright::{AccessPattern, CursorKey, CursorKeys, Entity, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(Event, Mention),
    patterns(EventsOfTopic, EventByNumber, MentionsOfWord)
)]
pub struct Feed;

/// An event of a topic, in one of four shards.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Feed,
    partition_key = "ORG#{organization_id}#TOPIC#{topic}",
    sort_key = "EVENT#{number}",
    shards = 4
)]
pub struct Event {
    pub organization_id: OrganizationId,
    pub topic: String,
    pub number: u64,
    pub text: String,
}

/// An event of whichever organization that has a word, in one of two shards of the word.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Feed,
    partition_key = "WORD#{word}",
    sort_key = "EVENT#{number}",
    shards = 2,
    deviation = "a moderator looks for a word in the events of all organizations"
)]
pub struct Mention {
    pub word: String,
    pub number: u64,
    pub organization_id: OrganizationId,
}

/// The events of a topic, in the order of their numbers.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Feed, returns(Event), sort_key_starts_with = "EVENT")]
pub struct EventsOfTopic {
    pub topic: String,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = Feed, get_item, returns(Event), sort_key_equals = "EVENT#{number}")]
pub struct EventByNumber {
    pub topic: String,
    pub number: u64,
}

#[derive(Debug, AccessPattern)]
#[access_pattern(table = Feed, across_tenants, returns(Mention), sort_key_starts_with = "EVENT")]
pub struct MentionsOfWord {
    pub word: String,
}

#[derive(Debug, Update)]
#[update(table = Feed, of = Event)]
pub struct Edit {
    pub text: String,
}

pub async fn store() -> Result<Store<Feed>, Box<dyn std::error::Error>> {
    Ok(Store::in_memory(CursorKeys::new(CursorKey::generate()?)).await?)
}

pub fn acme(store: &Store<Feed>) -> Result<Tenant<Feed>, keywright::InvalidTenant> {
    store.tenant(&OrganizationId("acme".to_owned()))
}

pub fn event(topic: &str, number: u64) -> Event {
    Event {
        organization_id: OrganizationId("acme".to_owned()),
        topic: topic.to_owned(),
        number,
        text: format!("Event {number}"),
    }
}

pub fn mention(word: &str, number: u64) -> Mention {
    Mention { word: word.to_owned(), number, organization_id: OrganizationId("acme".to_owned()) }
}
