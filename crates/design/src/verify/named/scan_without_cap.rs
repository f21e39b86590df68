//! KW0504: a scan stops at a number of items, and says that it did.

use crate::facts::Facts;
use crate::model::PatternOperation;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0504",
    name: "scan-without-cap",
    title: "A scan without an end",
    severity: Severity::Warning,
    finds: "A job that scans a table and does not say how many items one run reads at most.",
    hurts: "The job was written for the table of its day. Years later it fills the memory, runs into the next night, or spends a \
            month's money, and nothing says so.",
    example: "[pattern.integrity_walk]\noperation = { scan = \"nightly check of the audit chain\" }\nreturns = \
              [\"audit_entry\"]",
    instead: "Give it a cap well above what it reads today, `most_items = 100000`, and let the job report when it is hit: the data \
              layer's maintenance scans stop there and emit an event, so that the cap is raised by somebody who knows.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if let PatternOperation::Scan { reason, most_items: None } = &pattern.operation
            // Without a job another rule reports the scan itself.
            && !reason.trim().is_empty()
        {
            findings.report(
                Place::pattern(&pattern.name).member("operation"),
                format!(
                    "`{}` scans `{}` without a cap, and would go on however large the table becomes. Add `most_items`, and report \
                     when a run hits it.",
                    pattern.name, pattern.table
                ),
            );
        }
    }
}
