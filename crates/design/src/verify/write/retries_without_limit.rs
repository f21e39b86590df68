//! KW0827: one bad record does not stop a shard.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0827",
    name: "retries-without-limit",
    title: "A consumer that tries a bad record for a day",
    severity: Severity::Warning,
    finds: "A consumer that does not say how often a batch is tried again.",
    hurts: "The default is for ever: until the record expires, 24 hours later. All that time nothing behind it in its shard is \
            handled, and then its neighbours expire with it \
            ([MaximumRetryAttempts](https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html)).",
    example: "[consumer.search]\ntable = \"app\"\nneeds = \"new-image\"\nidempotent_by = \"the item's \
              key\"\ndead_letters = \"search-dlq\"",
    instead: "Say `retries = 3`, with pauses in between, and let dead letters take what is left. Halving a failed batch finds the one \
              record that is bad.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        if consumer.delivery.retries.is_none() {
            findings.report(
                Place::consumer(&consumer.name),
                format!(
                    "`{}` tries a record that fails until it expires after 24 hours, and nothing behind it in its shard is handled \
                     meanwhile. Say `retries = 3`.",
                    consumer.name
                ),
            );
        }
    }
}
