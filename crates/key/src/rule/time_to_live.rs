//! KW0208: the time to live of an entity is the one that its table looks at.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0208",
    name: "time-to-live",
    title: "A time to live that the table does not look at",
    severity: Severity::Error,
    finds: "An entity whose items expire by an attribute that the table does not declare as its time to live, or that the \
            entity does not have.",
    hurts: "DynamoDB ignores the attribute silently, and the items stay for ever.",
    example: "[table.app]\npartition_key = \"pk\"\n\n[entity.session]\nattributes = { expires_at = \"time-to-live\" }",
    instead: "Declare the attribute for the table: `time_to_live = \"expires_at\"`. A table has one.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Some(attribute) = entity.time_to_live else { return None };
    if let Some(declared) = table.time_to_live
        && text::equal(declared, attribute)
        && entity.attribute(attribute).is_some()
    {
        return None;
    }
    let message = Message::new(&RULE).name(entity.name).say(" expires by ").name(attribute);
    Some(match table.time_to_live {
        Some(declared) if text::equal(declared, attribute) => {
            message.say(", which it does not have. Add the attribute.")
        }
        Some(declared) => message
            .say(", but ")
            .name(table.name)
            .say(" looks at ")
            .name(declared)
            .say(", and a table has one time to live. Use ")
            .name(declared)
            .say("."),
        None => message
            .say(", but ")
            .name(table.name)
            .say(" has no time to live, so its items would stay for ever. Declare ")
            .name(attribute)
            .say(" as the table's."),
    })
}

enforced!(Entity);
