//! KW0205: an entity has a key of the form that its table, and each index that it names, has.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{
    AttributeType, EntityShape, IndexEntryShape, IndexKey, IndexKeys, IndexReach, IndexShape, KeyAttribute,
    TableShape,
};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0205",
    name: "key-schema",
    title: "A key that does not have the form of its table or index",
    severity: Severity::Error,
    finds: "An entity without a sort key in a table that has one, or the reverse; a key for an index that the table does \
            not have, or two for one index; a template for an index of attributes, or a template for a key attribute \
            that is not a string.",
    hurts: "DynamoDB refuses the item, or leaves it out of the index.",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[entity.team]\npartition_key = \"TEAM#{team_id}\"",
    instead: "Give the entity both parts of the key. An entity with one item in a partition takes literal text as its \
              sort key: `PROFILE`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    if entity.key.sort_key.is_some() != table.sort_key.is_some() {
        let message = Message::new(&RULE).name(entity.name);
        return Some(match table.sort_key {
            Some(sort_key) => message.say(" has no sort key, but ").name(table.name).say(" has one, ").name(sort_key.name).say(
                ". Add `sort_key`; an entity with one item in a partition takes literal text, such as `PROFILE`.",
            ),
            None => message.say(" has a sort key, but ").name(table.name).say(
                " has none. Put its components into the partition key, or give the table a sort key.",
            ),
        });
    }
    if let Some(message) = check_strings(table.name, entity, table.partition_key, table.sort_key) {
        return Some(message);
    }
    let mut rest = entity.indexes;
    while let [entry, later @ ..] = rest {
        if names(later, entry.index) {
            let message =
                Message::new(&RULE).name(entity.name).say(" has two keys in index ").name(entry.index);
            return Some(message.say(". An item is in an index once: keep one of them."));
        }
        let problem = match table.index(entry.index) {
            Some(index) => check_entry(entity, entry, index),
            None => Some(no_index(table, entity, entry.index)),
        };
        if problem.is_some() {
            return problem;
        }
        rest = later;
    }
    None
}

const fn no_index(table: &TableShape<'_>, entity: &EntityShape<'_>, index: &str) -> Message {
    let message = Message::new(&RULE).name(entity.name).say(" has a key in index ").name(index);
    let message = message.say(", which ").name(table.name).say(" does not have. ");
    match table.nearest_index(index).found() {
        Some(meant) => message.say("Did you mean ").name(meant).say("?"),
        None => message.say("Declare the index in the table."),
    }
}

const fn check_entry(
    entity: &EntityShape<'_>,
    entry: &IndexEntryShape<'_>,
    index: &IndexShape<'_>,
) -> Option<Message> {
    match (entry.key, index.keys, index.reach) {
        (IndexKey::Attributes, IndexKeys::Attributes { partition_key, sort_key }, _) => {
            check_has(entity, index, partition_key, sort_key)
        }
        (IndexKey::Attributes, IndexKeys::Rendered { .. }, _) => Some(begin(entity, index).say(
            ": the index has rendered keys. Give the entity templates for its partition key and sort key.",
        )),
        (IndexKey::Global(_) | IndexKey::Local { .. }, IndexKeys::Attributes { .. }, _) => Some(begin(entity, index).say(
            ": the index is keyed by attributes that items have anyway. Leave the templates out.",
        )),
        (IndexKey::Local { .. }, _, IndexReach::Global) => {
            Some(begin(entity, index).say(": the index is global. Give the entity a partition key there too."))
        }
        (IndexKey::Global(_), _, IndexReach::Local) => Some(begin(entity, index).say(
            ": the index is local, so its partition key is the table's. Give the entity a sort key there, and no \
             partition key.",
        )),
        (IndexKey::Global(key), IndexKeys::Rendered { partition_key, sort_key }, IndexReach::Global) => {
            if key.sort_key.is_some() != sort_key.is_some() {
                return Some(if sort_key.is_some() {
                    begin(entity, index).say(": the index has a sort key, and the entity gives none. Add `sort_key`.")
                } else {
                    begin(entity, index).say(": the index has no sort key, and the entity gives one. Leave it out, or give the \
                                 index a sort key.")
                });
            }
            check_strings(index.name, entity, partition_key, sort_key)
        }
        (IndexKey::Local { .. }, IndexKeys::Rendered { partition_key, sort_key }, IndexReach::Local) => {
            check_strings(index.name, entity, partition_key, sort_key)
        }
    }
}

const fn begin(entity: &EntityShape<'_>, index: &IndexShape<'_>) -> Message {
    Message::new(&RULE).name(entity.name).say(" in index ").name(index.name)
}

/// A rendered key is a string.
const fn check_strings(
    place: &str,
    entity: &EntityShape<'_>,
    partition_key: KeyAttribute<'_>,
    sort_key: Option<KeyAttribute<'_>>,
) -> Option<Message> {
    let wrong = match (partition_key.attribute_type, sort_key) {
        (AttributeType::Number | AttributeType::Binary, _) => partition_key,
        (AttributeType::String, Some(sort_key))
            if !matches!(sort_key.attribute_type, AttributeType::String) =>
        {
            sort_key
        }
        _ => return None,
    };
    let message =
        Message::new(&RULE).name(wrong.name).say(" of ").name(place).say(" is no string, and the key of ");
    Some(message.name(entity.name).say(
        " is rendered as text. Make it a string; a number or bytes can be a key in an index on attributes only.",
    ))
}

/// An entity in an index of attributes has them.
const fn check_has(
    entity: &EntityShape<'_>,
    index: &IndexShape<'_>,
    partition_key: &[KeyAttribute<'_>],
    sort_key: &[KeyAttribute<'_>],
) -> Option<Message> {
    let lists = [partition_key, sort_key];
    let mut remaining = lists.as_slice();
    while let [list, later_lists @ ..] = remaining {
        let mut rest = *list;
        while let [attribute, later @ ..] = rest {
            if entity.attribute(attribute.name).is_none() {
                let message = begin(entity, index).say(": the index is keyed by ").name(attribute.name);
                return Some(message.say(
                    ", which the entity does not have, so no item of it would ever be in the index. Add the attribute, \
                     or leave the index out.",
                ));
            }
            rest = later;
        }
        remaining = later_lists;
    }
    None
}

const fn names(entries: &[IndexEntryShape<'_>], index: &str) -> bool {
    let mut rest = entries;
    while let [entry, later @ ..] = rest {
        if text::equal(entry.index, index) {
            return true;
        }
        rest = later;
    }
    false
}

enforced!(Entity);
