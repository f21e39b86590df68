//! KW0506: it is decided whether items of a table expire.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0506",
    name: "time-to-live-undecided",
    title: "Nobody decided whether items expire",
    severity: Severity::Warning,
    finds: "A table that says neither by which attribute its items expire nor that they stay.",
    hurts: "What is transient stays for ever: sessions, codes, idempotency keys, connections. Storage is paid for each \
            month, and a deletion by hand costs a write for each item, while expiry costs none ([time to \
            live](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Name the attribute, `time_to_live = \"expires_at\"`, and give it to the entities that expire; or decide \
              that all items stay: `time_to_live = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        // An entity that expires where its table does not look is reported by a rule of the key crate.
        let expires = facts.entities_of(&table.name).any(|entity| entity.time_to_live().is_some());
        if table.time_to_live.is_undecided() && !expires {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say whether its items expire. Name the attribute, `time_to_live = \"expires_at\"`, or decide that \
                     they stay: `time_to_live = false`.",
                    table.name
                ),
            );
        }
    }
}
