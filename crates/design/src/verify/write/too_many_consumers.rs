//! KW0829: two consumers of a shard are enough.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0829",
    name: "too-many-consumers",
    title: "More consumers than a stream can serve",
    severity: Severity::Warning,
    finds: "More than two consumers of one table's stream; more than one if the table is replicated.",
    hurts: "Two processes can read a shard at one time, and one of a global table, whose replication reads it too. Others are throttled, \
            and all of them fall behind \
            ([simultaneous readers of a shard](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-dynamodb-streams-simultaneous-shard-readers)).",
    example: "[consumer.search]\ntable = \"app\"\n\n[consumer.mailer]\ntable = \"app\"\n\n[consumer.statistics]\ntable = \
              \"app\"",
    instead: "Let one consumer pass the records on, to a topic or an event bus that serves many; or stream the table to Kinesis, which \
              has fan-out.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let (most, why) = match table.replication {
            Some(_) => (1, "one, beside its replication"),
            None => (2, "two"),
        };
        let consumers = facts.consumers_of(&table.name).count();
        if consumers > most {
            findings.report(
                Place::table(&table.name).member("stream"),
                format!(
                    "`{}` has {consumers} consumers, and its stream serves {why}. Let one of them pass the records on to a topic that \
                     serves the others.",
                    table.name
                ),
            );
        }
    }
}
