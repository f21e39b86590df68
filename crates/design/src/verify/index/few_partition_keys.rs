//! KW0710: an index has many partition keys.

use keywright_key::{IndexKey, IndexReach};

use super::key_parts::KeyParts;
use crate::facts::{Entry, Facts};
use crate::model::{Index, IndexKeys, Table, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};
use crate::verify::words::number;

/// So many partition keys are few.
const FEW: u64 = 20;
/// So many items are not worth a second thought.
const FEW_ITEMS: u64 = 10_000;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0710",
    name: "few-partition-keys",
    title: "An index whose items share a few partition keys",
    severity: Severity::Warning,
    finds: "A global index in which the partition key of an entity is literal text, a boolean or an enum, so that it takes at \
            most 20 values, shards counted. Entities of at most 10,000 items are left alone, and those whose writes a second are \
            known, since their load is computed.",
    hurts: "All writes go to a few partitions, each of which serves 1,000 write units a second, and an index that cannot keep \
            up throttles the table. A query of one value reads a large part of all items: \
            [uniform workloads](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html).",
    example: "[entity.order]\nindex.by_state = { partition_key = \"STATE#{state}\", sort_key = \"{created_at}\" }\n\
              attributes = { state = [\"open\", \"done\"], created_at = \"timestamp\" }",
    instead: "Put the tenant or another id that the pattern is given into the partition key. If it is given nothing, index \
              only the items that matter (a sparse index) or spread them: `shards = 10`, which the pattern then reads with \
              ten queries.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Global) {
            for entry in facts.entries_of(table, index) {
                if !is_load_known(facts, index, entry)
                    && let Some(message) = check_entry(table, index, entry)
                {
                    let place = Place::entity(&entry.entity.name).member("index");
                    findings.report(place.member(index.name.as_str()), message);
                }
            }
        }
    }
}

/// Whether the file says how often the entry is written: then the load of its keys is computed, and judged by other rules.
fn is_load_known(facts: &Facts<'_>, index: &Index, entry: &Entry<'_>) -> bool {
    facts.costs().entity(&entry.entity.name).is_some_and(|cost| {
        let of_index = cost.entries.iter().find(|one| one.index == index.name.as_str());
        of_index.is_some_and(|one| one.units_per_second.known().is_some())
    })
}

fn check_entry<'d>(table: &'d Table, index: &'d Index, entry: &Entry<'d>) -> Option<String> {
    if entry.entity.count.total.is_some_and(|total| total <= FEW_ITEMS) {
        return None;
    }
    let shards = match (entry.key, &index.keys) {
        (IndexKey::Global(key), IndexKeys::Rendered { .. }) => u64::from(key.shards.largest()),
        (IndexKey::Attributes, IndexKeys::Attributes { .. }) => 1,
        // The key crate reports a key of another form than the index has.
        _ => return None,
    };
    let parts = KeyParts::of(index, entry).partition;
    let keys = parts.iter().try_fold(shards, |keys, part| {
        let values = match &entry.entity.attribute(part)?.value_type {
            ValueType::Boolean => 2,
            ValueType::Enum(words) => words.len() as u64,
            _ => return None,
        };
        Some(keys.saturating_mul(values))
    })?;
    if keys > FEW {
        return None;
    }
    let (keys, one) = if keys == 1 {
        ("one partition key".to_owned(), "it")
    } else {
        (format!("{} partition keys", number(keys)), "each of them")
    };
    let items = match entry.entity.count.total {
        Some(total) => format!("all {} items of `{}`", number(total), entry.entity.name),
        None => format!("all items of `{}`", entry.entity.name),
    };
    Some(format!(
        "{items} in index `{index}` of `{table}` share {keys}, and {one} takes 1,000 write units a second at most; beyond, the \
         table is throttled too. Put the tenant or another id that the pattern is given into the partition key, index only \
         the items that matter, or declare `shards`.",
        index = index.name,
        table = table.name,
    ))
}
