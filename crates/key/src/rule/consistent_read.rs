//! KW0307: a global index is read with eventual consistency.

use super::reading::Source;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{Consistency, IndexReach, PatternShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0307",
    name: "consistent-read",
    title: "A consistent read on a global index",
    severity: Severity::Error,
    finds: "A pattern that reads a global secondary index and asks for strong consistency.",
    hurts: "DynamoDB refuses the request: a global index is written after the table is.",
    example: "[pattern.memberships]\nindex = \"by_user\"\nconsistency = \"strong\"",
    instead: "Read the table, or a local index, where a write must be seen at once. Elsewhere let the caller cope with an \
              answer that lacks the latest writes.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let Source::Index(index) = Source::of(table, pattern) else { return None };
    match (pattern.consistency, index.reach) {
        (Consistency::Strong, IndexReach::Global) => {
            let message = Message::new(&RULE).name(pattern.name).say(" asks for a consistent read, but ");
            Some(message.name(index.name).say(
                " is a global index, which is written after the table is. Leave the consistency out, or read the table or \
                 a local index where a write must be seen at once.",
            ))
        }
        _ => None,
    }
}

enforced!(Pattern);
