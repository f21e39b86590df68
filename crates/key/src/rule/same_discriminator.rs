//! KW0204: the discriminator tells every two entities apart.

use super::same_key::after;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0204",
    name: "same-discriminator",
    title: "Two entities with one discriminator",
    severity: Severity::Error,
    finds: "Two entities of a table with the same name, or whose items hold the same value in the discriminator \
            attribute.",
    hurts: "An item that is read back is taken for the other entity.",
    example: "[entity.member]\ndiscriminator = \"user\"\n\n[entity.guest]\ndiscriminator = \"user\"",
    instead: "Give each entity a discriminator of its own. Do not give it that of an entity that is gone while items of \
              that one are still stored.",
    check: Check::Entity(check),
};

/// What is wrong with the entity and one that the table lists after it, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let mut others = after(table.entities, entity.name);
    while let [other, later @ ..] = others {
        if text::equal(entity.name, other.name) {
            let message = Message::new(&RULE).name(table.name).say(" lists two entities with the name ");
            return Some(message.name(entity.name).say(". Give each a name of its own, and list it once."));
        }
        if text::equal(entity.discriminator, other.discriminator) {
            let message = Message::new(&RULE).name(entity.name).say(" and ").name(other.name);
            let message =
                message.say(" both have ").quote(entity.discriminator).say(" in ").name(table.discriminator);
            return Some(message.say(
                ", so an item of one would be read as the other. Give each entity a discriminator of its own.",
            ));
        }
        others = later;
    }
    None
}

enforced!(Entity);
