//! KW0908: what is read together lies together.

use std::collections::HashMap;

use crate::facts::Facts;
use crate::model::{Billing, Entity, Pattern, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0908",
    name: "read-together",
    title: "Two tables, of which the same values are asked",
    severity: Severity::Advice,
    finds: "Patterns that are given the same values and read entities with the same partition key from two tables whose mode, \
            stream, backup and class are the same.",
    hurts: "Whoever needs both sends two requests. Under one partition key of one table, one query returns both, in one round \
            trip and, where they are small, for the price of one: \
            [single table](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/data-modeling-foundations.html).",
    example: "[entity.order]\ntable = \"orders\"\npartition_key = \"ORDER#{order_id}\"\n\n[entity.line]\ntable = \"lines\"\n\
              partition_key = \"ORDER#{order_id}\"\n\n[pattern.order]\ngiven = [\"order_id\"]\n\n[pattern.lines_of_order]\n\
              given = [\"order_id\"]",
    instead: "If one caller needs both, put both entities into one table and let one pattern return them. If nobody does, two \
              tables are simpler: say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let mut seen: HashMap<(&str, Vec<&str>), (&Pattern, &Entity, &Table)> = HashMap::new();
    for pattern in &facts.design().patterns {
        let Some((entity, table)) = source(facts, pattern) else { continue };
        let mut given: Vec<&str> = pattern.given.iter().map(String::as_str).collect();
        given.sort_unstable();
        let key = (entity.partition_key.text(), given);
        let Some((other, other_entity, other_table)) = seen.get(&key) else {
            seen.insert(key, (pattern, entity, table));
            continue;
        };
        if other_table.name != table.name && has_same_settings(other_table, table) {
            findings.report(
                Place::pattern(&pattern.name).member("table"),
                format!(
                    "`{pattern}` and `{other}` are given the same, and read `{entity}` from `{table}` and `{other_entity}` from \
                     `{other_table}` by one partition key, `{key}`. In one table one query returns both: if one caller needs \
                     both, put them together.",
                    pattern = pattern.name,
                    other = other.name,
                    entity = entity.name,
                    table = table.name,
                    other_entity = other_entity.name,
                    other_table = other_table.name,
                    key = entity.partition_key.text(),
                ),
            );
        }
    }
}

/// The entity that the pattern reads by the table's own key, if its caller has to give more than who it is.
fn source<'d>(facts: &Facts<'d>, pattern: &'d Pattern) -> Option<(&'d Entity, &'d Table)> {
    if pattern.index.is_some() || pattern.given.is_empty() {
        return None;
    }
    let entity = facts.entity(&pattern.returns.first()?.entity)?;
    let shape = facts.entity_shape(&entity.name)?;
    let is_given = pattern.given.iter().any(|given| shape.key.partition_key.names(given));
    (is_given && entity.table == pattern.table).then_some((entity, facts.table(&pattern.table)?))
}

fn has_same_settings(one: &Table, other: &Table) -> bool {
    let is_on_demand =
        |table: &Table| table.billing.chosen().map(|billing| matches!(billing, Billing::OnDemand { .. }));
    one.stream == other.stream
        && one.backup == other.backup
        && one.class == other.class
        && one.replication == other.replication
        && is_on_demand(one) == is_on_demand(other)
}
