//! KW0606: a sharded key has no more shards than its load needs.

use super::hottest_entity;
use crate::cost::units::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use crate::cost::{KeyHeat, shards_needed};
use crate::facts::Facts;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// So many times the needed shards are too many, if they are at least so many more.
const TOO_MANY: u64 = 3;
const TOO_MANY_MORE: u64 = 4;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0606",
    name: "too-many-shards",
    title: "A sharded key with far more shards than its load needs",
    severity: Severity::Advice,
    finds: "A sharded partition key with at least three times the shards that its expected load needs, and four more, where the file gives \
            the load of the hottest key or bounds it.",
    hurts: "Every call that reads the key asks every shard and pays for each at least half a read unit: ten shards make a read \
            of one small item ten times as dear and as slow as the slowest of ten.",
    example: "[entity.event]\npartition_key = \"TOPIC#{topic}\"\nsort_key = \"{at}\"\nshards = 20\naverage_size_bytes = 500\n\
              writes = { per_second = 1500, per_second_largest_key = 800 }",
    instead: "As many shards as the hottest key's write units divided by 1,000, with room for growth: their number can be raised \
              later, and earlier items are still found.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats().iter().filter(|key| key.shards > 1) {
        let Some((writes, needed)) = needed(key) else { continue };
        let most = needed.saturating_mul(TOO_MANY).max(needed.saturating_add(TOO_MANY_MORE));
        if u64::from(key.shards) < most {
            continue;
        }
        let Some(entity) = hottest_entity(&key.writes) else { continue };
        let place = match &key.index {
            None => entity.member("shards"),
            Some(index) => entity.member("index").member(index.as_str()).member("shards"),
        };
        findings.report(
            place,
            format!(
                "the partition key \"{}\" in `{}` has {} shards, and its {} write units a second need {}. Each read asks every \
                 shard: take fewer now, and more when the load grows.",
                key.key,
                key.table,
                key.shards,
                decimal(writes),
                number(needed)
            ),
        );
    }
}

/// The write units of all shards together, and how many shards reads and writes need; none where a load is not known.
fn needed(key: &KeyHeat) -> Option<(f64, u64)> {
    let shards = f64::from(key.shards);
    let writes = key.writes.at_most? * shards;
    let reads = key.reads.at_most? * shards;
    let of_reads = shards_needed(reads, PARTITION_READ_UNITS);
    Some((writes, shards_needed(writes, PARTITION_WRITE_UNITS).max(of_reads)))
}
