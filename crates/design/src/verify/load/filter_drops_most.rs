//! KW0618: a filter keeps most of what is read.

use crate::facts::Facts;
use crate::model::{Filter, Pattern};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, names, percent};

/// Below this share a filter throws most away.
const MOST: f64 = 0.5;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0618",
    name: "filter-drops-most",
    title: "A filter that throws away most of what it reads",
    severity: Severity::Warning,
    finds: "A filter that keeps less than half of what is read from the table, or from an index that other patterns read \
            without one. An index that is only read with filters is KW0707's.",
    hurts: "What a filter drops was read and is paid for, and pages come back short or empty: \
            [filter expressions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html).",
    example: "[pattern.open_tasks]\nreturns = [\"task\"]\ngiven = [\"project_id\"]\n\
              filter = { attributes = [\"state\"], keeps = 0.05 }",
    instead: "The attribute as a component of the key, before what it is sorted by (`STATE#{state}#{due_at}`), or a sparse index \
              that holds only the items that are wanted.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if let Some(filter) = &pattern.filter
            && let Some(keeps) = filter.keeps.filter(|keeps| *keeps < MOST)
            && !is_for_another_rule(facts, pattern)
        {
            findings.report(
                Place::pattern(&pattern.name).member("filter"),
                message(facts, pattern, filter, keeps),
            );
        }
    }
}

/// Whether only patterns with filters read the index: then the index should hold less.
fn is_for_another_rule(facts: &Facts<'_>, pattern: &Pattern) -> bool {
    let Some((table, index)) = facts.table(&pattern.table).zip(facts.index_of(pattern)) else { return false };
    facts.readers_of(table, index).iter().all(|reader| reader.filter.is_some())
}

fn message(facts: &Facts<'_>, pattern: &Pattern, filter: &Filter, keeps: f64) -> String {
    let read = facts
        .costs()
        .pattern(&pattern.name)
        .and_then(|cost| cost.items.known().copied().zip(cost.units_per_call.known().copied()));
    let figures = read.map_or_else(String::new, |(items, units)| {
        format!(" Each call reads {} items for {} read units.", decimal(items), decimal(units))
    });
    format!(
        "`{}` keeps {} of what it reads, by {}.{figures} Make it a component of the key before what is sorted by, or index only \
         the items that are wanted.",
        pattern.name,
        percent(keeps),
        names(filter.attributes.iter().map(crate::model::AttributeName::as_str))
    )
}
