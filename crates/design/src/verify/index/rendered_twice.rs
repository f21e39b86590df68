//! KW0716: an item has one value in each key attribute.

use std::collections::HashMap;

use keywright_key::{IndexKey, IndexReach, KeyShape, TemplateShape};

use crate::facts::Facts;
use crate::model::{Entity, IndexKeys, KeyAttribute, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0716",
    name: "rendered-twice",
    title: "Two templates for one key attribute of an item",
    severity: Severity::Error,
    finds: "An entity whose templates for two indexes, or for the table and an index, are different and are rendered into the \
            same attribute.",
    hurts: "An item has one attribute of each name. One of the keys would overwrite the other, and the item would be found \
            under the wrong key, or not at all.",
    example: "[table.app.index.by_user]\npartition_key = \"gsi1pk\"\n\n[table.app.index.by_team]\npartition_key = \"gsi1pk\"\n\n\
              [entity.member]\nindex.by_user = { partition_key = \"USER#{user_id}\" }\n\
              index.by_team = { partition_key = \"TEAM#{team_id}\" }",
    instead: "Give the second index attributes of its own: `gsi2pk`, `gsi2sk`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for entity in &facts.design().entities {
        if let Some(table) = facts.table(&entity.table) {
            check_entity(facts, findings, table, entity);
        }
    }
}

fn check_entity(facts: &Facts<'_>, findings: &mut Findings<'_>, table: &Table, entity: &Entity) {
    let Some(shape) = facts.entity_shape(&entity.name) else { return };
    let mut rendered: HashMap<&str, String> = HashMap::new();
    for (attribute, text) in parts(&table.partition_key, table.sort_key.as_ref(), &shape.key) {
        rendered.insert(attribute, text);
    }
    for (entry, entry_shape) in entity.indexes.iter().zip(shape.indexes) {
        let Some(index) = table.index(&entry.index) else { continue };
        let IndexKeys::Rendered { partition_key, sort_key } = &index.keys else { continue };
        let texts = match (&entry_shape.key, index.reach) {
            (IndexKey::Global(key), IndexReach::Global) => parts(partition_key, sort_key.as_ref(), key),
            (IndexKey::Local { sort_key: template }, IndexReach::Local) => {
                sort_key.iter().map(|attribute| (attribute.name.as_str(), quoted(template))).collect()
            }
            // The key crate reports a key of another form than the index has.
            _ => continue,
        };
        for (attribute, text) in texts {
            match rendered.get(attribute) {
                Some(earlier) if *earlier != text => findings.report(
                    Place::entity(&entity.name).member("index").member(entry.index.as_str()),
                    format!(
                        "`{entity}` renders {earlier} and, for index `{index}`, {text} into `{attribute}`, and an item has one \
                         of them. Give the index an attribute of its own.",
                        entity = entity.name,
                        index = entry.index
                    ),
                ),
                Some(_) => {}
                None => {
                    rendered.insert(attribute, text);
                }
            }
        }
    }
}

fn parts<'d>(
    partition_key: &'d KeyAttribute,
    sort_key: Option<&'d KeyAttribute>,
    key: &KeyShape<'_>,
) -> Vec<(&'d str, String)> {
    let shards = if key.shards.is_sharded() { " with its shard" } else { "" };
    let partition = (partition_key.name.as_str(), format!("{}{shards}", quoted(&key.partition_key)));
    let sort =
        sort_key.zip(key.sort_key).map(|(attribute, template)| (attribute.name.as_str(), quoted(&template)));
    std::iter::once(partition).chain(sort).collect()
}

fn quoted(template: &TemplateShape<'_>) -> String {
    format!("`{}`", template.text())
}
