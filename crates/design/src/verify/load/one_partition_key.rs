//! KW0607: items are spread over partition keys.

use super::{FEW_ITEMS, is_reported_hot};
use crate::cost::{Nature, PartitionKey, of_whole_key};
use crate::facts::Facts;
use crate::model::{Entity, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0607",
    name: "one-partition-key",
    title: "Many items with one partition key",
    severity: Severity::Warning,
    finds: "An entity of many items whose partition key is literal text, the same for all of them, without shards. Entities of \
            at most 10,000 items are left alone, and so are those of which there is one item.",
    hurts: "All its items are one collection: 1,000 write and 3,000 read units a second are all that it will ever get, however \
            much the table has. The key distributes nothing: \
            [uniform workloads](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html).",
    example: "[entity.user]\npartition_key = \"USERS\"\nsort_key = \"USER#{user_id}\"",
    instead: "The id in the partition key, `USER#{user_id}`, and an index for the list that the one key was there for; or \
              shards, which the list then reads with one query each.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for entity in facts.entities_of(&table.name) {
            let place = Place::entity(&entity.name).member("partition_key");
            if let Some(key) = one_key(facts, table, entity)
                && !is_reported_hot(findings, &place)
            {
                findings.report(
                    place,
                    format!(
                        "all items of `{}` have the one partition key \"{}\", which gives them 1,000 write and 3,000 read units \
                         a second for ever. Put what tells them apart into it, or spread them with `shards`.",
                        entity.name, key.text
                    ),
                );
            }
        }
    }
}

fn one_key<'d>(facts: &Facts<'d>, table: &Table, entity: &Entity) -> Option<PartitionKey<'d>> {
    let is_small = entity.count.total.is_some_and(|total| total <= FEW_ITEMS);
    let is_one_item = of_whole_key(facts, entity) == Nature::One;
    let key = PartitionKey::of(facts, table, entity, None)?;
    let is_constant = key.components.is_empty() && key.shards == 1;
    (is_constant && !is_small && !is_one_item).then_some(key)
}
