//! KW0512: it is decided whether a table can simply be deleted.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0512",
    name: "deletion-protection-undecided",
    title: "Nobody decided whether the table can simply be deleted",
    severity: Severity::Warning,
    finds: "A table that does not say whether it is protected from deletion.",
    hurts: "One call deletes a table with all its items, and so does a stack that is renamed or rolled back ([deletion \
            protection](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Add `deletion_protection = true`, or `false` for a table that is made anew by each deployment.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.deletion_protection.is_undecided() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say whether it is protected from deletion. Add `deletion_protection \
                         = true`, or `false` if it may go at any time.",
                    table.name
                ),
            );
        }
    }
}
