//! Loads and counts.

use crate::file::members::Members;
use crate::model::{ItemCount, PerSecond, ReadLoad, WriteLoad};

/// The expected load of a pattern; unknown without the key.
pub(super) fn reads(pattern: &Members<'_>) -> ReadLoad {
    let Some(expected) = pattern.members("expected") else { return ReadLoad::default() };
    ReadLoad {
        items: expected.whole("items"),
        per_second: rate(&expected, "per_second"),
        per_second_largest_tenant: rate(&expected, "per_second_largest_tenant"),
        per_second_largest_key: rate(&expected, "per_second_largest_key"),
    }
}

/// The load of writes at `key`; unknown without the key.
pub(super) fn writes(members: &Members<'_>, key: &str) -> WriteLoad {
    let Some(load) = members.members(key) else { return WriteLoad::default() };
    WriteLoad {
        per_second: rate(&load, "per_second"),
        per_second_largest_tenant: rate(&load, "per_second_largest_tenant"),
        per_second_largest_key: rate(&load, "per_second_largest_key"),
    }
}

/// How many items there are; unknown without the key.
pub(super) fn count(entity: &Members<'_>) -> ItemCount {
    let Some(count) = entity.part("count") else { return ItemCount::default() };
    match count.members() {
        Some(counts) => ItemCount {
            total: counts.whole("total"),
            largest_tenant: counts.whole("largest_tenant"),
            largest_key: counts.whole("largest_key"),
        },
        None => ItemCount { total: count.whole(), ..ItemCount::default() },
    }
}

fn rate(load: &Members<'_>, key: &str) -> Option<PerSecond> {
    load.number(key).and_then(PerSecond::new)
}
