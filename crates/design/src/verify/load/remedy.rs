//! What to do about a hot key: a further component first, then shards, their number computed.

use keywright_key::PatternShape;

use crate::cost::units::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, ReadKind, read_units};
use crate::cost::{Basis, Heat, HeatPart, KeyHeat, shards_needed};
use crate::facts::Facts;
use crate::model::{EntityName, PatternName, PatternOperation, TableName};
use crate::verify::words::{decimal, number};

/// The most shards that a key may have.
const MOST_SHARDS: u64 = keywright_key::Shards::MOST as u64;

/// The key and its parts: "`ORG#{organization_id}` of `app` takes ...".
pub(super) fn describe(key: &KeyHeat, heat: &Heat, of: &str, limit: f64) -> String {
    let index = key.index.as_ref().map_or_else(String::new, |index| format!("index `{index}` of "));
    let shard = if key.shards > 1 { "one shard of " } else { "" };
    format!(
        "{shard}the partition key \"{}\" in {index}`{}` takes {} {of} units a second, and one partition serves {}: {}.",
        key.key,
        key.table,
        decimal(heat.at_least),
        decimal(limit),
        parts(heat),
    )
}

/// What the heat is made of: the three hottest, and how many others.
fn parts(heat: &Heat) -> String {
    let certain: Vec<&HeatPart> = heat.parts.iter().filter(|part| part.is_certain()).collect();
    let named: Vec<String> = certain
        .iter()
        .take(3)
        .map(|part| {
            let whose = match part.basis {
                Basis::LargestTenant => " of the largest tenant",
                Basis::EvenShare => " for each value, evenly",
                Basis::LargestKey | Basis::WholeLoad | Basis::AtMost => "",
            };
            format!(
                "`{}` {} by {} calls{whose}",
                part.name,
                decimal(part.units_per_second),
                decimal(part.calls_per_second)
            )
        })
        .collect();
    let others = certain.len().saturating_sub(3);
    if others == 0 { named.join(", ") } else { format!("{}, and {others} more", named.join(", ")) }
}

/// What to do about a key that is read too much.
pub(super) fn of_reads(facts: &Facts<'_>, key: &KeyHeat) -> String {
    let shards = match shards_for_reads(facts, &key.reads) {
        Some(shards) => format!(
            "else spread the items over {count} keys with `shards = {count}`, which makes every query {count} queries",
            count = number(shards)
        ),
        None => "shards would not help, since every call asks each of them: else keep copies of the items under several \
                 keys, or a cache before the table"
            .to_owned(),
    };
    format!("{}; {shards}.", component(facts, key))
}

/// What to do about a key that is written too much.
pub(super) fn of_writes(facts: &Facts<'_>, key: &KeyHeat) -> String {
    let shards = number(shards_needed(key.writes.at_least, PARTITION_WRITE_UNITS));
    format!(
        "{}; else spread the items over {shards} keys with `shards = {shards}`, which makes every query {shards} queries.",
        component(facts, key)
    )
}

fn component(facts: &Facts<'_>, key: &KeyHeat) -> String {
    match further_component(facts, key) {
        Some(longer) => format!(
            "Put one more component into the key, which every pattern that reads it gives: \"{longer}\""
        ),
        None => "Put one more component into the key that its patterns can give, such as the id of what they ask about"
            .to_owned(),
    }
}

/// The key with a further component: a value that every pattern on the key gives.
fn further_component(facts: &Facts<'_>, key: &KeyHeat) -> Option<String> {
    let patterns: Vec<&PatternShape<'_>> = key
        .reads
        .parts
        .iter()
        .filter_map(|part| facts.pattern_shape(&PatternName::new(part.name.as_str()).ok()?))
        .collect();
    let (first, others) = patterns.split_first()?;
    let entity = facts.entity_shape(&EntityName::new(first.returns.first()?.entity).ok()?)?;
    let is_multi_attribute = !key.key.contains('{');
    let is_in_key = |field: &str| {
        key.key.contains(&format!("{{{field}"))
            || is_multi_attribute && key.key.split(", ").any(|name| name == field)
    };
    let field = first.given.iter().map(|given| given.name).find(|field| {
        !is_in_key(field)
            && entity.attribute(field).is_some()
            && others.iter().all(|pattern| pattern.given(field).is_some())
    })?;
    if is_multi_attribute {
        return Some(format!("{}, {field}", key.key));
    }
    let table = facts.table(&TableName::new(key.table.as_str()).ok()?)?;
    let delimiter = table.format.delimiter.character();
    let label = field.strip_suffix("_id").unwrap_or(field).to_uppercase();
    Some(format!("{}{delimiter}{label}{delimiter}{{{field}}}", key.key))
}

/// The fewest shards that bring reads below what a partition serves. A Query asks every shard, for half a unit at least, so
/// there may be none.
pub(super) fn shards_for_reads(facts: &Facts<'_>, heat: &Heat) -> Option<u64> {
    let least = read_units(0, ReadKind::Eventual);
    let calls: Vec<(f64, f64, bool)> = heat
        .parts
        .iter()
        .filter(|part| part.is_certain())
        .filter_map(|part| {
            let name = PatternName::new(part.name.as_str()).ok()?;
            let pattern = facts.pattern(&name)?;
            let units = *facts.costs().pattern(&name)?.units_per_call_and_key.known()?;
            let is_get = pattern.operation == PatternOperation::Get;
            (units > 0.0).then_some((part.units_per_second / units, units, is_get))
        })
        .collect();
    let on_one = |shards: f64| -> f64 {
        calls
            .iter()
            .map(|(rate, units, is_get)| {
                let of_one = units / shards;
                rate * if *is_get { of_one } else { of_one.max(least) }
            })
            .sum()
    };
    let fewest = shards_needed(heat.at_least, PARTITION_READ_UNITS);
    let enough = |shards: &u64| {
        u32::try_from(*shards).is_ok_and(|shards| on_one(f64::from(shards)) <= PARTITION_READ_UNITS)
    };
    (fewest..=MOST_SHARDS).find(enough)
}

/// What to do about a key that will be written too much when the load grows: room for twice as much.
pub(super) fn of_growth(facts: &Facts<'_>, key: &KeyHeat) -> String {
    let writes = key.writes.at_least * f64::from(key.shards);
    let shards = shards_needed(writes * 2.0, PARTITION_WRITE_UNITS);
    if key.shards > 1 {
        return format!("Take {shards} shards before it does.");
    }
    format!("{}, or spread the items with `shards = {shards}`.", component(facts, key))
}
