//! KW0323: what every item has is not removed.

use super::changing::Change;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{ChangeAction, Presence, TableShape, UpdateShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0323",
    name: "required-removed",
    title: "An update that removes what every item has",
    severity: Severity::Error,
    finds: "An update that removes an attribute which is no `Option` in the entity, or that sets it from an `Option`, whose \
            `None` removes it.",
    hurts: "The item cannot be read any more: the entity needs the attribute.",
    example: "#[derive(Update)]\n#[update(table = App, of = Team, remove(name))]\nstruct ForgetName;",
    instead: "Make the attribute an `Option` in the entity, or give it a value each time.",
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
    let Some(attribute) = change.entity.attribute(change.change.attribute) else { return None };
    if matches!(attribute.presence, Presence::Sometimes) {
        return None;
    }
    let without_value = match (change.change.action, change.change.presence) {
        (ChangeAction::Remove, _) => "",
        (ChangeAction::Set, Presence::Sometimes) => " from an `Option`, whose `None` removes it",
        _ => return None,
    };
    let message = change.said(Message::new(&RULE), update).say(without_value).say(", but every ");
    let message = message.name(change.entity.name).say(" has ").name(attribute.name);
    Some(message.say(": the item could not be read any more. Give it a value each time, or make it an `Option` in the entity."))
}

enforced!(Update);
