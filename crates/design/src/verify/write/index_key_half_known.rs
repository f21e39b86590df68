//! KW0815: an update knows all that the index keys it moves are rendered from.

use std::collections::HashSet;

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, EntryKey, IndexName, Template, Write, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0815",
    name: "index-key-half-known",
    title: "A change from which an index key cannot be rendered",
    severity: Severity::Warning,
    finds: "An update that changes one component of a rendered index key and not the others, and an `add` to a component \
            of one.",
    hurts: "The key is text that is written anew from all its components. Without the others it is left as it was, and the index finds \
            the item where it no longer belongs; with guessed ones it finds it nowhere. What an `add` makes of a number is not known \
            before it is done. An index on the attributes themselves needs no text and has neither trouble \
            ([multi-attribute keys](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html)).",
    example: "[entity.task]\nindex.by_state = { partition_key = \"STATE#{state}#{project_id}\", sort_key = \"{task_id}\" \
              }\n\n[write.close_task]\noperation = \"update\"\nentities = [\"task\"]\nchanges = [\"state\"]",
    instead: "Key the index by the attributes, `partition_key = [\"state\", \"project_id\"]`. Or read the item first, give the update \
              all components, and compare those that were read: the data layer does not compile an update that lacks one.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if !matches!(write.operation, WriteOperation::Update | WriteOperation::Add) {
            continue;
        }
        let changed: HashSet<&str> = write.changes.iter().map(|name| name.as_str()).collect();
        if changed.is_empty() {
            continue;
        }
        for entity in written(facts, write) {
            check_entity(facts, findings, write, entity, &changed);
        }
    }
}

fn check_entity(
    facts: &Facts<'_>,
    findings: &mut Findings<'_>,
    write: &Write,
    entity: &Entity,
    changed: &HashSet<&str>,
) {
    // What the key in the table is made of is known to whoever names the item.
    let table_key = std::iter::once(&entity.partition_key).chain(&entity.sort_key);
    let mut known: HashSet<&str> = table_key.flat_map(|template| template.shape().fields()).collect();
    known.extend(facts.tenants().map(|tenants| tenants.attribute.as_str()));
    for (index, template) in rendered_keys(entity) {
        let fields: Vec<&str> = template.shape().fields().collect();
        let moved: Vec<&str> = fields.iter().copied().filter(|field| changed.contains(field)).collect();
        if moved.is_empty() {
            continue;
        }
        let missing: Vec<&str> =
            fields.into_iter().filter(|field| !changed.contains(field) && !known.contains(field)).collect();
        let problem = if write.operation == WriteOperation::Add {
            "and what an `add` makes of it is not known before it is done. Key the index by the attribute itself, which \
             follows by itself, or set the value that was read by an `update`."
                .to_owned()
        } else if missing.is_empty() {
            continue;
        } else {
            format!(
                "which also needs {}. Key the index by the attributes themselves, or give the update those as well, as \
                 they were read.",
                names(missing)
            )
        };
        findings.report(
            Place::write(&write.name).member("changes"),
            format!(
                "`{}` changes {}, from which the key of `{}` in index `{index}` is rendered, \"{}\", {problem}",
                write.name,
                names(moved),
                entity.name,
                template.text()
            ),
        );
    }
}

fn rendered_keys(entity: &Entity) -> impl Iterator<Item = (&IndexName, &Template)> {
    entity.indexes.iter().flat_map(|entry| {
        let templates = match &entry.key {
            EntryKey::Global { partition_key, sort_key, .. } => [Some(partition_key), sort_key.as_ref()],
            EntryKey::Local { sort_key } => [Some(sort_key), None],
            EntryKey::Attributes => [None, None],
        };
        templates.into_iter().flatten().map(|template| (&entry.index, template))
    })
}
