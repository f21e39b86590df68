//! KW0708: each index of a table has keys of its own.

use std::collections::HashMap;

use keywright_key::{IndexKey, KeyShape, TemplateShape};

use crate::facts::{Entry, Facts};
use crate::model::{Index, IndexKeys, KeyAttribute, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0708",
    name: "same-index",
    title: "An index with the keys of another, or of the table",
    severity: Severity::Warning,
    finds: "Two indexes of a table in which every entity has the same keys, and an index in which every entity has its key of \
            the table.",
    hurts: "Each index is written and stored for itself: two that answer the same questions cost twice. \
            [General guidelines](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html).",
    example: "[table.app.index.by_user]\npartition_key = [\"user_id\"]\n\n[table.app.index.roles_of_user]\npartition_key = [\"user_id\"]",
    instead: "Keep one index, and project into it what the patterns of both need. What the table's own key answers is read \
              from the table. A copy with the table's key is worth its price where it holds a small part of large items, or \
              keeps heavy readers away from the table: say so in an exception.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        let mut seen: HashMap<Vec<String>, &Index> = HashMap::new();
        for index in &table.indexes {
            let keys = signature(facts, table, index);
            if keys.is_empty() {
                continue;
            }
            let place = || Place::index(&table.name, &index.name);
            if keys == table_signature(facts, table, index) {
                let message = format!(
                    "index `{index}` of `{table}` has the same key as the table, for every entity in it. Read the table, \
                     which costs no second write.",
                    index = index.name,
                    table = table.name
                );
                findings.report(place(), message);
            } else if let Some(earlier) = seen.get(&keys) {
                let message = format!(
                    "indexes `{earlier}` and `{index}` of `{table}` have the same keys, so every write is paid for in both. \
                     Keep one, and project what the patterns of both need.",
                    earlier = earlier.name,
                    index = index.name,
                    table = table.name
                );
                findings.report(place(), message);
            } else {
                seen.insert(keys, index);
            }
        }
    }
}

/// What the keys of an index are, so that equal indexes have equal ones; nothing if nothing is in it.
fn signature<'d>(facts: &Facts<'d>, table: &'d Table, index: &'d Index) -> Vec<String> {
    match &index.keys {
        IndexKeys::Attributes { partition_key, sort_key } => attributes(partition_key, sort_key),
        IndexKeys::Rendered { .. } => sorted(facts.entries_of(table, index).iter().filter_map(|entry| {
            match entry.key {
                IndexKey::Global(key) => Some(rendered(entry, key, key.sort_key)),
                IndexKey::Local { sort_key } => Some(rendered(entry, &entry.shape.key, Some(*sort_key))),
                // The key crate reports that the entity gives no templates.
                IndexKey::Attributes => None,
            }
        })),
    }
}

/// What the signature of an index would be if it had the table's keys.
fn table_signature<'d>(facts: &Facts<'d>, table: &'d Table, index: &'d Index) -> Vec<String> {
    match &index.keys {
        IndexKeys::Attributes { .. } => {
            attributes(std::slice::from_ref(&table.partition_key), table.sort_key.as_slice())
        }
        IndexKeys::Rendered { .. } => sorted(
            facts
                .entries_of(table, index)
                .iter()
                .map(|entry| rendered(entry, &entry.shape.key, entry.shape.key.sort_key)),
        ),
    }
}

fn attributes(partition_key: &[KeyAttribute], sort_key: &[KeyAttribute]) -> Vec<String> {
    let names = |attributes: &[KeyAttribute]| {
        attributes
            .iter()
            .map(|attribute| format!("{:?}", attribute.name.as_str()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    vec![names(partition_key), names(sort_key)]
}

fn rendered(entry: &Entry<'_>, key: &KeyShape<'_>, sort_key: Option<TemplateShape<'_>>) -> String {
    format!(
        "{:?} {:?} {:?} {:?}",
        entry.entity.name.as_str(),
        key.partition_key.text(),
        (key.shards.count(), key.shards.earlier()),
        sort_key.map(|template| template.text()),
    )
}

fn sorted(keys: impl Iterator<Item = String>) -> Vec<String> {
    let mut keys: Vec<String> = keys.collect();
    keys.sort_unstable();
    keys
}
