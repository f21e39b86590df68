//! An application whose items have every kind of attribute that an update changes in a way of its own.

use keywright::key::{Bytes, Set, component_newtype};
use keywright::{AccessPattern, Condition, Entity, Projection, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Card),
    patterns(CardById, Cards, TagsOfCards, CardsTagged),
    ttl = "expires_at"
)]
pub(crate) struct Board;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Board, partition_key = "ORG#{organization_id}", sort_key = "CARD#{card_id}")]
pub(crate) struct Card {
    pub(crate) organization_id: OrganizationId,
    pub(crate) card_id: u64,
    pub(crate) title: String,
    pub(crate) points: Option<i64>,
    pub(crate) spent: Option<f64>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    pub(crate) tags: Set<String>,
    pub(crate) lines: Set<u64>,
    pub(crate) digests: Set<Bytes>,
    pub(crate) picture: Option<Bytes>,
    pub(crate) started_at: Option<u64>,
    pub(crate) nickname: Option<String>,
    #[entity(ttl)]
    pub(crate) expires_at: Option<u64>,
    #[entity(version)]
    pub(crate) version: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Board, get_item, returns(Card), sort_key_equals = "CARD#{card_id}")]
pub(crate) struct CardById {
    pub(crate) card_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Board, returns(Card), sort_key_starts_with = "CARD")]
pub(crate) struct Cards {}

#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Card)]
pub(crate) struct CardTags {
    pub(crate) card_id: u64,
    pub(crate) tags: Set<String>,
}

#[derive(AccessPattern)]
#[access_pattern(table = Board, returns(Card as CardTags), sort_key_starts_with = "CARD")]
pub(crate) struct TagsOfCards {}

#[derive(AccessPattern)]
#[access_pattern(
    table = Board,
    returns(Card as CardTags),
    sort_key_starts_with = "CARD",
    filter(contains(tags, tag))
)]
pub(crate) struct CardsTagged {
    pub(crate) tag: String,
}

/// Whatever is given happens.
#[derive(Default, Update)]
#[update(table = Board, of = Card)]
pub(crate) struct Change {
    #[update(add)]
    pub(crate) points: Option<i64>,
    #[update(subtract)]
    pub(crate) spent: Option<f64>,
    #[update(append)]
    pub(crate) notes: Option<Vec<String>>,
    #[update(add)]
    pub(crate) tags: Option<Set<String>>,
    #[update(add)]
    pub(crate) lines: Option<Set<u64>>,
    #[update(add)]
    pub(crate) digests: Option<Set<Bytes>>,
    #[update(set_if_absent)]
    pub(crate) started_at: Option<u64>,
}

#[derive(Default, Update)]
#[update(table = Board, of = Card, remove(nickname))]
pub(crate) struct TakeOut {
    #[update(delete_from)]
    pub(crate) tags: Set<String>,
    #[update(delete_from)]
    pub(crate) lines: Set<u64>,
    #[update(delete_from)]
    pub(crate) digests: Set<Bytes>,
}

#[derive(Update)]
#[update(table = Board, of = Card)]
pub(crate) struct Retag {
    pub(crate) tags: Set<String>,
}

#[derive(Condition)]
#[condition(table = Board, of = Card, contains(tags, tag))]
pub(crate) struct IsTagged {
    pub(crate) tag: String,
}

#[derive(Condition)]
#[condition(table = Board, of = Card, tags = tags)]
pub(crate) struct HasTags {
    pub(crate) tags: Set<String>,
}

pub(crate) fn acme(store: &Store<Board>) -> Tenant<Board> {
    store.tenant(&OrganizationId("acme".to_owned())).unwrap()
}

pub(crate) fn card(card_id: u64) -> Card {
    Card {
        organization_id: OrganizationId("acme".to_owned()),
        card_id,
        title: "A card".to_owned(),
        points: None,
        spent: None,
        notes: Vec::new(),
        tags: Set::default(),
        lines: Set::default(),
        digests: Set::default(),
        picture: None,
        started_at: None,
        nickname: None,
        expires_at: None,
        version: 0,
    }
}

pub(crate) fn first() -> CardById {
    CardById { card_id: 1 }
}

pub(crate) fn texts<const COUNT: usize>(texts: [&str; COUNT]) -> Set<String> {
    texts.into_iter().map(str::to_owned).collect()
}
