//! KW0215: a reservation and the entity that holds it know each other, and the reservation tells one holder from another.

use super::key_view::{KeyView, PartView};
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, TableShape, Tenancy};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0215",
    name: "reservation",
    title: "A reservation that does not hold a value for one item",
    severity: Severity::Error,
    finds: "A reservation that its entity does not name, or the reverse; one that lacks a part of the key of the item that holds it, that \
            expires otherwise than that item, that has a version, a stamp or shards; one with the whole key of its holder in its own key.",
    hurts: "Two items would have what one may have: a reservation that does not say whose it is cannot be told from another's, one that expires \
            earlier is given away while it is held, and one whose key has its holder's key in it is never taken by two.",
    example: "#[derive(Entity)]\n#[entity(table = App, .., sort_key = \"EMAIL#{email}\", reservation_of = User)]\n\
              struct UserEmail { organization_id: OrganizationId, email: String }",
    instead: "Give the reservation every attribute that the holder's key is made of and the holder's time to live, name in its key what is to be \
              unique and the tenant, and list it in the holder's `unique(..)`.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let mut rest = entity.unique;
    while let [name, later @ ..] = rest {
        if let Some(reservation) = table.entity(name)
            && !is_of(reservation, entity.name)
        {
            let message = Message::new(&RULE).name(entity.name).say(" is to be unique by ").name(name);
            let message = message.say(", which is no reservation of it. Add `reservation_of = ");
            return Some(message.say(entity.name).say("` to its `#[entity(..)]`."));
        }
        rest = later;
    }
    let Some(owner) = entity.reservation_of else { return None };
    match table.entity(owner) {
        // An entity that is not there, and one that the table does not list, are reported elsewhere.
        None => None,
        Some(owner) => check_reservation(table, entity, owner),
    }
}

const fn check_reservation<'a>(
    table: &TableShape<'a>,
    reservation: &EntityShape<'a>,
    owner: &EntityShape<'a>,
) -> Option<Message> {
    let begin = Message::new(&RULE).name(reservation.name);
    if !names(owner.unique, reservation.name) {
        let message = begin.say(" is a reservation of ").name(owner.name);
        return Some(
            message
                .say(", which does not hold it. Add `unique(")
                .say(reservation.name)
                .say(")` to the `#[entity(..)]` of the holder."),
        );
    }
    if reservation.reservation_of.is_some() && !reservation.unique.is_empty() {
        return Some(
            begin.say(" is a reservation, and has reservations itself. Name them all in the holder."),
        );
    }
    if reservation.key.shards.is_sharded() {
        return Some(begin.say(
            " is a reservation over shards: with another number of shards it could be held twice. Leave the shards out.",
        ));
    }
    let counted = if reservation.version.is_some() {
        Some(" counts versions")
    } else if reservation.created.is_some() || reservation.updated.is_some() {
        Some(" has a stamp")
    } else {
        None
    };
    if let Some(counted) = counted {
        return Some(
            begin
                .say(" is a reservation and")
                .say(counted)
                .say(", which are its holder's: it has no writes of its own. Leave it out."),
        );
    }
    if !is_same(reservation.time_to_live, owner.time_to_live) {
        let message = begin.say(" is a reservation of ").name(owner.name);
        return Some(match owner.time_to_live {
            Some(attribute) => message.say(", which expires by ").name(attribute).say(
                ". Give the reservation the same attribute with `#[entity(ttl)]`, so that it is free when its holder is gone.",
            ),
            None => message.say(
                ", which does not expire. Leave `#[entity(ttl)]` out, or what is held would be given away.",
            ),
        });
    }
    check_key(table, reservation, owner)
}

/// What is wrong with what the reservation has of the owner's key.
const fn check_key<'a>(
    table: &TableShape<'a>,
    reservation: &EntityShape<'a>,
    owner: &EntityShape<'a>,
) -> Option<Message> {
    let (Some(key), Some(own)) = (KeyView::of(owner, None), KeyView::of(reservation, None)) else {
        return None;
    };
    let parts = [Some(key.partition), key.sort];
    let mut is_whole_key_in_own = true;
    let mut remaining = parts.as_slice();
    while let [part, later @ ..] = remaining {
        if let Some(part) = part {
            let mut place = 0;
            while place < part.len() {
                if let Some(field) = part.field(place) {
                    if reservation.attribute(field).is_none() {
                        return Some(lacks(reservation, owner, field));
                    }
                    is_whole_key_in_own =
                        is_whole_key_in_own && (is_made_of(&own, field) || is_tenant(table, field));
                }
                place += 1;
            }
        }
        remaining = later;
    }
    if let Tenancy::Attribute(tenant) = table.tenancy
        && reservation.attribute(tenant).is_none()
        && owner.attribute(tenant).is_some()
    {
        return Some(lacks(reservation, owner, tenant));
    }
    if !is_whole_key_in_own {
        return None;
    }
    let message = Message::new(&RULE).name(reservation.name).say(" has the whole key of ").name(owner.name);
    Some(message.say(
        " in its own, so that no two items ever want the same one. Make its key of what is to be unique, and of the tenant.",
    ))
}

const fn lacks(reservation: &EntityShape<'_>, owner: &EntityShape<'_>, attribute: &str) -> Message {
    let message = Message::new(&RULE).name(reservation.name).say(" lacks ").name(attribute);
    let message =
        message.say(", which tells one ").name(owner.name).say(" from another. Add the attribute, as ");
    message.name(owner.name).say(" has it.")
}

const fn is_made_of(key: &KeyView<'_>, field: &str) -> bool {
    is_part_made_of(Some(key.partition), field) || is_part_made_of(key.sort, field)
}

const fn is_part_made_of(part: Option<PartView<'_>>, field: &str) -> bool {
    match part {
        Some(part) => part.place_of(field).is_some(),
        None => false,
    }
}

const fn is_tenant(table: &TableShape<'_>, field: &str) -> bool {
    match table.tenancy {
        Tenancy::Attribute(tenant) => text::equal(tenant, field),
        Tenancy::None => false,
    }
}

const fn is_of(reservation: &EntityShape<'_>, owner: &str) -> bool {
    match reservation.reservation_of {
        Some(name) => text::equal(name, owner),
        None => false,
    }
}

const fn names(names: &[&str], asked: &str) -> bool {
    let mut rest = names;
    while let [name, later @ ..] = rest {
        if text::equal(name, asked) {
            return true;
        }
        rest = later;
    }
    false
}

const fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => text::equal(one, other),
        (None, None) => true,
        _ => false,
    }
}

enforced!(Entity);
