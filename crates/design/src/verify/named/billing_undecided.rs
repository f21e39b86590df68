//! KW0509: it is decided how capacity is paid for.

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0509",
    name: "billing-undecided",
    title: "Nobody decided how capacity is paid for",
    severity: Severity::Warning,
    finds: "A table that does not say its capacity mode.",
    hurts: "Units that are provisioned by guess throttle at the first peak, or are paid for all night. On demand without \
            a ceiling pays for a loop that has run wild ([capacity \
            modes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-mode.html)).",
    example: "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"",
    instead: "Say `billing = \"on-demand\"` while the load is new or uneven, better with a ceiling, `billing = { \
              on_demand = { read = 4000, write = 2000 } }`. For a steady load compare with `billing = { read = 100, \
              write = 50, autoscaling = .. }`: `keywright design check` prices both.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if table.billing.is_undecided() {
            findings.report(
                Place::table(&table.name),
                format!(
                    "`{}` does not say how its capacity is paid for. Add `billing = \"on-demand\"`, or \
                         provisioned units with autoscaling if the load is steady.",
                    table.name
                ),
            );
        }
    }
}
