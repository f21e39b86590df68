//! KW0604: no single item is read or written beyond what a partition serves.

use super::{entity_place, pattern_place};
use crate::cost::units::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use crate::cost::{HeatPart, KeyHeat, shards_needed};
use crate::facts::Facts;
use crate::model::{EntityName, Purpose, ValueType};
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::{decimal, number};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0604",
    name: "hot-item",
    title: "One item that takes more than one partition serves",
    severity: Severity::Error,
    finds: "An item that is one for all, or one for each tenant, with more than 3,000 read or 1,000 write units a second at the \
            expected load: a global counter, a configuration that every request reads.",
    hurts: "An item is in one partition and cannot be split. A counter of 1 KB or less takes 1,000 increments a second, and \
            no more: \
            [write sharding](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).",
    example: "[entity.page_views]\npartition_key = \"COUNTER\"\nsort_key = \"PAGE-VIEWS\"\nattributes = { views = \"counter\" }\n\n\
              [write.count_page_view]\noperation = \"add\"\nentities = [\"page_views\"]\nexpected = { per_second = 4000 }",
    instead: "Spread a counter over several items that are added up when it is read (`shards = 4`). Read an item that is the \
              same for everybody from memory or from a cache, or keep copies of it and read any.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for key in facts.costs().heats().iter().filter(|key| key.index.is_none()) {
        for part in key.reads.parts.iter().filter(|part| is_hot(part, PARTITION_READ_UNITS)) {
            let Some(place) = pattern_place(&part.name) else { continue };
            findings.report(place, of_reads(part));
        }
        for part in key.writes.parts.iter().filter(|part| is_hot(part, PARTITION_WRITE_UNITS)) {
            let Some(place) = entity_place(&part.name) else { continue };
            findings.report(place.member("partition_key"), of_writes(facts, key, part));
        }
    }
}

fn is_hot(part: &HeatPart, limit: f64) -> bool {
    part.is_one_item && part.is_certain() && part.units_per_second > limit
}

fn of_reads(part: &HeatPart) -> String {
    let copies = shards_needed(part.units_per_second, PARTITION_READ_UNITS);
    format!(
        "`{}` reads one item with {} read units a second, and one item gives 3,000. Keep it in memory or in a cache for a few \
         seconds, or keep {} copies under keys of their own and read any of them.",
        part.name,
        decimal(part.units_per_second),
        number(copies)
    )
}

fn of_writes(facts: &Facts<'_>, key: &KeyHeat, part: &HeatPart) -> String {
    // With shards, the heat is that of one of them.
    let whole = part.units_per_second * f64::from(key.shards);
    let shards = number(shards_needed(whole, PARTITION_WRITE_UNITS));
    let begin = format!(
        "`{}` is one item{} that takes {} write units a second, and one item takes 1,000.",
        part.name,
        if key.shards > 1 { " in each shard" } else { "" },
        decimal(part.units_per_second)
    );
    if is_counter(facts, &part.name) {
        format!(
            "{begin} Spread the counter over {shards} items with `shards = {shards}`, and add them up when it is read."
        )
    } else {
        format!(
            "{begin} Make it several items with keys of their own, such as one for each user or device; or spread it with \
             `shards = {shards}`."
        )
    }
}

fn is_counter(facts: &Facts<'_>, name: &str) -> bool {
    let entity = EntityName::new(name).ok().and_then(|name| facts.entity(&name));
    entity.is_some_and(|entity| {
        matches!(entity.purpose, Purpose::ExactCounter | Purpose::ApproximateCounter)
            || entity.attributes.iter().any(|attribute| attribute.value_type == ValueType::Counter)
    })
}
