//! KW0712: an index keeps up with its table.

use keywright_key::IndexReach;

use super::key_parts::KeyParts;
use crate::facts::{Entry, Facts};
use crate::model::{Billing, Index, Presence, ProvisionedCapacity, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0712",
    name: "index-back-pressure",
    title: "An index with fewer write units than its writes need",
    severity: Severity::Warning,
    finds: "A global index whose write units, or the most that auto scaling may give it, are below what the expected writes \
            need there; and, where the file does not say the load, below those of the table while every item of the table is \
            in the index.",
    hurts: "A write of the table is refused when one of its indexes cannot take it, however much capacity the table has left: \
            [throttled indexes](https://repost.aws/knowledge-center/dynamodb-gsi-throttling-table).",
    example: "[table.app]\nbilling = { read = 100, write = 100 }\n\n[table.app.index.by_user]\ncapacity = { read = 50, write = 10 }",
    instead: "Give the index as many write units as the table, and the same auto scaling; fewer only where few of the table's \
              writes change it.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let Some(Billing::Provisioned(of_table)) = table.billing.chosen() else { continue };
        for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Global) {
            if let Some(of_index) = &index.capacity
                && let Some(message) = check_index(facts, (table, of_table), (index, of_index))
            {
                findings.report(Place::index(&table.name, &index.name).member("capacity"), message);
            }
        }
    }
}

fn check_index<'d>(
    facts: &Facts<'d>,
    (table, of_table): (&'d Table, &ProvisionedCapacity),
    (index, of_index): (&'d Index, &ProvisionedCapacity),
) -> Option<String> {
    let (most, most_of_table) = (most_writes(of_index), most_writes(of_table));
    let begin =
        format!("index `{}` of `{}` takes {} write units a second", index.name, table.name, number(most));
    match needed(facts, table, index) {
        #[expect(clippy::cast_precision_loss, reason = "units a second are far below 2^52")]
        Some(needed) if needed > most as f64 => Some(format!(
            "{begin}, and the expected writes need {needed} there: the rest is refused, in the table too. Give it at least {needed}.",
            needed = decimal(needed)
        )),
        Some(_) => None,
        None if most < most_of_table && holds_every_item(facts, table, index) => Some(format!(
            "{begin}, the table {}, and every item is in the index: it throttles the table before the table is full. Give both \
             the same.",
            number(most_of_table)
        )),
        None => None,
    }
}

/// The write units a second that the expected load needs in the index, if the file says it.
fn needed(facts: &Facts<'_>, table: &Table, index: &Index) -> Option<f64> {
    let cost = facts.costs().table(&table.name)?;
    let load = cost.indexes.iter().find(|load| load.index.as_deref() == Some(index.name.as_str()))?;
    load.write_units_per_second.known().copied()
}

fn most_writes(capacity: &ProvisionedCapacity) -> u64 {
    capacity.autoscaling.as_ref().map_or(capacity.units.write, |scaling| scaling.write.most)
}

/// Whether all entities of the table are in the index with all their items.
fn holds_every_item<'d>(facts: &Facts<'d>, table: &'d Table, index: &'d Index) -> bool {
    let entries = facts.entries_of(table, index);
    let has_all_parts = |entry: &Entry<'d>| {
        KeyParts::of(index, entry).all().all(|part| {
            entry.entity.attribute(part).is_some_and(|attribute| attribute.presence == Presence::Always)
        })
    };
    entries.len() == facts.entities_of(&table.name).count() && entries.iter().all(has_all_parts)
}
