//! KW0216: the time to live of an entity is a whole number of seconds.

use super::{Check, Rule, Severity};
use crate::component::{ComponentKind, Precision};
use crate::message::Message;
use crate::shape::{AttributeKind, EntityShape, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0216",
    name: "time-to-live-type",
    title: "A time to live that is no whole number of seconds",
    severity: Severity::Error,
    finds: "An entity whose items expire by an attribute that is no unsigned integer: text, a number with a sign or a fraction, or a \
            type that nothing is known of.",
    hurts: "DynamoDB expires items by a number of seconds since 1970 and ignores text silently: the items stay \
            ([using time to live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html)). Conditions compare \
            the attribute with the present second, which never holds for text, so no such item could be changed.",
    example: "#[derive(Entity)]\n#[entity(table = App, partition_key = \"ORG#{organization_id}\", sort_key = \"SESSION#{session_id}\")]\n\
              struct Session {\n    organization_id: String,\n    session_id: String,\n    #[entity(ttl)]\n    expires_at: Timestamp,\n}",
    instead: "Give it the type `u64`, or `Option<u64>` where some items stay: seconds since 1970. A newtype of it says what it is by \
              `component_newtype!`. A timestamp that is meant for people gets an attribute of its own.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let Some(name) = entity.time_to_live else { return None };
    let Some(attribute) = entity.attribute(name) else { return None };
    match attribute.kind {
        // A timestamp in seconds is what a design file calls it, which is always written as a number.
        AttributeKind::Component(
            ComponentKind::Unsigned(_) | ComponentKind::Timestamp(Precision::Seconds),
        ) => None,
        kind => Some(
            Message::new(&RULE)
                .name(entity.name)
                .say(" expires by ")
                .name(name)
                .say(", which is ")
                .say(kind.name())
                .say(". Make it `u64`, or an `Option` of it: whole seconds since 1970."),
        ),
    }
}

enforced!(Entity);
