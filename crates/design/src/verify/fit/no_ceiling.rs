//! KW0912: what a table on demand can cost has an end.

use crate::facts::Facts;
use crate::model::Billing;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0912",
    name: "no-ceiling",
    title: "On demand without a ceiling",
    severity: Severity::Advice,
    finds: "A table on demand without a maximum of read and write units a second.",
    hurts: "On demand, a loop that went wrong or a client that floods the table is served, up to the account's quota of 40,000 \
            units a second for a table, and each request is charged: \
            [maximum throughput](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html).",
    example: "[table.app]\nbilling = \"on-demand\"",
    instead: "Set a ceiling well above the highest expected load: `billing = { on_demand = { read = 4000, write = 2000 } }`. \
              It is a target, which bursts may pass for a moment; what is beyond is throttled, and the alarm on throttled \
              requests says so.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if let Some(Billing::OnDemand { maximum: None }) = table.billing.chosen() {
            findings.report(
                Place::table(&table.name).member("billing"),
                format!(
                    "`{}` is on demand without a ceiling: a loop that went wrong is served and charged up to the account's \
                     quota. Set one well above the highest load, `billing = {{ on_demand = {{ read = .., write = .. }} }}`.",
                    table.name
                ),
            );
        }
    }
}
