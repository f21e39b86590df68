//! KW0322: a component's new value is known when the update is sent.

use super::changing::{Change, RenderedKeys};
use super::{Check, Rule, Severity, action_type};
use crate::message::Message;
use crate::shape::{ChangeAction, TableShape, UpdateShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0322",
    name: "component-computed",
    title: "A component whose new value only the database would know",
    severity: Severity::Error,
    finds: "An update that adds to, subtracts from, appends to or deletes from an attribute which the key of an index is \
            rendered from, or that sets it if it is absent.",
    hurts: "The key of the index is rendered from the new value, which is not known before the write: the item would stay in \
            the index under its old key.",
    example: "#[entity(.., index(ByScore, partition_key = \"ORG#{organization_id}\", sort_key = \"{score}\"))]\nstruct \
              Player { .. }\n\n#[derive(Update)]\n#[update(table = App, of = Player)]\nstruct Won { #[update(add)] score: \
              u64 }",
    instead: "Read the item and set the value, with a condition or a version that it still is so. Or key the index by the \
              attribute itself: `index(ByScore, partition_key(organization_id), sort_key(score: number))` renders nothing.",
    check: Check::Update(check),
};

/// What is wrong with the change at `place`, if something is.
#[must_use]
pub const fn check_change<'a>(
    table: &TableShape<'a>,
    update: &UpdateShape<'a>,
    place: usize,
) -> Option<Message> {
    let Some(change) = Change::of_changeable(table, update, place) else { return None };
    let how = match change.change.action {
        ChangeAction::Set | ChangeAction::Remove => return None,
        ChangeAction::SetIfAbsent => " if it is absent",
        ChangeAction::Add | ChangeAction::Subtract | ChangeAction::Append | ChangeAction::DeleteFrom => "",
    };
    if action_type::check_change(table, update, place).is_some() {
        return None;
    }
    let mut keys = RenderedKeys::of(table, change.entity);
    while let Some(key) = keys.next() {
        if key.is_made_of(change.change.attribute) {
            let message = change.said(Message::new(&RULE), update).say(how);
            let message = message.say(", which the key in index ").name(key.index);
            return Some(message.say(
                " is rendered from, and the new value is not known before the write. Set the value that it is to have.",
            ));
        }
    }
    None
}

enforced!(Update);
