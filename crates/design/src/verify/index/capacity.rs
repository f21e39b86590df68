//! KW0711: an index has the capacity that its table's mode asks for.

use keywright_key::IndexReach;

use crate::facts::Facts;
use crate::model::{Billing, Index, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0711",
    name: "index-capacity",
    title: "An index whose capacity does not fit its table's mode",
    severity: Severity::Error,
    finds: "A global index without capacity in a provisioned table, and an index with capacity in a table on demand.",
    hurts: "The table cannot be created: a global index of a provisioned table has units of its own, and one of a table on \
            demand has none: \
            [CreateTable](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html).",
    example: "[table.app]\nbilling = { read = 100, write = 50 }\n\n[table.app.index.by_user]     # no capacity\n\
              partition_key = [\"user_id\"]",
    instead: "Give each global index of a provisioned table `capacity = { read = .., write = .. }`, with as many write units \
              as the table unless it is sparse. Leave `capacity` out elsewhere.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            if let Some(message) = check_index(table, index) {
                findings.report(Place::index(&table.name, &index.name).member("capacity"), message);
            }
        }
    }
}

fn check_index(table: &Table, index: &Index) -> Option<String> {
    let (index_name, name) = (&index.name, &table.name);
    match (table.billing.chosen()?, index.reach, &index.capacity) {
        (Billing::Provisioned(capacity), IndexReach::Global, None) => Some(format!(
            "`{name}` is provisioned, and index `{index_name}` has no capacity of its own. Add \
             `capacity = {{ read = .., write = {} }}`: an index with fewer write units than its writes need throttles the \
             table.",
            capacity.units.write
        )),
        (Billing::OnDemand { .. }, _, Some(_)) => Some(format!(
            "index `{index_name}` has capacity, and `{name}` is on demand, where an index has none. Leave `capacity` out."
        )),
        // The reader refuses a local index with capacity.
        (Billing::Provisioned(_), IndexReach::Global, Some(_))
        | (Billing::Provisioned(_), IndexReach::Local, _)
        | (Billing::OnDemand { .. }, _, None) => None,
    }
}
