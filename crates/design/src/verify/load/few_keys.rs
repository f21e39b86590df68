//! KW0609: a table has many partition keys.

use super::{FEW_ITEMS, is_reported_hot};
use crate::cost::{Nature, PartitionKey};
use crate::facts::Facts;
use crate::model::{Entity, Table};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// So many partition keys are few.
const FEW: u64 = 20;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0609",
    name: "few-keys",
    title: "Many items that share a few partition keys",
    severity: Severity::Warning,
    finds: "An entity of many items whose partition key in the table is told apart by an enum or a boolean only, so that it \
            takes at most 20 values, shards counted. Entities of at most 10,000 items are left alone. For indexes, \
            KW0710 says the same.",
    hurts: "A few keys are a few partitions, of which the most frequent value takes most of the load, and a partition serves \
            1,000 write and 3,000 read units a second: \
            [uniform workloads](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html).",
    example: "[entity.order]\npartition_key = \"STATE#{state}\"\nsort_key = \"ORDER#{order_id}\"\n\
              attributes = { state = [\"open\", \"paid\", \"done\"] }",
    instead: "An id in the partition key. A list by state is an index, sparse where only one state is asked for.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for entity in facts.entities_of(&table.name) {
            let place = Place::entity(&entity.name).member("partition_key");
            if let Some(message) = check_entity(facts, table, entity)
                && !is_reported_hot(findings, &place)
            {
                findings.report(place, message);
            }
        }
    }
}

fn check_entity(facts: &Facts<'_>, table: &Table, entity: &Entity) -> Option<String> {
    if entity.count.total.is_some_and(|total| total <= FEW_ITEMS) {
        return None;
    }
    let key = PartitionKey::of(facts, table, entity, None)?;
    let Nature::Few(values) = key.nature(facts, entity) else { return None };
    let keys = values.saturating_mul(u64::from(key.shards));
    if keys > FEW || key.has_tenant(facts) {
        return None;
    }
    Some(format!(
        "the items of `{}` share {} partition keys, \"{}\", and the most frequent of them takes most of the load. Put an id into \
         the partition key, and list by these values in an index.",
        entity.name,
        number(keys),
        key.text
    ))
}
