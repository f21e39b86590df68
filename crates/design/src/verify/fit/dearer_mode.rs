//! KW0911: the capacity mode is the one that costs less.

use crate::cost::{CapacityMode, TableCost};
use crate::facts::Facts;
use crate::model::{Billing, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, money};

/// By which part the other mode must be cheaper to be worth a word.
const WORTH_IT: f64 = 0.25;
/// Less than this a month is not worth a word.
const LEAST_SAVED: f64 = 1.0;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0911",
    name: "dearer-mode",
    title: "A capacity mode that costs more than the other",
    severity: Severity::Advice,
    finds: "A table whose capacity mode costs at least a quarter more than the other one would at the expected load, where the \
            file says enough to compute both.",
    hurts: "On demand every request has its price; provisioned every hour of a unit has, used or not. Which one is cheaper \
            follows from how much of the provisioned units is used on average: \
            [evaluating the mode](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_TableCapacityMode.html).",
    example: "[table.app]\nbilling = \"on-demand\"\n\n[pattern.feed]\nexpected = { items = 50, per_second = 2000 }",
    instead: "Take the cheaper mode if the load is as even as the figures say: on demand for a load that jumps or is unknown, \
              provisioned with auto scaling for one that is steady. A table can change its mode later.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        if let Some(cost) = facts.costs().table(&table.name)
            && let Some(message) = check_table(table, cost)
        {
            findings.report(Place::table(&table.name).member("billing"), message);
        }
    }
}

fn check_table(table: &Table, cost: &TableCost) -> Option<String> {
    let (on_demand, provisioned) = (*cost.on_demand.total.known()?, *cost.provisioned.total.known()?);
    // A table of which no pattern and no write is known has no load that could be compared.
    let has_load = *cost.on_demand.reads.known()? + *cost.on_demand.writes.known()? > 0.0;
    if !has_load || (on_demand - provisioned).abs() < LEAST_SAVED {
        return None;
    }
    let break_even = decimal((cost.modes.break_even_utilization.known()? * 100.0).round());
    let name = &table.name;
    match (table.billing.chosen()?, cost.modes.cheaper?) {
        (Billing::OnDemand { .. }, CapacityMode::Provisioned)
            if provisioned * (1.0 + WORTH_IT) <= on_demand =>
        {
            Some(format!(
                "`{name}` is on demand and costs {} a month at its expected load; provisioned, with auto scaling at {} %, it \
                 costs {}. If the load is steady, provision it: that is cheaper where more than {break_even} % of the units \
                 are used on average.",
                money(on_demand),
                decimal(cost.modes.target_utilization * 100.0),
                money(provisioned),
            ))
        }
        (Billing::Provisioned(_), CapacityMode::OnDemand) if on_demand * (1.0 + WORTH_IT) <= provisioned => {
            Some(format!(
                "`{name}` is provisioned and costs {} a month; on demand its expected load costs {}. Take \
                 `billing = \"on-demand\"`, or provision less: provisioned units are cheaper where more than {break_even} % of \
                 them are used on average.",
                money(provisioned),
                money(on_demand),
            ))
        }
        _ => None,
    }
}
