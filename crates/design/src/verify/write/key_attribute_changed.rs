//! KW0814: the key of an item never changes.

use super::written;
use crate::facts::Facts;
use crate::model::{Entity, IndexKeys, Table, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0814",
    name: "key-attribute-changed",
    title: "A write that changes the key of an item",
    severity: Severity::Error,
    finds: "A write that changes what the item's key in the table is made of, whose item it is, which entity it is, or a rendered key \
            of an index itself.",
    hurts: "DynamoDB refuses to change a key attribute \
            ([UpdateItem](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html)). An attribute that the \
            key is rendered from can be changed, and is worse: the item then says one thing and its key another.",
    example: "[entity.member]\nsort_key = \"TEAM#{team_id}#MEMBER#{user_id}\"\n\n[write.move_member]\noperation = \
              \"update\"\nentities = [\"member\"]\nchanges = [\"team_id\"]",
    instead: "An item with another key is another item: put it and delete the old one, in one transaction. Rendered keys of indexes \
              follow from their attributes: change those.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if matches!(write.operation, WriteOperation::Put | WriteOperation::Delete | WriteOperation::Batch) {
            continue;
        }
        for (position, changed) in write.changes.iter().enumerate() {
            let wrong = written(facts, write).find_map(|entity| {
                let table = facts.table(&entity.table)?;
                problem(facts, table, entity, changed.as_str())
            });
            if let Some(problem) = wrong {
                findings.report(
                    Place::write(&write.name).member("changes").element(position),
                    format!("`{}` changes `{changed}`, {problem}", write.name),
                );
            }
        }
    }
}

fn problem(facts: &Facts<'_>, table: &Table, entity: &Entity, name: &str) -> Option<String> {
    let templates = std::iter::once(&entity.partition_key).chain(&entity.sort_key);
    let in_key = templates.into_iter().any(|template| template.shape().names(name));
    let is_key = table.partition_key.name == *name
        || table.sort_key.as_ref().is_some_and(|sort_key| sort_key.name == *name);
    let is_index_key = table.indexes.iter().any(|index| match &index.keys {
        IndexKeys::Rendered { partition_key, sort_key } => {
            partition_key.name == *name || sort_key.as_ref().is_some_and(|sort_key| sort_key.name == *name)
        }
        IndexKeys::Attributes { .. } => false,
    });
    if in_key || is_key {
        Some(format!(
            "which is in the key of `{}`, and a key never changes. Put the item under its new key and delete the old one, in one \
             transaction.",
            entity.name
        ))
    } else if table.discriminator == *name {
        Some("which says which entity an item is, and that never changes. Leave it out.".to_owned())
    } else if facts.tenants().is_some_and(|tenants| tenants.attribute == *name) {
        Some(format!(
            "which says whose the item of `{}` is. An item does not move to another tenant: put it there anew and delete \
             it here.",
            entity.name
        ))
    } else if is_index_key {
        Some("which is rendered from other attributes. Change those: the key follows.".to_owned())
    } else {
        None
    }
}
