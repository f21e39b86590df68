//! KW0818: a batch puts and deletes, without conditions.

use crate::facts::Facts;
use crate::model::{WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0818",
    name: "batch-with-condition",
    title: "A batch that asks or edits",
    severity: Severity::Error,
    finds: "A batch with a condition, and one that changes attributes.",
    hurts: "BatchWriteItem puts whole items and deletes them. It takes no conditions and no updates, and its items are not written \
            as a whole: some may be, and others not \
            ([BatchWriteItem](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html)).",
    example: "[write.import_users]\noperation = \"batch\"\nentities = [\"user\"]\nitems = 500\ncondition = \"if-absent\"",
    instead: "Write one by one, several at a time, each with its condition; or up to 100 as a transaction, at twice the units, if \
              they must be written together.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if write.operation != WriteOperation::Batch {
            continue;
        }
        let (member, what) = if write.condition != WriteCondition::None {
            ("condition", "has a condition, and a batch takes none")
        } else if !write.changes.is_empty() {
            ("changes", "changes attributes, and a batch puts and deletes whole items")
        } else {
            continue;
        };
        findings.report(
            Place::write(&write.name).member(member),
            format!(
                "`{}` {what}. Write the items one by one, several at a time, or up to 100 of them as a transaction.",
                write.name
            ),
        );
    }
}
