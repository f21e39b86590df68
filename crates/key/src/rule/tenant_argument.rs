//! KW0404: the tenant is who asks, never what is asked for.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{PatternShape, TableShape, Tenancy};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0404",
    name: "tenant-argument",
    title: "The tenant as an argument",
    severity: Severity::Error,
    finds: "A pattern that is given the tenant.",
    hurts: "A tenant that comes with the request is one that a caller can change. The tenant is the handle that the read \
            goes through, and nothing beside it.",
    example: "[pattern.teams]\nreturns = [\"team\"]\ngiven = [\"organization_id\"]",
    instead: "Leave it out: it is implied in every key.",
    check: Check::Pattern(check),
};

/// What is wrong with the pattern, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Option<Message> {
    let Tenancy::Attribute(tenant) = table.tenancy else { return None };
    if pattern.given(tenant).is_none() {
        return None;
    }
    let message = Message::new(&RULE).name(pattern.name).say(" is given the tenant, ").name(tenant);
    Some(message.say(
        ". The tenant is the handle that the read goes through, not an argument that a caller could change. Leave it out: \
         it is implied in every key.",
    ))
}

enforced!(Pattern);
