//! KW0402: a deviation has a reason, is needed, and can be verified.

use super::index_schema::is_blank;
use super::key_view::KeyView;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{DeviationShape, EntityShape, KeyPlace, TableShape, Tenancy};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0402",
    name: "deviation",
    title: "A deviation without a reason, or without need",
    severity: Severity::Error,
    finds: "A declared deviation whose reason is empty, for a key that holds the tenant, for an index in which the entity \
            has no key, twice for one key, or in a table without tenants.",
    hurts: "Whoever reviews the design cannot tell what is meant. A deviation that is not needed lets a later change of \
            the key pass unseen.",
    example: "[tenancy]\nattribute = \"organization_id\"\ndeviations = [{ entity = \"team\", reason = \"it was easier\" }]\n\n[entity.team]\n\
              partition_key = \"ORG#{organization_id}\"",
    instead: "Say why the key cannot hold the tenant: `reason = \"the token is the lookup value\"`. Remove the deviation if \
              the key holds it.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let mut rest = entity.deviations;
    while let [deviation, later @ ..] = rest {
        if let Some(message) = check_deviation(table, entity, deviation, later) {
            return Some(message);
        }
        rest = later;
    }
    None
}

const fn check_deviation<'a>(
    table: &TableShape<'a>,
    entity: &EntityShape<'a>,
    deviation: &DeviationShape<'a>,
    later: &[DeviationShape<'a>],
) -> Option<Message> {
    let Tenancy::Attribute(tenant) = table.tenancy else {
        return Some(begin(entity, deviation).say(", but ").name(table.name).say(
            " has no tenants to deviate from. Remove it, or declare the tenant attribute of the table.",
        ));
    };
    if is_blank(deviation.reason) {
        return Some(
            begin(entity, deviation)
                .say(" without a reason. Say why the key cannot hold the tenant, for whoever reviews it."),
        );
    }
    let mut others = later;
    while let [other, remaining @ ..] = others {
        if deviation.key.is(&other.key) {
            return Some(begin(entity, deviation).say(" twice. Keep one."));
        }
        others = remaining;
    }
    let key = match deviation.key {
        KeyPlace::Table => KeyView::of(entity, None),
        KeyPlace::Index(name) => match table.index(name) {
            Some(index) => KeyView::of(entity, Some(index)),
            None => None,
        },
    };
    match key {
        None => Some(
            begin(entity, deviation).say(", where it has no key. Remove it, or correct the index's name."),
        ),
        Some(key) if key.partition.place_of(tenant).is_some() => {
            let message = key
                .partition
                .named(begin(entity, deviation).say(", but the partition key "))
                .say(" holds the tenant. ");
            Some(message.say("Remove the deviation."))
        }
        Some(_) => None,
    }
}

const fn begin(entity: &EntityShape<'_>, deviation: &DeviationShape<'_>) -> Message {
    let message = Message::new(&RULE).name(entity.name).say(" declares a deviation");
    match deviation.key {
        KeyPlace::Table => message,
        KeyPlace::Index(index) => message.say(" in index ").name(index),
    }
}

enforced!(Entity);
