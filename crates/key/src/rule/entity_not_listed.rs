//! KW0201: a table lists its entities.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0201",
    name: "entity-not-listed",
    title: "An entity that its table does not list",
    severity: Severity::Error,
    finds: "An entity that says it is stored in a table, and that is not among the table's entities.",
    hurts: "Nothing compares its keys with those of the others, so it could overwrite their items, or turn up in the \
            results of their patterns.",
    example: "#[table(entities(Team))]\nstruct App;\n\n#[entity(table = App, ..)]\nstruct Member { .. }",
    instead: "Add the entity to the table's list: `entities(Team, Member)`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    if table.entity(entity.name).is_some() {
        return None;
    }
    let message = Message::new(&RULE).name(entity.name).say(" is stored in ").name(table.name).say(", but ");
    Some(message.name(table.name).say(" does not list it: add it to `entities(..)`."))
}

enforced!(Entity);
