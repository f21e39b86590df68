//! KW0212: each attribute of an entity has a name of its own.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0212",
    name: "same-attribute",
    title: "Two attributes that are stored under one name",
    severity: Severity::Error,
    finds: "Two fields of an entity that are stored as the same attribute, after renames.",
    hurts: "One overwrites the other when the item is stored.",
    example: "struct Member {\n    team: TeamId,\n    #[serde(rename = \"team\")]\n    team_name: String,\n}",
    instead: "Give each field a stored name of its own.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let mut rest = entity.attributes;
    while let [attribute, later @ ..] = rest {
        let mut others = later;
        while let [other, remaining @ ..] = others {
            if text::equal(attribute.name, other.name) {
                let message = Message::new(&RULE)
                    .say("the fields ")
                    .name(attribute.field)
                    .say(" and ")
                    .name(other.field);
                let message =
                    message.say(" of ").name(entity.name).say(" are both stored as ").name(attribute.name);
                return Some(message.say(". Give each a stored name of its own."));
            }
            others = remaining;
        }
        rest = later;
    }
    None
}

enforced!(Entity);
