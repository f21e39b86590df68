//! KW0826: a record that always fails goes somewhere.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0826",
    name: "no-dead-letters",
    title: "A consumer whose failed records vanish",
    severity: Severity::Warning,
    finds: "A consumer without a place for records that fail again and again.",
    hurts: "When the retries are used up the batch is dropped, without a trace: what it should have done never happens, and nobody \
            knows for which items \
            ([discarded records](https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html)).",
    example: "[consumer.search]\ntable = \"app\"\nneeds = \"new-image\"\nidempotent_by = \"the item's key\"\nretries = 3",
    instead: "Name a queue, `dead_letters = \"search-dlq\"`, with an alarm on its depth. It gets where the records stand, not the \
              records: they can be read there for 24 hours.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        if consumer.dead_letters.is_none() {
            findings.report(
                Place::consumer(&consumer.name),
                format!(
                    "records that `{0}` fails on again and again go nowhere. Name a queue: `dead_letters = \"{0}-dlq\"`.",
                    consumer.name
                ),
            );
        }
    }
}
