//! KW0834: replication reads the stream.

use crate::facts::Facts;
use crate::model::{Decision, ReplicationConsistency, StreamView};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0834",
    name: "replicated-stream",
    title: "A replicated table without the stream that replicates it",
    severity: Severity::Error,
    finds: "A table that is replicated with eventual consistency and whose stream does not carry both images, or is not \
            there.",
    hurts: "DynamoDB replicates by reading the table's stream, with the new and the old images, and does not let it be switched off \
            ([how global tables work](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)).",
    example: "[table.app]\nstream = false\nreplication = { regions = [\"eu-west-1\"], consistency = \"eventual\" }",
    instead: "Say `stream = \"new-and-old-images\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let is_eventual = table
            .replication
            .as_ref()
            .is_some_and(|replication| replication.consistency == ReplicationConsistency::Eventual);
        let has = match &table.stream {
            Decision::Yes(StreamView::NewAndOldImages) => continue,
            Decision::Yes(_) => "carries half of that",
            Decision::No => "is switched off",
            Decision::Undecided => "is not spoken of",
        };
        if is_eventual {
            findings.report(
                Place::table(&table.name).member("stream"),
                format!(
                    "`{}` is replicated by its stream, with the new and the old images, and the stream {has}. Say `stream = \
                     \"new-and-old-images\"`.",
                    table.name
                ),
            );
        }
    }
}
