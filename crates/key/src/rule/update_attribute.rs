//! KW0317: an update changes attributes that its entity has.

use super::changing::{Change, has_none_called};
use super::managed_attribute::is_managed;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{TableShape, UpdateShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0317",
    name: "update-attribute",
    title: "An update of an attribute that the entity does not have",
    severity: Severity::Error,
    finds: "An update that changes or removes an attribute which the entity does not have.",
    hurts: "The item gets an attribute that nothing reads, and the one that was meant stays as it is.",
    example: "#[derive(Update)]\n#[update(table = App, of = Task, remove(nicknam))]\nstruct ForgetNickname;",
    instead: "Correct the name: updates use the names that items store.",
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
    let attribute = change.change.attribute;
    if change.entity.attribute(attribute).is_some() || is_managed(table, change.entity, attribute) {
        return None;
    }
    Some(has_none_called(change.said(Message::new(&RULE), update), change.entity, attribute))
}

enforced!(Update);
