//! KW0614: a busy key whose sort keys only grow cannot be split.

use keywright_key::{AttributeKind, ComponentKind};

use super::hottest_entity;
use crate::cost::KeyHeat;
use crate::cost::units::PARTITION_WRITE_UNITS;
use crate::facts::Facts;
use crate::model::EntityName;
use crate::verify::finding::Findings;
use crate::verify::load::remedy;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::decimal;

/// From which part of a partition's write units on a key is busy.
const BUSY: f64 = 0.5;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0614",
    name: "ever-growing-sort-key",
    title: "A busy partition key whose sort keys only grow",
    severity: Severity::Advice,
    finds: "A partition key with more than 500, and at most 1,000, write units a second at the expected load, under which the \
            hottest entity's sort key begins with a timestamp or a ULID.",
    hurts: "DynamoDB splits a busy collection between its sort keys, but not where every new item comes after all others: the \
            writes would all go to the upper half. So 1,000 write units a second are the end here, and growth meets it \
            without warning: \
            [splitting for heat](https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/).",
    example: "[entity.reading]\npartition_key = \"DEVICE#{device_id}\"\nsort_key = \"{at}\"\nattributes = { at = \"timestamp\" }\n\
              average_size_bytes = 200\nwrites = { per_second = 50000, per_second_largest_key = 700 }",
    instead: "A further component in the partition key (an hour, a sensor), or shards, before the load doubles.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats().iter().filter(|key| key.index.is_none()) {
        let part = key.writes.at_least / PARTITION_WRITE_UNITS;
        if part > BUSY
            && part <= 1.0
            && let Some(field) = growing_field(facts, key)
            && let Some(place) = hottest_entity(&key.writes)
        {
            findings.report(
                place.member("sort_key"),
                format!(
                    "{}the partition key \"{}\" in `{}` takes {} write units a second, and since `{field}` only grows in its sort \
                     key, DynamoDB cannot split it: at 1,000 it throttles. {}",
                    if key.shards > 1 { "one shard of " } else { "" },
                    key.key,
                    key.table,
                    decimal(key.writes.at_least),
                    remedy::of_growth(facts, key)
                ),
            );
        }
    }
}

/// The field that begins the sort key of the key's hottest entity, if its values only grow.
fn growing_field<'d>(facts: &Facts<'d>, key: &KeyHeat) -> Option<&'d str> {
    let hottest = key.writes.parts.iter().find(|part| part.is_certain())?;
    let entity = facts.entity_shape(&EntityName::new(hottest.name.as_str()).ok()?)?;
    let field = entity.key.sort_key.as_ref()?.fields().next()?;
    let grows = matches!(
        entity.attribute(field)?.kind,
        AttributeKind::Component(ComponentKind::Timestamp(_) | ComponentKind::Ulid)
    );
    grows.then_some(field)
}
