//! KW0320: an update leaves alone what the data layer writes by itself.

use super::changing::Change;
use super::not_projected::is_key_attribute;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, IndexKeys, IndexShape, StampShape, TableShape, UpdateShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0320",
    name: "managed-attribute",
    title: "An update of what the data layer writes itself",
    severity: Severity::Error,
    finds: "An update that changes the discriminator, the version, a stamp of when an item was written, the count of a counter, the \
            expiry of a claim, a bucket or a token, or an attribute that a key is rendered into.",
    hurts: "The item becomes one of another kind, an update that should fail because another came between does not, or the \
            item is found under a key that is not its own.",
    example: "#[derive(Update)]\n#[update(table = App, of = Document)]\nstruct Retitle { title: String, version: u64 }",
    instead: "Leave it out: versions count and stamps are set by themselves, and keys follow from the attributes that they are rendered from.",
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
    let begun = change.said(Message::new(&RULE), update);
    if text::equal(table.discriminator, attribute) {
        let message = begun.say(", in which ").name(table.name).say(" stores which entity an item is. ");
        return Some(message.say("An item stays what it is: put another one."));
    }
    if is_version(change.entity, attribute) {
        let message = begun.say(", which counts the versions of ").name(change.entity.name);
        return Some(message.say(": every write counts by itself. Leave it out."));
    }
    if is_stamp(change.entity, attribute) {
        let message = begun.say(", which says when a ").name(change.entity.name);
        return Some(message.say(" was written: every write says so by itself. Leave it out."));
    }
    if change.entity.purpose.keeps(attribute, change.entity.time_to_live) {
        let message = begun.say(", which the data layer keeps of ").name(change.entity.name);
        return Some(
            message
                .say(" by itself: what is done to ")
                .say(change.entity.purpose.noun())
                .say(" is a call of its own."),
        );
    }
    if is_rendered_into(table, change.entity, attribute) {
        return Some(begun.say(
            ", which a key is rendered into. Set the attributes that it is rendered from: the key follows by itself.",
        ));
    }
    None
}

/// Whether an update of the attribute breaks this rule.
pub(super) const fn is_managed(table: &TableShape<'_>, entity: &EntityShape<'_>, attribute: &str) -> bool {
    text::equal(table.discriminator, attribute)
        || is_version(entity, attribute)
        || is_stamp(entity, attribute)
        || is_rendered_into(table, entity, attribute)
}

const fn is_version(entity: &EntityShape<'_>, attribute: &str) -> bool {
    match entity.version {
        Some(version) => text::equal(version, attribute),
        None => false,
    }
}

const fn is_stamp(entity: &EntityShape<'_>, attribute: &str) -> bool {
    is_of(entity.created, attribute) || is_of(entity.updated, attribute)
}

const fn is_of(stamp: Option<StampShape<'_>>, attribute: &str) -> bool {
    match stamp {
        Some(stamp) => text::equal(stamp.attribute, attribute),
        None => false,
    }
}

/// Whether keys are rendered into the attribute, and it is none of the entity's own.
const fn is_rendered_into(table: &TableShape<'_>, entity: &EntityShape<'_>, attribute: &str) -> bool {
    if entity.attribute(attribute).is_some() {
        return false;
    }
    if is_key_attribute(table, None, attribute) {
        return true;
    }
    let mut rest: &[IndexShape<'_>] = table.indexes;
    while let [index, later @ ..] = rest {
        if matches!(index.keys, IndexKeys::Rendered { .. }) && is_key_attribute(table, Some(index), attribute)
        {
            return true;
        }
        rest = later;
    }
    false
}

enforced!(Update);
