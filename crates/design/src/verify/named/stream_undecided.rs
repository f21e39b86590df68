//! KW0507: it is decided whether a table has a stream.

use crate::facts::Facts;
use crate::model::ReplicationConsistency;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0507",
    name: "stream-undecided",
    title: "Nobody decided whether others learn of changes",
    severity: Severity::Warning,
    finds: "A table that says neither what its stream carries nor that it has none.",
    hurts: "Who needs the changes later finds none of the earlier ones: a stream begins when it is switched on, and \
            keeps 24 hours. Without one, teams scan for changes or write to two stores, which drift apart \
            ([streams](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Say what it carries, `stream = \"new-and-old-images\"` if searches, caches, audits or other systems follow \
              the table; or that nobody follows it: `stream = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        // A consumer, or a replica, that lacks its stream is reported by a rule of its own.
        let is_replicated_by_it = table
            .replication
            .as_ref()
            .is_some_and(|replication| replication.consistency == ReplicationConsistency::Eventual);
        let is_needed = is_replicated_by_it || facts.consumers_of(&table.name).next().is_some();
        if table.stream.is_undecided() && !is_needed {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say whether it has a stream. Say what it carries, `stream = \"new-and-old-images\"`, or that \
                     nobody follows its changes: `stream = false`.",
                    table.name
                ),
            );
        }
    }
}
