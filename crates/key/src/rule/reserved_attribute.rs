//! KW0210: an entity's attributes do not share a name with what the table writes itself.

use super::key_view::{KeyView, PartView, rendering};
use super::{Check, Rule, Severity};
use crate::component::Rendering;
use crate::message::Message;
use crate::shape::{EntityShape, IndexKeys, KeyAttribute, TableShape};
use crate::template::TemplateShape;
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0210",
    name: "reserved-attribute",
    title: "An attribute with the name of a key, of the discriminator, or of what the data layer keeps",
    severity: Severity::Error,
    finds: "An attribute of an entity that has the name of the discriminator, of a key attribute that is rendered as \
            something else, or a name that begins with `keywright_`.",
    hurts: "An item has one attribute of each name: the rendered key and the value would overwrite each other.",
    example: "[table.app]\npartition_key = \"user_id\"\n\n[entity.user]\npartition_key = \"USER#{user_id}\"",
    instead: "Rename the attribute or the key attribute. If the key is the value itself, the template is that component \
              alone: `{user_id}` for a ULID, a UUID or an enum, `{user_id:raw}` for text.",
    check: Check::Entity(check),
};

/// How the names begin that the data layer gives to attributes of its own.
const RESERVED_PREFIX: &str = "keywright_";

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    if entity.attribute(table.discriminator).is_some() {
        let message =
            Message::new(&RULE).name(entity.name).say(" has an attribute ").name(table.discriminator);
        let message =
            message.say(", which is where ").name(table.name).say(" stores which entity an item is. ");
        return Some(message.say("Rename the attribute, or declare another discriminator for the table."));
    }
    let mut rest = entity.attributes;
    while let [attribute, later @ ..] = rest {
        if text::begins_with(attribute.name.as_bytes(), RESERVED_PREFIX.as_bytes()) {
            let message =
                Message::new(&RULE).name(entity.name).say(" has an attribute ").name(attribute.name);
            return Some(message.say(
                ", and what begins with `keywright_` is written by the data layer. Rename the attribute.",
            ));
        }
        rest = later;
    }
    if let Some(key) = KeyView::of(entity, None)
        && let Some(message) = check_key(table, entity, &key, table.partition_key, table.sort_key)
    {
        return Some(message);
    }
    let mut rest = table.indexes;
    while let [index, later @ ..] = rest {
        if let IndexKeys::Rendered { partition_key, sort_key } = index.keys
            && let Some(key) = KeyView::of(entity, Some(index))
            && let Some(message) = check_key(table, entity, &key, partition_key, sort_key)
        {
            return Some(message);
        }
        rest = later;
    }
    None
}

const fn check_key(
    table: &TableShape<'_>,
    entity: &EntityShape<'_>,
    key: &KeyView<'_>,
    partition_key: KeyAttribute<'_>,
    sort_key: Option<KeyAttribute<'_>>,
) -> Option<Message> {
    let wrong = if is_taken(entity, &key.partition, partition_key) {
        partition_key
    } else {
        match (key.sort, sort_key) {
            (Some(sort), Some(attribute)) if is_taken(entity, &sort, attribute) => attribute,
            _ => return None,
        }
    };
    let message = Message::new(&RULE).name(entity.name).say(" has an attribute ").name(wrong.name);
    let message = message.say(", which is also a key attribute of ").name(table.name);
    let message = message
        .say(" that its key is rendered into. Rename one of them, or, if the key is the value itself, ");
    Some(message.say("let the template be that component alone: `{").say(wrong.name).say(":raw}` for text."))
}

/// Whether the entity has an attribute of the key attribute's name that is not what is rendered into it.
const fn is_taken(entity: &EntityShape<'_>, part: &PartView<'_>, attribute: KeyAttribute<'_>) -> bool {
    if entity.attribute(attribute.name).is_none() {
        return false;
    }
    match part.template() {
        Some(template) => part.shards.is_sharded() || !is_value_itself(template, entity, attribute.name),
        None => false,
    }
}

/// Whether the template writes this attribute as it is stored, and nothing else.
const fn is_value_itself(template: TemplateShape<'_>, entity: &EntityShape<'_>, name: &str) -> bool {
    if template.len() != 1 {
        return false;
    }
    let Some(segment) = template.segment(0) else { return false };
    let Some(component) = segment.component else { return false };
    segment.literal.is_empty()
        && text::equal(component.field, name)
        && match rendering(template, component, entity.attributes) {
            Some(rendering) => matches!(
                rendering,
                Rendering::Raw(_) | Rendering::Ulid(_) | Rendering::Uuid(_) | Rendering::Words(_)
            ),
            // Another rule reports what is wrong with it.
            None => true,
        }
}

enforced!(Entity);
