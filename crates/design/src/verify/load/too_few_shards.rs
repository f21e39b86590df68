//! KW0605: a sharded key has as many shards as its load needs.

use super::{hottest_entity, hottest_pattern};
use crate::cost::units::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use crate::cost::{KeyHeat, shards_needed};
use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::load::remedy;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0605",
    name: "too-few-shards",
    title: "A sharded key whose shards are still too hot",
    severity: Severity::Error,
    finds: "A sharded partition key of which one shard takes more than 1,000 write or 3,000 read units a second at the expected \
            load, the load being spread evenly over the shards.",
    hurts: "Each shard is a partition key of its own, and one partition serves it: \
            [write sharding](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).",
    example: "[entity.event]\npartition_key = \"TOPIC#{topic}\"\nsort_key = \"{at}\"\nshards = 2\naverage_size_bytes = 500\n\
              writes = { per_second = 9000, per_second_largest_key = 5000 }",
    instead: "As many shards as the hottest key's write units divided by 1,000. Items that were written with fewer are still \
              found: `shards = { count = 5, earlier = [2] }`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats().iter().filter(|key| key.shards > 1) {
        if key.writes.at_least > PARTITION_WRITE_UNITS {
            let needed = shards_needed(key.writes.at_least * f64::from(key.shards), PARTITION_WRITE_UNITS);
            let what = remedy::describe(key, &key.writes, "write", PARTITION_WRITE_UNITS);
            let Some(entity) = hottest_entity(&key.writes) else { continue };
            findings.report(member(entity, key), format!("{what} {}", more(key, needed)));
        }
        if key.reads.at_least > PARTITION_READ_UNITS {
            let what = remedy::describe(key, &key.reads, "read", PARTITION_READ_UNITS);
            let advice = match remedy::shards_for_reads(facts, &key.reads) {
                Some(times) => more(key, times.saturating_mul(u64::from(key.shards))),
                None => "More shards would not help, since every call asks each of them: keep a cache before the table, or \
                         the result in an item of its own."
                    .to_owned(),
            };
            let Some(place) = hottest_pattern(&key.reads) else { continue };
            findings.report(place, format!("{what} {advice}"));
        }
    }
}

/// The member that says the number of shards.
fn member(entity: Place, key: &KeyHeat) -> Place {
    match &key.index {
        None => entity.member("shards"),
        Some(index) => entity.member("index").member(index.as_str()).member("shards"),
    }
}

fn more(key: &KeyHeat, needed: u64) -> String {
    format!(
        "Take {needed} shards: `shards = {{ count = {needed}, earlier = [{}] }}`, or `shards = {needed}` if nothing is stored yet.",
        key.shards,
        needed = number(needed).replace(',', "")
    )
}
