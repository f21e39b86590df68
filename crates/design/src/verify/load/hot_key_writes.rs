//! KW0602: no partition key of a table is written beyond what a partition serves.

use super::{hottest_entity, is_of_one_item};
use crate::cost::units::PARTITION_WRITE_UNITS;
use crate::facts::Facts;
use crate::verify::finding::Findings;
use crate::verify::load::remedy;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0602",
    name: "hot-key-writes",
    title: "A partition key that is written more than one partition serves",
    severity: Severity::Error,
    finds: "A partition key of a table, not sharded, that takes more than 1,000 write units a second at the expected load: that \
            of its hottest value, of the largest tenant where only the tenant is in the key, or of the whole table where the \
            key is one for all. The entities under the key and their entries in local indexes are added up.",
    hurts: "One partition serves 1,000 write units a second, whatever the table is given or pays for; what is above is \
            throttled: \
            [write sharding](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).",
    example: "[entity.event]\npartition_key = \"ORG#{organization_id}\"\nsort_key = \"EVENT#{at}\"\naverage_size_bytes = 900\n\
              writes = { per_second = 8000, per_second_largest_tenant = 2500 }",
    instead: "A further component that the patterns can give (`ORG#{organization_id}#DEVICE#{device_id}`), then shards: one for \
              each 1,000 write units a second.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats() {
        let is_hot = key.writes.at_least > PARTITION_WRITE_UNITS && key.shards == 1 && key.index.is_none();
        if is_hot && !is_of_one_item(&key.writes, PARTITION_WRITE_UNITS) {
            let what = remedy::describe(key, &key.writes, "write", PARTITION_WRITE_UNITS);
            let Some(entity) = hottest_entity(&key.writes) else { continue };
            findings
                .report(entity.member("partition_key"), format!("{what} {}", remedy::of_writes(facts, key)));
        }
    }
}
