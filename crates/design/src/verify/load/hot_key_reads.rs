//! KW0601: no partition key is read beyond what a partition serves.

use super::{hottest_pattern, is_of_one_item};
use crate::cost::units::PARTITION_READ_UNITS;
use crate::facts::Facts;
use crate::verify::finding::Findings;
use crate::verify::load::remedy;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0601",
    name: "hot-key-reads",
    title: "A partition key that is read more than one partition serves",
    severity: Severity::Error,
    finds: "A partition key of a table or of an index, not sharded, that takes more than 3,000 read units a second at the \
            expected load: that of its hottest value, of the largest tenant where only the tenant is in the key, or of the \
            whole table where the key is one for all. The patterns that read the key are added up.",
    hurts: "One partition serves 3,000 read units a second, whatever the table is given or pays for; what is above is \
            throttled. Without a local index a partition can split between sort keys, which takes time and helps only if the \
            load is spread over them: \
            [partition keys](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).",
    example: "[entity.task]\npartition_key = \"ORG#{organization_id}\"\nsort_key = \"PROJECT#{project_id}#TASK#{task_id}\"\n\n\
              [pattern.tasks]\nreturns = [\"task\"]\ngiven = [\"project_id\"]\nsort_key = { starts_with = \"PROJECT#{project_id}\" }\n\
              expected = { items = 500, per_second = 2000, per_second_largest_tenant = 300 }",
    instead: "A further component that every pattern can give (`ORG#{organization_id}#PROJECT#{project_id}`), then shards, if \
              a call reads so much that a part of it is less; otherwise copies of the items, or a cache.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats() {
        let is_hot = key.reads.at_least > PARTITION_READ_UNITS && key.shards == 1;
        if is_hot && !is_of_one_item(&key.reads, PARTITION_READ_UNITS) {
            let what = remedy::describe(key, &key.reads, "read", PARTITION_READ_UNITS);
            let Some(place) = hottest_pattern(&key.reads) else { continue };
            findings.report(place, format!("{what} {}", remedy::of_reads(facts, key)));
        }
    }
}
