//! KW0305: what a pattern returns from an index is in the index.

use super::reading::Source;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0305",
    name: "not-in-index",
    title: "A pattern that returns what is not in its index",
    severity: Severity::Error,
    finds: "A pattern that reads an index and returns an entity that has no key there.",
    hurts: "Its items are never in the index: the pattern finds nothing, and nobody sees why.",
    example: "[pattern.teams_of_user]\nindex = \"by_user\"\nreturns = [\"team\"]",
    instead: "Give the entity a key in the index, or return what has one.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let Source::Index(index) = Source::of(table, pattern) else { return None };
    let mut rest = pattern.returns;
    while let [returned, later @ ..] = rest {
        if let Some(entity) = table.entity(returned.entity)
            && entity.entry(index.name).is_none()
        {
            let message = Message::new(&RULE).name(pattern.name).say(" returns ").name(entity.name);
            let message = message.say(" from index ").name(index.name).say(", where it has no key. Add ");
            return Some(message.say("a key for this index to the entity, or read the table."));
        }
        rest = later;
    }
    None
}

enforced!(Pattern);
