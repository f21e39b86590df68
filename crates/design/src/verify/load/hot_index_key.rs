//! KW0603: no partition key of an index is written beyond what a partition serves.

use super::hottest_entity;
use crate::cost::units::PARTITION_WRITE_UNITS;
use crate::facts::Facts;
use crate::verify::finding::Findings;
use crate::verify::load::remedy;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0603",
    name: "hot-index-key",
    title: "A partition key of an index that is written more than one partition serves",
    severity: Severity::Error,
    finds: "A partition key of a global index, not sharded, that takes more than 1,000 write units a second at the expected \
            load of the entities in the index: one key for all, few keys, or the largest tenant's.",
    hurts: "An index that cannot take a write holds the table back: the write of the table is throttled, however even the \
            table's own keys are: \
            [back-pressure of indexes](https://repost.aws/knowledge-center/dynamodb-gsi-throttling-table).",
    example: "[entity.order]\npartition_key = \"ORDER#{order_id}\"\n\
              index.by_state = { partition_key = \"STATE#{state}\", sort_key = \"{created_at}\" }\n\
              attributes = { state = [\"open\", \"done\"], created_at = \"timestamp\" }\nwrites = { per_second = 3000 }",
    instead: "A further component in the index's key that its patterns can give, then shards of the entry: \
              `index.by_state = { partition_key = \"STATE#{state}\", shards = 3 }`. Or index only the items that matter.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats() {
        let Some(index) = &key.index else { continue };
        if key.writes.at_least > PARTITION_WRITE_UNITS && key.shards == 1 {
            let what = remedy::describe(key, &key.writes, "write", PARTITION_WRITE_UNITS);
            let Some(entity) = hottest_entity(&key.writes) else { continue };
            findings.report(
                entity.member("index").member(index.as_str()),
                format!("{what} The table's writes are throttled with it. {}", remedy::of_writes(facts, key)),
            );
        }
    }
}
