//! KW0508: it is decided how items come back.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0508",
    name: "backup-undecided",
    title: "Nobody decided how items come back after a mistake",
    severity: Severity::Warning,
    finds: "A table that says neither how it is backed up nor that it is not.",
    hurts: "The service loses no item; a deployment, a script or a tired person does, in all replicas at once. Without \
            point-in-time recovery or an export there is nothing to go back to ([point-in-time \
            recovery](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Switch recovery on, `point_in_time_recovery = true` for 35 days back, or name the schedule, `backup = { \
              schedule = \"nightly export to S3\" }`. For data that can be made again, decide against it: \
              `point_in_time_recovery = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.backup.is_undecided() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say how its items come back after a mistake. Add \
                         `point_in_time_recovery = true`, or `backup = {{ schedule = \"nightly export to \
                         S3\" }}`, or decide that they need not: `point_in_time_recovery = false`.",
                    table.name
                ),
            );
        }
    }
}
