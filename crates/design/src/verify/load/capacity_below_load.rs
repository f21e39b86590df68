//! KW0620: the capacity that the file gives is enough for the load that it expects.

use keywright_key::IndexReach;

use crate::cost::PlaceLoad;
use crate::facts::Facts;
use crate::model::{Billing, CapacityUnits, ProvisionedCapacity, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0620",
    name: "capacity-below-load",
    title: "Less capacity than the expected load needs",
    severity: Severity::Error,
    finds: "Provisioned units, the most that auto scaling may give, or the ceiling of a table on demand, below the read or \
            write units that the expected load needs; for a global index, the read units. An index's write units are KW0712's.",
    hurts: "What is above is throttled all the time, not in peaks: \
            [throttling](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingThrottling.html).",
    example: "[table.app]\nbilling = { read = 10, write = 5 }\n\n[pattern.feed]\nreturns = [\"post\"]\n\
              expected = { items = 50, per_second = 100 }",
    instead: "At least what the load needs on average, and more for its peaks: auto scaling between the quiet hour and the \
              busiest, or on demand.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(cost) = facts.costs().table(&table.name) else { continue };
        check_table(table, &cost.own, findings);
        for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Global) {
            let load = cost.indexes.iter().find(|load| load.index.as_deref() == Some(index.name.as_str()));
            let (Some(load), Some(capacity)) = (load, &index.capacity) else { continue };
            let most = most(capacity);
            if let Some(message) =
                compare(&format!("index `{}`", index.name), "read", most.read, needed_reads(load))
            {
                findings.report(Place::index(&table.name, &index.name).member("capacity"), message);
            }
        }
    }
}

fn check_table(table: &Table, load: &PlaceLoad, findings: &mut Findings<'_>) {
    let most = match table.billing.chosen() {
        Some(Billing::Provisioned(capacity)) => most(capacity),
        Some(Billing::OnDemand { maximum: Some(maximum) }) => *maximum,
        Some(Billing::OnDemand { maximum: None }) | None => return,
    };
    let name = format!("`{}`", table.name);
    let needed_writes = load.write_units_per_second.known().copied();
    for (what, most, needed) in
        [("read", most.read, needed_reads(load)), ("write", most.write, needed_writes)]
    {
        if let Some(message) = compare(&name, what, most, needed) {
            findings.report(Place::table(&table.name).member("billing"), message);
        }
    }
}

fn needed_reads(load: &PlaceLoad) -> Option<f64> {
    load.read_units_per_second.known().copied()
}

fn most(capacity: &ProvisionedCapacity) -> CapacityUnits {
    match &capacity.autoscaling {
        None => capacity.units,
        Some(scaling) => CapacityUnits { read: scaling.read.most, write: scaling.write.most },
    }
}

fn compare(name: &str, what: &str, most: u64, needed: Option<f64>) -> Option<String> {
    let needed = needed?;
    #[expect(clippy::cast_precision_loss, reason = "units a second are far below 2^53")]
    let is_enough = most as f64 >= needed;
    (!is_enough).then(|| {
        format!(
            "{name} gets at most {} {what} units a second, and its expected load needs {} on average: the rest is throttled. Give \
             it more than that, with room for peaks.",
            number(most),
            decimal(needed)
        )
    })
}
