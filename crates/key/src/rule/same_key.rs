//! KW0203: no two entities of a table can render one key.

use super::key_view::KeyView;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0203",
    name: "same-key",
    title: "Two entities that can render the same key",
    severity: Severity::Error,
    finds: "Two entities for whose attributes there are values that give both the same partition key and the same sort \
            key.",
    hurts: "A put of one overwrites an item of the other, without an error.",
    example: "[entity.team]\nsort_key = \"TEAM#{team_id}\"\n\n[entity.template]\nsort_key = \"TEAM#{template_id}\"",
    instead: "Begin the sort keys, or the partition keys, of the entities with different literal text: `TEAM#{team_id}` \
              and `TEMPLATE#{template_id}`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity and one that the table lists after it, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Some(key) = key_of(table, entity) else { return None };
    let mut others = after(table.entities, entity.name);
    while let [other, later @ ..] = others {
        // Two entities with one name are reported by another rule.
        if !text::equal(entity.name, other.name)
            && let Some(other_key) = key_of(table, other)
            && can_equal(&key, &other_key)
        {
            return Some(message(entity, other));
        }
        others = later;
    }
    None
}

/// The key of the entity; nothing if it does not have the form of the table's, which another rule reports.
const fn key_of<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<KeyView<'a>> {
    if entity.key.sort_key.is_some() == table.sort_key.is_some() { KeyView::of(entity, None) } else { None }
}

const fn can_equal(key: &KeyView<'_>, other: &KeyView<'_>) -> bool {
    let sort_keys_can_equal = match (key.sort, other.sort) {
        (Some(one), Some(two)) => one.can_equal(&two),
        // Neither has one: both have the form of the table.
        _ => true,
    };
    sort_keys_can_equal && key.partition.can_equal(&other.partition)
}

const fn message(entity: &EntityShape<'_>, other: &EntityShape<'_>) -> Message {
    let message = Message::new(&RULE).name(entity.name).say(" and ").name(other.name);
    let message = message.say(" can render the same key: ").quote(entity.key.partition_key.text());
    let message = match entity.key.sort_key {
        Some(sort_key) => message.say(" with ").quote(sort_key.text()),
        None => message,
    };
    let message = message.say(", and ").quote(other.key.partition_key.text());
    let message = match other.key.sort_key {
        Some(sort_key) => message.say(" with ").quote(sort_key.text()),
        None => message,
    };
    message.say(
        ". A put of one would overwrite the other. Begin their keys with different literal text, or add a component that \
         tells them apart.",
    )
}

/// The entities that are listed after the one with this name; none if it is not listed, which another rule reports.
pub(super) const fn after<'t, 'a>(
    entities: &'t [&'t EntityShape<'a>],
    name: &str,
) -> &'t [&'t EntityShape<'a>] {
    let mut rest = entities;
    while let [entity, later @ ..] = rest {
        if text::equal(entity.name, name) {
            return later;
        }
        rest = later;
    }
    rest
}

enforced!(Entity);
