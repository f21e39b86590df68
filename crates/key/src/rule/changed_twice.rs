//! KW0321: an update changes each attribute once.

use super::changing::Change;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{TableShape, UpdateShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0321",
    name: "changed-twice",
    title: "An attribute that an update changes twice",
    severity: Severity::Error,
    finds: "Two changes of one attribute in one update.",
    hurts: "DynamoDB refuses the request: \"Two document paths overlap with each other\".",
    example: "#[derive(Update)]\n#[update(table = App, of = Task, remove(note))]\nstruct Close { note: String }",
    instead: "Keep the change that is meant. What is removed sometimes is an `Option`: `None` removes it.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::at(table, update, place) else { return None };
    let (mut rest, _) = update.changes.split_at(place);
    while let [earlier, later @ ..] = rest {
        if text::equal(earlier.attribute, change.change.attribute) {
            let message = change.said(Message::new(&RULE), update).say(", which it changes already, ");
            return Some(message.say("and DynamoDB refuses that. Keep one of the two."));
        }
        rest = later;
    }
    None
}

enforced!(Update);
