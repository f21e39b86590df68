//! KW0202: a table lists its access patterns.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0202",
    name: "pattern-not-listed",
    title: "An access pattern that its table does not list",
    severity: Severity::Error,
    finds: "A pattern that says which table it reads, and that is not among the table's patterns.",
    hurts: "The list is the table's contract: load, cost and indexes are computed from it, and a pattern that is not \
            there is planned for by nobody.",
    example: "#[table(entities(Team), patterns())]\nstruct App;\n\n#[access_pattern(table = App, returns(Team))]\nstruct Teams {}",
    instead: "Add the pattern to the table's list: `patterns(Teams)`.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let mut rest = table.patterns;
    while let [listed, later @ ..] = rest {
        if text::equal(listed.name, pattern.name) {
            return None;
        }
        rest = later;
    }
    let message = Message::new(&RULE).name(pattern.name).say(" reads ").name(table.name).say(", but ");
    Some(message.name(table.name).say(" does not list it: add it to `patterns(..)`."))
}

enforced!(Pattern);
