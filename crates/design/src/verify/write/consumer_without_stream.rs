//! KW0822: what a consumer reads is there.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0822",
    name: "consumer-without-stream",
    title: "A consumer of a table without a stream",
    severity: Severity::Error,
    finds: "A consumer whose table has no stream, or does not say whether it has one.",
    hurts: "It is told of nothing, and what was written before the stream is switched on will never reach it \
            ([streams](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html)).",
    example: "[table.app]\nstream = false\n\n[consumer.search]\ntable = \"app\"\nneeds = \"new-image\"",
    instead: "Switch it on with what its consumers need: `stream = \"new-and-old-images\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        let Some(table) = facts.table(&consumer.table) else { continue };
        if table.stream.chosen().is_none() {
            findings.report(
                Place::consumer(&consumer.name).member("table"),
                format!(
                    "`{}` reads the stream of `{}`, which has none. Say `stream = \"new-and-old-images\"` there.",
                    consumer.name, table.name
                ),
            );
        }
    }
}
