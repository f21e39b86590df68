//! KW0501: a name names something.
//!
//! What a pattern names in its own table, and what a deviation names of an entity that is there, the key crate's rules look at.

use std::collections::HashSet;

use keywright_key::Nearest;

use crate::facts::Facts;
use crate::model::{
    DeviationKey, Entity, IndexKeys, Once, Pattern, PatternOperation, Table, TableName, Write,
};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::rules;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0501",
    name: "names-nothing",
    title: "A name that names nothing",
    severity: Severity::Error,
    finds: "The table of an entity, a pattern or a consumer, the entity of a write, a claim or a deviation, the attribute that a \
            write changes or a pattern is sorted by, what a scan names, and the rule or the place of an exception, when there is \
            nothing of that name.",
    hurts: "What was meant is verified by nobody: an entity without a table has no keys to compare, and an exception for a rule \
            that does not exist accepts nothing.",
    example: "[table.app]\npartition_key = \"pk\"\n\n[entity.member]\ntable = \"apps\"\npartition_key = \
              \"MEMBER#{user_id}\"",
    instead: "Correct the name, or declare what it means.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    for entity in &design.entities {
        table(
            facts,
            findings,
            &Place::entity(&entity.name),
            (entity.name.as_str(), "is stored in"),
            &entity.table,
        );
    }
    for pattern in &design.patterns {
        let place = Place::pattern(&pattern.name);
        if table(facts, findings, &place, (pattern.name.as_str(), "reads"), &pattern.table) {
            check_pattern(facts, findings, pattern);
        }
    }
    for write in &design.writes {
        check_write(facts, findings, write);
    }
    for consumer in &design.consumers {
        let place = Place::consumer(&consumer.name);
        table(facts, findings, &place, (consumer.name.as_str(), "reads the stream of"), &consumer.table);
    }
    check_deviations(facts, findings);
    check_exceptions(facts, findings);
}

/// Whether there is a table of that name; reports if not. `owner` is who names it, and what it does with it.
fn table(
    facts: &Facts<'_>,
    findings: &mut Findings<'_>,
    place: &Place,
    owner: (&str, &str),
    name: &TableName,
) -> bool {
    if facts.table(name).is_some() {
        return true;
    }
    let (owner, verb) = owner;
    let advice = advice(name.as_str(), facts.design().tables.iter().map(|table| table.name.as_str()));
    findings.report(
        place.clone().member("table"),
        format!("`{owner}` {verb} `{name}`, and there is no such table. {advice}"),
    );
    false
}

/// What the key crate's rules do not see of a pattern: what it is sorted by, and what a scan names.
fn check_pattern(facts: &Facts<'_>, findings: &mut Findings<'_>, pattern: &Pattern) {
    let place = Place::pattern(&pattern.name);
    if let PatternOperation::Scan { .. } = pattern.operation {
        check_scan(facts, findings, pattern);
    }
    let returned: Vec<&Entity> =
        pattern.returns.iter().filter_map(|returned| facts.entity(&returned.entity)).collect();
    if let Some(attribute) = &pattern.sorted_by
        && !returned.is_empty()
        && !returned.iter().any(|entity| entity.attribute(attribute.as_str()).is_some())
    {
        let advice = advice(attribute.as_str(), returned.iter().flat_map(|entity| attribute_names(entity)));
        findings.report(
            place.member("sorted_by"),
            format!(
                "`{}` is to be sorted by `{attribute}`, and what it returns has no such attribute. {advice}",
                pattern.name
            ),
        );
    }
}

fn check_scan(facts: &Facts<'_>, findings: &mut Findings<'_>, pattern: &Pattern) {
    let place = Place::pattern(&pattern.name);
    if let Some(index) = &pattern.index
        && let Some(table) = facts.table(&pattern.table)
        && table.index(index).is_none()
    {
        let advice = advice(index.as_str(), table.indexes.iter().map(|index| index.name.as_str()));
        findings.report(
            place.clone().member("index"),
            format!(
                "`{}` scans index `{index}`, which `{}` does not have. {advice}",
                pattern.name, table.name
            ),
        );
    }
    for (position, returned) in pattern.returns.iter().enumerate() {
        if facts.entity(&returned.entity).is_none() {
            let advice = advice(returned.entity.as_str(), entity_names(facts));
            findings.report(
                place.clone().member("returns").element(position),
                format!(
                    "`{}` returns `{}`, and there is no such entity. {advice}",
                    pattern.name, returned.entity
                ),
            );
        }
    }
}

fn check_write(facts: &Facts<'_>, findings: &mut Findings<'_>, write: &Write) {
    let place = Place::write(&write.name);
    for (position, entity) in write.entities.iter().enumerate() {
        if facts.entity(entity).is_none() {
            let advice = advice(entity.as_str(), entity_names(facts));
            findings.report(
                place.clone().member("entities").element(position),
                format!("`{}` writes `{entity}`, and there is no such entity. {advice}", write.name),
            );
        }
    }
    if let Some(Once::Claim(claim)) = &write.once
        && facts.entity(claim).is_none()
    {
        let advice = advice(claim.as_str(), entity_names(facts));
        findings.report(
            place.clone().member("once").member("claim"),
            format!(
                "`{}` takes effect once by claiming `{claim}`, and there is no such entity. {advice}",
                write.name
            ),
        );
    }
    let written: Vec<&Entity> = write.entities.iter().filter_map(|entity| facts.entity(entity)).collect();
    for (position, attribute) in write.changes.iter().enumerate() {
        let is_known = written.iter().any(|entity| {
            entity.attribute(attribute.as_str()).is_some()
                || facts.table(&entity.table).is_some_and(|table| writes_itself(table, attribute.as_str()))
        });
        if !is_known && !written.is_empty() {
            let advice =
                advice(attribute.as_str(), written.iter().flat_map(|entity| attribute_names(entity)));
            findings.report(
                place.clone().member("changes").element(position),
                format!(
                    "`{}` changes `{attribute}`, and what it writes has no such attribute. {advice}",
                    write.name
                ),
            );
        }
    }
}

/// Whether the table itself writes an attribute of that name: a key, or the discriminator.
fn writes_itself(table: &Table, name: &str) -> bool {
    let is_rendered = |keys: &IndexKeys| match keys {
        IndexKeys::Rendered { partition_key, sort_key } => {
            partition_key.name == *name || sort_key.as_ref().is_some_and(|sort_key| sort_key.name == *name)
        }
        IndexKeys::Attributes { .. } => false,
    };
    table.discriminator == *name
        || table.partition_key.name == *name
        || table.sort_key.as_ref().is_some_and(|sort_key| sort_key.name == *name)
        || table.indexes.iter().any(|index| is_rendered(&index.keys))
}

fn check_deviations(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let Some(tenants) = facts.tenants() else { return };
    for (position, deviation) in tenants.deviations.iter().enumerate() {
        if facts.entity(&deviation.entity).is_some() {
            continue;
        }
        let advice = advice(deviation.entity.as_str(), entity_names(facts));
        let key = match &deviation.key {
            DeviationKey::Table => String::new(),
            DeviationKey::Index(index) => format!(" in index `{index}`"),
        };
        findings.report(
            Place::tenancy().member("deviations").element(position),
            format!(
                "a deviation is declared for `{}`{key}, and there is no such entity. {advice}",
                deviation.entity
            ),
        );
    }
}

fn check_exceptions(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    let design = facts.design();
    if design.exceptions.is_empty() {
        return;
    }
    let (codes, places) = (codes(), places(facts));
    for (position, exception) in design.exceptions.iter().enumerate() {
        let place = Place::design().member("exception").element(position);
        if !codes.contains(exception.rule.as_str()) {
            findings.report(
                place.clone().member("rule"),
                format!(
                    "no rule has the code `{}`, so the exception accepts nothing. Write the code as the finding says it: \
                     `KW0601`.",
                    exception.rule
                ),
            );
        }
        if !is_within_one(&places, &exception.at) {
            let advice = advice(&exception.at, places.iter().map(String::as_str));
            findings.report(
                place.member("at"),
                format!(
                    "the exception for `{}` is at `{}`, and there is no such part. {advice}",
                    exception.rule, exception.at
                ),
            );
        }
    }
}

/// The codes of all rules.
pub(super) fn codes() -> HashSet<&'static str> {
    rules().map(|rule| rule.code).collect()
}

/// The parts of a design that an exception can name, sorted; what lies within them can be named too.
pub(super) fn places(facts: &Facts<'_>) -> Vec<String> {
    let design = facts.design();
    let tables = design.tables.iter().flat_map(|table| {
        let indexes = table.indexes.iter().map(|index| Place::index(&table.name, &index.name));
        std::iter::once(Place::table(&table.name)).chain(indexes)
    });
    let mut places: Vec<String> = tables
        .chain(design.entities.iter().map(|entity| Place::entity(&entity.name)))
        .chain(design.patterns.iter().map(|pattern| Place::pattern(&pattern.name)))
        .chain(design.writes.iter().map(|write| Place::write(&write.name)))
        .chain(design.consumers.iter().map(|consumer| Place::consumer(&consumer.name)))
        .chain([Place::tenancy()])
        .map(|place| place.to_string())
        .collect();
    places.sort_unstable();
    places
}

/// Whether `at` is one of the sorted places, or lies within one.
pub(super) fn is_within_one(places: &[String], at: &str) -> bool {
    let has = |path: &str| places.binary_search_by(|place| place.as_str().cmp(path)).is_ok();
    has(at) || at.match_indices('.').any(|(dot, _)| has(at.split_at(dot).0))
}

fn entity_names<'d>(facts: &Facts<'d>) -> impl Iterator<Item = &'d str> + use<'d> {
    facts.design().entities.iter().map(|entity| entity.name.as_str())
}

fn attribute_names(entity: &Entity) -> impl Iterator<Item = &str> {
    entity.attributes.iter().map(|attribute| attribute.name.as_str())
}

fn advice<'n>(asked: &'n str, names: impl Iterator<Item = &'n str>) -> String {
    match names.fold(Nearest::to(asked), Nearest::or).found() {
        Some(name) => format!("Did you mean `{name}`?"),
        None => "Correct the name, or declare it.".to_owned(),
    }
}
