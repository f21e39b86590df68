//! KW0209: a sharded key has a sort key, which says in which shard an item is.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, IndexKey, KeyShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0209",
    name: "sharded-without-sort-key",
    title: "Shards without a sort key",
    severity: Severity::Error,
    finds: "A key with more than one shard and without a sort key.",
    hurts: "The shard of an item follows from its sort key. Without one all items would be in one shard, and there is \
            one item for each partition key anyway: shards spread nothing.",
    example: "[entity.event]\npartition_key = \"TOPIC#{topic}\"\nshards = 8",
    instead: "Give the key a sort key, or leave the shards out.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    if spreads_nothing(&entity.key) {
        return Some(message(entity));
    }
    let mut rest = entity.indexes;
    while let [entry, later @ ..] = rest {
        if let IndexKey::Global(key) = entry.key
            && spreads_nothing(&key)
        {
            return Some(message(entity).say(" This is its key in index ").name(entry.index).say("."));
        }
        rest = later;
    }
    None
}

const fn spreads_nothing(key: &KeyShape<'_>) -> bool {
    key.shards.is_sharded() && key.sort_key.is_none()
}

const fn message(entity: &EntityShape<'_>) -> Message {
    Message::new(&RULE).name(entity.name).say(
        " has shards and no sort key, and the shard of an item follows from its sort key. Give it a sort key, or leave \
         the shards out.",
    )
}

enforced!(Entity);
