//! KW0615: the file says what costs and hot keys follow from.

use std::collections::BTreeSet;

use crate::cost::{Figure, Gap};
use crate::facts::Facts;
use crate::model::PatternOperation;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0615",
    name: "load-not-given",
    title: "A load or a size that the file does not say",
    severity: Severity::Warning,
    finds: "An access pattern, an entity or a write of which the file does not say what its cost follows from: calls a second, \
            items of a call, size and number of items, writes a second, the attributes that an update changes. One finding \
            each, with all that is missing.",
    hurts: "What is not said is not checked: no hot key is found and no cost computed, and the table is found out by its first \
            busy day. A guess that is written down can be corrected: \
            [NoSQL design](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html).",
    example: "[pattern.feed]\nreturns = [\"post\"]\ngiven = [\"user_id\"]",
    instead: "Write down what you expect, roughly: `expected = { items = 50, per_second = 20 }`, `average_size_bytes = 400`, \
              `count = 1000000`, `writes = { per_second = 5 }`. For what is almost never called, a small fraction: \
              `per_second = 0.001`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let costs = facts.costs();
    for entity in &facts.design().entities {
        let Some(cost) = costs.entity(&entity.name) else { continue };
        let place = Place::entity(&entity.name);
        let missing = missing(&place, [&cost.storage_bytes, &cost.units_per_second]);
        report(findings, place, entity.name.as_str(), &missing);
    }
    for pattern in &facts.design().patterns {
        let Some(cost) = costs.pattern(&pattern.name) else { continue };
        let place = Place::pattern(&pattern.name);
        // A scan is a job: its own rules ask for what it needs.
        if !matches!(pattern.operation, PatternOperation::Scan { .. }) {
            let missing = missing(&place, [&cost.units_per_second]);
            report(findings, place, pattern.name.as_str(), &missing);
        }
    }
    for write in &facts.design().writes {
        let Some(cost) = costs.write(&write.name) else { continue };
        let place = Place::write(&write.name);
        // The load of a write may be that of its entities: then it is known there.
        let has_other = write.entities.iter().filter_map(|name| facts.entity(name));
        let is_loaded = has_other.into_iter().any(|entity| entity.writes.per_second.is_some());
        let missing = if is_loaded {
            missing(&place, [&cost.units_per_call])
        } else {
            missing(&place, [&cost.units_per_second])
        };
        report(findings, place, write.name.as_str(), &missing);
    }
}

/// The members of `part` that figures lack, as the file would write them below it.
fn missing<'f>(part: &Place, figures: impl IntoIterator<Item = &'f Figure>) -> BTreeSet<String> {
    figures
        .into_iter()
        .flat_map(Figure::gaps)
        .filter_map(|gap| match gap {
            Gap::NotGiven(place) if place.is_within(part) => {
                Some(place.segments().get(part.segments().len()..)?.join("."))
            }
            Gap::NotGiven(_) | Gap::NoPrice { .. } | Gap::NoSuch(_) => None,
        })
        .collect()
}

fn report(findings: &mut Findings<'_>, place: Place, name: &str, missing: &BTreeSet<String>) {
    if !missing.is_empty() {
        let what = names(missing);
        findings.report(
            place,
            format!("`{name}` does not say {what}: its cost and its hottest key cannot be computed. Give what you expect, roughly."),
        );
    }
}
