//! KW0705: whoever reads an index can see whether an item has expired.

use keywright_key::rule::not_projected;

use crate::facts::Facts;
use crate::model::{Index, Pattern, ReturnedAttributes, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0705",
    name: "expiry-not-in-index",
    title: "An index that does not say whether an item has expired",
    severity: Severity::Error,
    finds: "A pattern that reads items with a time to live from an index which does not hold the attribute, neither projected \
            nor in a key.",
    hurts: "DynamoDB typically deletes an expired item within two days, and until then reads return it: \
            [expired items](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html). From this \
            index an expired session, code or invitation looks like a valid one.",
    example: "[table.app]\ntime_to_live = \"expires_at\"\n\n[table.app.index.sessions_of_user]\nproject = [\"device\"]",
    instead: "Project the attribute of the time to live, or make it the sort key: a range from now on then reads what is \
              valid, and nothing else.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            check_index(facts, findings, table, index);
        }
    }
}

fn check_index<'d>(facts: &Facts<'d>, findings: &mut Findings<'_>, table: &'d Table, index: &'d Index) {
    let Some(table_shape) = facts.table_shape(&table.name) else { return };
    let Some(index_shape) = table_shape.index(index.name.as_str()) else { return };
    for entry in facts.entries_of(table, index) {
        let Some(attribute) = entry.shape.time_to_live else { continue };
        if not_projected::holds(table_shape, index_shape, entry.shape, attribute) {
            continue;
        }
        let entity = &entry.entity.name;
        let is_blind = |pattern: &&Pattern| {
            pattern.index.as_ref() == Some(&index.name)
                && pattern.table == table.name
                && pattern.returns.iter().any(|returned| match &returned.attributes {
                    ReturnedAttributes::Only(names) => {
                        returned.entity == *entity && !names.iter().any(|name| *name == *attribute)
                    }
                    // It returns the attribute itself, so the key crate reports that the index does not hold it.
                    ReturnedAttributes::Whole => false,
                })
        };
        if let Some(pattern) = facts.patterns_returning(entity).find(is_blind) {
            findings.report(
                Place::index(&table.name, &index.name).member("project"),
                format!(
                    "`{pattern}` reads `{entity}` from index `{index}`, which does not hold `{attribute}`: until DynamoDB \
                     deletes them, hours or days later, expired items look like valid ones. Project `{attribute}`.",
                    pattern = pattern.name,
                    index = index.name
                ),
            );
        }
    }
}
