//! KW0830: a stream is read by somebody.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0830",
    name: "stream-without-consumer",
    title: "A stream that nobody reads",
    severity: Severity::Advice,
    finds: "A table with a stream and without a consumer. A replicated table has one for its replication.",
    hurts: "Its consumers are not verified: whether they see deletes, act once, and let one bad record pass. Or there is none, and \
            changes are found by scans and second writes that a stream would replace.",
    example: "[table.app]\nstream = \"new-and-old-images\"",
    instead: "Declare who reads it, `[consumer.search]`, or switch it off: `stream = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.stream.chosen().is_some()
            && table.replication.is_none()
            && facts.consumers_of(&table.name).next().is_none()
        {
            findings.report(
                Place::table(&table.name).member("stream"),
                format!(
                    "nobody is said to read the stream of `{}`. Declare its consumers, or switch it off: `stream = \
                     false`.",
                    table.name
                ),
            );
        }
    }
}
