//! KW0910: provisioned capacity follows the load.

use keywright_key::IndexReach;

use crate::facts::Facts;
use crate::model::Billing;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0910",
    name: "fixed-capacity",
    title: "Provisioned capacity without auto scaling",
    severity: Severity::Warning,
    finds: "A provisioned table, or a global index of one that scales, whose units are fixed.",
    hurts: "Below the load requests are throttled, above it money is spent on nothing, and a load is never the same all day: \
            [auto scaling](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html). An index that \
            does not scale with its table throttles the table's writes.",
    example: "[table.app]\nbilling = { read = 100, write = 50 }",
    instead: "Let the units follow the load: `autoscaling = { target_percent = 70, read = { least = 5, most = 500 }, write = \
              { least = 5, most = 500 } }`, the same for each index. Take `billing = \"on-demand\"` for a load that jumps, since \
              auto scaling needs minutes to follow.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(Billing::Provisioned(capacity)) = table.billing.chosen() else { continue };
        // A replicated table must scale: that is another rule's error.
        if table.replication.is_some() {
            continue;
        }
        if capacity.autoscaling.is_none() {
            let message = format!(
                "`{}` is provisioned with fixed units, {} for reads and {} for writes: a higher load is throttled, a lower one \
                 pays for all of them. Declare `autoscaling`, or take `billing = \"on-demand\"` if the load jumps.",
                table.name, capacity.units.read, capacity.units.write
            );
            findings.report(Place::table(&table.name).member("billing"), message);
            continue;
        }
        for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Global) {
            if index.capacity.as_ref().is_some_and(|capacity| capacity.autoscaling.is_none()) {
                let message = format!(
                    "`{}` scales with its load and its index `{}` does not, so writes are throttled by the index when the table \
                     has grown. Declare `autoscaling` for the index too.",
                    table.name, index.name
                );
                findings.report(Place::index(&table.name, &index.name).member("capacity"), message);
            }
        }
    }
}
