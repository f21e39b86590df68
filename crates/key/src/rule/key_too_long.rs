//! KW0105: the shortest key that a template can write fits into DynamoDB's limit.

use super::key_view::language;
use super::placed_template::{at, places};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0105",
    name: "key-too-long",
    title: "A template whose every key is too long",
    severity: Severity::Error,
    finds: "A template whose literal text and shortest values have more than 2,048 bytes for a partition key or 1,024 \
            for a sort key.",
    hurts: "DynamoDB refuses every item of the entity. Values that are too long one at a time are refused when they are \
            rendered, before any request.",
    example: "[entity.note]\nsort_key = \"NOTE#and-a-thousand-letters-more#{note_id}\"",
    instead: "Shorten the literal text: it is stored and paid for in every item.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check(_table: &TableShape<'_>, entity: &EntityShape<'_>) -> Option<Message> {
    let mut place = 0;
    while place < places(entity) {
        if let Some(placed) = at(entity, place) {
            let mut segment = 0;
            let mut length = placed.template.len() - 1;
            while segment < placed.template.len() {
                length += language(placed.template, segment, entity.attributes).least_length();
                segment += 1;
            }
            if length > placed.role.longest_bytes() {
                let message = placed.named(Message::new(&RULE)).say(" of ").name(entity.name);
                return Some(
                    message
                        .say(" has at least ")
                        .number(length)
                        .say(" bytes, and DynamoDB takes ")
                        .number(placed.role.longest_bytes())
                        .say(". Shorten the literal text."),
                );
            }
        }
        place += 1;
    }
    None
}

enforced!(Entity);
