//! KW0709: what changes often is not in the key of an index unawares.

use std::collections::HashSet;

use super::key_parts::KeyParts;
use crate::facts::{Entry, Facts};
use crate::model::{Entity, Index, Presence, Write, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, names};

/// So many times a second is often.
const OFTEN: f64 = 1.0;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0709",
    name: "moving-index-key",
    title: "A write that moves an item in an index",
    severity: Severity::Advice,
    finds: "An update that changes an attribute which is in the key of the item in an index, once a second or more often, or \
            as often as nobody knows.",
    hurts: "DynamoDB deletes the entry under the old key and puts one under the new key: two writes in that index for each \
            write of the item, on top of that of the table: \
            [how indexes are written](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes).",
    example: "[table.app.index.by_state]\npartition_key = [\"organization_id\", \"state\"]\n\n\
              [write.close_task]\noperation = \"update\"\nentities = [\"task\"]\nchanges = [\"state\"]",
    instead: "That is what an index by state is for, and often worth it: then count with it. For what changes many times a \
              second, such as a score or the last time that somebody was seen, key the index by something that stays, or \
              write the attribute less often.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if matches!(write.operation, WriteOperation::Delete) || write.changes.is_empty() {
            continue;
        }
        let changed: HashSet<&str> = write.changes.iter().map(|name| name.as_str()).collect();
        for entity in write.entities.iter().filter_map(|name| facts.entity(name)) {
            for (index, attributes) in moved(facts, entity, &changed) {
                if !is_worth_a_word(write, entity, &attributes) {
                    continue;
                }
                findings.report(
                    Place::write(&write.name).member("changes"),
                    message(write, entity, index, &attributes),
                );
            }
        }
    }
}

/// The indexes in which a change of these attributes moves an item of the entity, with the attributes that do it.
fn moved<'d>(
    facts: &Facts<'d>,
    entity: &'d Entity,
    changed: &HashSet<&str>,
) -> Vec<(&'d Index, Vec<&'d str>)> {
    let (Some(table), Some(shape)) = (facts.table(&entity.table), facts.entity_shape(&entity.name)) else {
        return Vec::new();
    };
    let indexes = entity.indexes.iter().zip(shape.indexes).filter_map(|(entry, entry_shape)| {
        let index = table.index(&entry.index)?;
        let parts = KeyParts::of(index, &Entry { entity, shape, key: &entry_shape.key });
        let moving: Vec<&str> = parts.all().filter(|part| changed.contains(part)).collect();
        (!moving.is_empty()).then_some((index, moving))
    });
    indexes.collect()
}

/// Whether it happens often or, where the file does not say how often, whether it is a move at all: an attribute that only some
/// items have may also come and go, which is one write there.
fn is_worth_a_word(write: &Write, entity: &Entity, attributes: &[&str]) -> bool {
    match write.expected.per_second {
        Some(rate) => rate.times() >= OFTEN,
        None => attributes.iter().any(|name| {
            entity.attribute(name).is_some_and(|attribute| attribute.presence == Presence::Always)
        }),
    }
}

fn message(write: &Write, entity: &Entity, index: &Index, attributes: &[&str]) -> String {
    let cost = match write.expected.per_second {
        Some(rate) => format!(
            ": at {} a second, {} writes a second in the index",
            decimal(rate.times()),
            decimal(rate.times() * 2.0)
        ),
        None => String::new(),
    };
    let are = if attributes.len() == 1 { "is" } else { "are" };
    format!(
        "`{write}` changes {attributes} of `{entity}`, which {are} in its key in index `{index}`. Each time the entry is deleted \
         there and another one is put, two writes instead of one{cost}. Count with it, or key the index by what stays.",
        write = write.name,
        entity = entity.name,
        index = index.name,
        attributes = names(attributes),
    )
}
