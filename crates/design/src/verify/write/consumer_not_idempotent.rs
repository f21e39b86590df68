//! KW0825: a record that comes twice has effect once.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0825",
    name: "consumer-not-idempotent",
    title: "A consumer that acts on a record twice",
    severity: Severity::Error,
    finds: "A consumer that does not say what keeps a record that comes twice from having effect twice.",
    hurts: "Records are delivered at least once: after an error the whole batch comes again, with those that were handled already. The \
            mail is sent twice, the total counted twice \
            ([DynamoDB as an event source](https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html)).",
    example: "[consumer.mailer]\ntable = \"app\"\nneeds = \"new-image\"",
    instead: "Say it, and do it: `idempotent_by = \"a claim on the event's id\"`, by a conditional write on a version, or because the same \
              is written again under the same key. The data layer's write id, or the record's event id, is the key of the claim.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        if consumer.idempotent_by.as_deref().is_none_or(|by| by.trim().is_empty()) {
            findings.report(
                Place::consumer(&consumer.name),
                format!(
                    "`{}` does not say what keeps a record that comes twice from having effect twice, and records come at least \
                     once. Say it: `idempotent_by = \"a claim on the event's id\"`.",
                    consumer.name
                ),
            );
        }
    }
}
