//! KW0510: it is decided what wakes somebody.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0510",
    name: "alarms-undecided",
    title: "Nobody decided what wakes somebody",
    severity: Severity::Warning,
    finds: "A table that says neither which alarms it has nor that it has none.",
    hurts: "Throttling is first seen by customers. Consumed capacity shows it coming, hours before \
            ([metrics](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Add `alarms = [\"consumed-read-capacity\", \"consumed-write-capacity\", \"throttled-requests\"]`: \
              `keywright design emit` writes them for CloudWatch. Or decide that nobody is woken: `alarms = false`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.alarms.is_undecided() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say what wakes somebody. Add `alarms = [\"consumed-read-capacity\", \
                         \"consumed-write-capacity\", \"throttled-requests\"]`, or decide that nobody is \
                         woken: `alarms = false`.",
                    table.name
                ),
            );
        }
    }
}
