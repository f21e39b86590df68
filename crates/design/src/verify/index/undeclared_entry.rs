//! KW0717: what is in an index is declared to be there.

use std::collections::HashSet;

use crate::facts::Facts;
use crate::model::{Entity, Index, IndexKeys, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::names;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0717",
    name: "undeclared-entry",
    title: "Items that are in an index without being meant to",
    severity: Severity::Error,
    finds: "An entity that does not name an index, but whose items have all attributes that the index is keyed by.",
    hurts: "DynamoDB puts every item that has the key attributes into the index, whoever wrote it: \
            [synchronization](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Writes). Patterns \
            that read the index return items that nobody told them of, and each of those is written and stored twice.",
    example: "[table.app.index.by_date]\npartition_key = [\"organization_id\"]\nsort_key = [\"created_at\"]\n\n\
              [entity.order]\nindex.by_date = true\n\n[entity.team]     # has `organization_id` and `created_at` too",
    instead: "Say that the entity is in the index, `index.by_date = true`, so that patterns name or skip it; or key the index \
              by an attribute that only the wanted items have.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        // An index that no pattern reads is reported as that.
        let indexes: Vec<&Index> =
            table.indexes.iter().filter(|index| !facts.readers_of(table, index).is_empty()).collect();
        if indexes.is_empty() {
            continue;
        }
        for entity in facts.entities_of(&table.name) {
            let stored = stored(table, entity);
            for index in indexes.iter().filter(|index| entity.entry(&index.name).is_none()) {
                if index.key_attributes().all(|attribute| stored.contains(attribute.name.as_str())) {
                    let keys = names(index.key_attributes().map(|attribute| attribute.name.as_str()));
                    let message = format!(
                        "items of `{entity}` have {keys}, so DynamoDB puts them into index `{index}`, which `{entity}` does \
                         not name. Declare `index.{index}` for it, so that patterns name or skip it, or key the index by an \
                         attribute that only the wanted items have.",
                        entity = entity.name,
                        index = index.name
                    );
                    findings.report(Place::entity(&entity.name).member("index"), message);
                }
            }
        }
    }
}

/// The names of all attributes that items of the entity have, those of keys included.
fn stored<'d>(table: &'d Table, entity: &'d Entity) -> HashSet<&'d str> {
    let mut stored: HashSet<&str> =
        entity.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    stored.insert(table.discriminator.as_str());
    stored.insert(table.partition_key.name.as_str());
    stored.extend(table.sort_key.iter().map(|attribute| attribute.name.as_str()));
    for index in entity.indexes.iter().filter_map(|entry| table.index(&entry.index)) {
        if let IndexKeys::Rendered { .. } = index.keys {
            stored.extend(index.key_attributes().map(|attribute| attribute.name.as_str()));
        }
    }
    stored
}
