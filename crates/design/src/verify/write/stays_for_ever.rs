//! KW0801: what is transient expires.

use crate::facts::Facts;
use crate::model::Purpose;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0801",
    name: "stays-for-ever",
    title: "Transient items that stay for ever",
    severity: Severity::Warning,
    finds: "A claim, a bucket, a single-use token, or an entity that is said to be ephemeral, without an attribute at which \
            it expires.",
    hurts: "Each request leaves an item that nobody deletes: idempotency keys, sessions, connections, codes and buckets become most \
            of the table, and its bill. Expiry is free \
            ([time to live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html)).",
    example: "[entity.webhook_event]\npartition_key = \"WEBHOOK#{event_id}\"\nsort_key = \"EVENT\"\npurpose = \"claim\"",
    instead: "Give it an attribute of the type `time-to-live`, the one that its table looks at, and set it beyond the last moment at \
              which the sender tries again: four days for Stripe, six hours for Slack.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        let is_transient = match entity.purpose {
            Purpose::Claim | Purpose::RateLimit | Purpose::SingleUseToken | Purpose::Ephemeral => true,
            Purpose::Data
            | Purpose::Lock
            | Purpose::ExactCounter
            | Purpose::ApproximateCounter
            | Purpose::Audit => false,
        };
        if !is_transient || entity.time_to_live().is_some() {
            continue;
        }
        let declared = facts.table(&entity.table).and_then(|table| table.time_to_live.chosen());
        // An attribute of that name that holds something else is reported by another rule.
        if declared.is_some_and(|name| entity.attribute(name.as_str()).is_some()) {
            continue;
        }
        let name = declared.map_or("expires_at", |name| name.as_str());
        findings.report(
            Place::entity(&entity.name),
            format!(
                "`{}` is {}, and its items never expire. Add `{name} = \"time-to-live\"` to its attributes.",
                entity.name,
                entity.purpose.noun()
            ),
        );
    }
}
