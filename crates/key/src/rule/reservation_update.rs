//! KW0325: an update that changes what a reservation holds says so, and says the new value.

use super::changing::Change;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{ChangeAction, EntityShape, TableShape, UpdateKind, UpdateShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0325",
    name: "reservation-update",
    title: "An update that changes what a reservation holds",
    severity: Severity::Error,
    finds: "An update of an attribute that a reservation holds, or of the time to live, which is not marked `unique`, or does anything but set or \
            remove it; an update that is marked so and changes nothing of the kind; an update of a reservation itself.",
    hurts: "The reservation would go on holding the old value and nobody the new one, so that two items can have it; or a reservation would be \
            given away while its holder has the value.",
    example: "#[derive(Update)]\n#[update(table = App, of = User)]\nstruct ChangeEmail { email: String }",
    instead: "Mark the update, `#[update(table = App, of = User, unique)]`, set the attribute, and send it by `update_unique`: the old \
              reservation goes and the new one comes in the same transaction.",
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
    let entity = change.entity;
    if let Some(owner) = entity.reservation_of {
        let message = change.said(Message::new(&RULE), update).say(" of a reservation of ").name(owner);
        return Some(message.say(". A reservation is what its holder is: update the holder."));
    }
    let held_by = reservation_with(table, entity, change.change.attribute);
    match (update.kind, held_by) {
        (UpdateKind::Plain, None) => None,
        (UpdateKind::Plain, Some(reservation)) => {
            let message = change.said(Message::new(&RULE), update).say(", which ").name(reservation.name);
            Some(message.say(
                " holds. Mark the update by `unique` and send it by `update_unique`, so that the reservation changes with it.",
            ))
        }
        (UpdateKind::Unique, Some(reservation)) => match change.change.action {
            ChangeAction::Set | ChangeAction::Remove => None,
            _ => {
                let message = change.said(Message::new(&RULE), update).say(", which ").name(reservation.name);
                Some(
                    message.say(
                        " holds: what it will be is not known before it is written. Set it, or remove it.",
                    ),
                )
            }
        },
        (UpdateKind::Unique, None) => {
            if place > 0 || changes_some(table, update, entity) {
                return None;
            }
            let message = Message::new(&RULE)
                .name(update.name)
                .say(" is marked `unique`, and changes nothing that a reservation of ");
            Some(message.name(entity.name).say(" holds. Leave `unique` out."))
        }
    }
}

/// The reservation that has the attribute, if one has.
const fn reservation_with<'a>(
    table: &TableShape<'a>,
    entity: &EntityShape<'a>,
    attribute: &str,
) -> Option<&'a EntityShape<'a>> {
    let mut rest = entity.unique;
    while let [name, later @ ..] = rest {
        if let Some(reservation) = table.entity(name)
            && reservation.attribute(attribute).is_some()
        {
            return Some(reservation);
        }
        rest = later;
    }
    None
}

const fn changes_some(table: &TableShape<'_>, update: &UpdateShape<'_>, entity: &EntityShape<'_>) -> bool {
    let mut rest = update.changes;
    while let [change, later @ ..] = rest {
        if reservation_with(table, entity, change.attribute).is_some() {
            return true;
        }
        rest = later;
    }
    false
}

enforced!(Update);
