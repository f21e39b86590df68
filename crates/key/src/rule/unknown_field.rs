//! KW0102: a template names only attributes that its entity has.

use super::placed_template::{at, places};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0102",
    name: "unknown-field",
    title: "A template names an attribute that the entity does not have",
    severity: Severity::Error,
    finds: "A component whose name is no attribute of the entity.",
    hurts: "There is nothing to write in its place. In hand-written code such a key becomes `activity#undefined`, the \
            same for every item.",
    example: "[entity.activity]\npartition_key = \"activity#{date}\"\nattributes = { when = \"timestamp\" }",
    instead: "Name an attribute of the entity, or add the attribute. Templates use the names that items store: an \
             attribute that is renamed for storage is named as it is stored.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check(_table: &TableShape<'_>, entity: &EntityShape<'_>) -> Option<Message> {
    let mut place = 0;
    while place < places(entity) {
        if let Some(placed) = at(entity, place) {
            let mut segment = 0;
            while let Some(part) = placed.template.segment(segment) {
                if let Some(component) = part.component
                    && entity.attribute(component.field).is_none()
                {
                    let message = placed.named(Message::new(&RULE));
                    let message = message.say(" of ").name(entity.name).say(" names ").name(component.field);
                    return Some(advise(message, entity, component.field));
                }
                segment += 1;
            }
        }
        place += 1;
    }
    None
}

const fn advise(message: Message, entity: &EntityShape<'_>, field: &str) -> Message {
    let mut rest = entity.attributes;
    while let [attribute, later @ ..] = rest {
        if text::equal(attribute.field, field) {
            return message
                .say(", which items store as ")
                .name(attribute.name)
                .say(": templates use the stored name, so write `{")
                .say(attribute.name)
                .say("}`.");
        }
        rest = later;
    }
    let message = message.say(", but the entity has no such attribute. It has ");
    let mut message = message;
    let mut rest = entity.attributes;
    while let [attribute, later @ ..] = rest {
        message = message.name(attribute.name);
        if !later.is_empty() {
            message = message.say(", ");
        }
        rest = later;
    }
    if entity.attributes.is_empty() {
        message = message.say("none");
    }
    message.say(". Name one of them, or add the attribute.")
}

enforced!(Entity);
