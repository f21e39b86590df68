//! KW0213: claims, buckets and tokens expire, and locks do not.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, Purpose, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0213",
    name: "expiry-of-purpose",
    title: "A claim that stays for ever, or a lock that does not",
    severity: Severity::Error,
    finds: "A claim, the bucket of a rate limit or a token that is used once, and no attribute at which its items expire; or a lock with \
            one.",
    hurts: "Each request leaves an item behind that nobody deletes, and they become most of the table and of its bill. The item of a \
            lock is the other way round: it counts the fencing tokens. Without it they begin again at 1, and a writer that was \
            believed dead has the highest token.",
    example: "#[derive(Entity)]\n#[entity(table = App, partition_key = \"ORG#{organization_id}\", sort_key = \"EVENT#{event_id}\", purpose = \
              \"claim\")]\nstruct WebhookEvent { organization_id: OrganizationId, event_id: String }",
    instead: "Name the table's time to live, which the data layer sets: `ttl = \"expires_at\"`. Leave it out of a lock.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    let begun = Message::new(&RULE).name(entity.name).say(" is ").say(entity.purpose.noun());
    match (entity.purpose, entity.time_to_live) {
        (Purpose::Claim | Purpose::RateLimit | Purpose::SingleUseToken, None) => Some(begun.say(
            ", and its items never expire. Name the table's time to live, which the data layer sets: `ttl = \"expires_at\"`.",
        )),
        (Purpose::Lock, Some(attribute)) => {
            let message = begun.say(", and expires by ").name(attribute);
            Some(message.say(
                ". Its item counts fencing tokens, which would begin again at 1. Leave the time to live out: the lease is what ends.",
            ))
        }
        _ => None,
    }
}

enforced!(Entity);
