//! KW0832: a transaction is whole in its own region.

use super::written;
use crate::facts::Facts;
use crate::model::{ReplicationConsistency, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0832",
    name: "transaction-across-regions",
    title: "A transaction that other regions see in parts",
    severity: Severity::Warning,
    finds: "A transaction of several items in a table that is replicated with eventual consistency.",
    hurts: "It is atomic in the region where it was sent. Its items are replicated one by one: a reader elsewhere sees some and not yet \
            others, and a write there can replace one of them \
            ([transactions in global tables](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html)).",
    example: "[table.app]\nreplication = { regions = [\"eu-west-1\"], consistency = \"eventual\" }\n\n[write.transfer]\noperation = \
              \"transaction\"\nentities = [\"account\"]\nitems = 2\nonce = \"token\"",
    instead: "Let readers elsewhere cope with the parts, and write the items in one home region, and say so in an exception. Else keep \
              them in a table that is not replicated.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation != WriteOperation::Transaction || write.items < 2 {
            continue;
        }
        let replicated = written(facts, write).find_map(|entity| {
            let table = facts.table(&entity.table)?;
            let replication = table.replication.as_ref()?;
            (replication.consistency == ReplicationConsistency::Eventual).then_some(table)
        });
        if let Some(table) = replicated {
            findings.report(
                Place::write(&write.name).member("operation"),
                format!(
                    "`{}` is whole in its own region only: the items of `{}` reach the others one by one. Let readers there cope with \
                     that and say so in an exception, or keep them in a table that is not replicated.",
                    write.name, table.name
                ),
            );
        }
    }
}
