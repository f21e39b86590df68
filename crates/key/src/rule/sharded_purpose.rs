//! KW0214: what one condition decides is one item.

use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{EntityShape, Purpose, TableShape};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0214",
    name: "sharded-purpose",
    title: "Shards of what one condition decides",
    severity: Severity::Error,
    finds: "A claim, a lock, the bucket of a rate limit or a token whose key is sharded.",
    hurts: "Who is first is decided by a condition on one item. Shards of it would not be found again when their number changes, and \
            two would be first.",
    example: "[entity.job_lock]\npartition_key = \"ORG#{organization_id}\"\nsort_key = \"LOCK#{name}\"\nshards = 8\npurpose = \"lock\"",
    instead: "Leave the shards out, and let the partition key have another component if there are too many writes for one. Counters \
              can be sharded: their parts are added up.",
    check: Check::Entity(check),
};

/// What is wrong with the entity, if something is.
#[must_use]
pub const fn check<'a>(_table: &TableShape<'a>, entity: &EntityShape<'a>) -> Option<Message> {
    match entity.purpose {
        Purpose::Data | Purpose::ExactCounter { .. } | Purpose::ApproximateCounter { .. } => None,
        Purpose::Claim | Purpose::Lock | Purpose::RateLimit | Purpose::SingleUseToken
            if !entity.key.shards.is_sharded() =>
        {
            None
        }
        Purpose::Claim | Purpose::Lock | Purpose::RateLimit | Purpose::SingleUseToken => Some(
            Message::new(&RULE).name(entity.name).say(" is ").say(entity.purpose.noun()).say(
                " and has shards, but one condition on one item decides. Leave the shards out; another component of the partition key \
                 spreads writes.",
            ),
        ),
    }
}

enforced!(Entity);
