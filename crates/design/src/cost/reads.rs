//! What an access pattern reads, and what that costs.
//!
//! What is read is paid for, not what is returned: what a filter drops and what the pattern skips counts, and what a limit
//! cuts off does not.

use keywright_key::{IndexReach, Shards};
use serde::Serialize;

use super::figure::{Figure, Gap};
use super::money::Money;
use super::size;
use super::units::{Pages, ReadKind, as_count, as_figure, read_units};
use crate::facts::Facts;
use crate::model::{Entity, EntryKey, Index, Pattern, PatternOperation, PerSecond, SortKeyCondition, Table};
use crate::place::Place;

/// What an access pattern costs.
#[derive(Clone, Debug, Serialize)]
pub struct PatternCost {
    /// The requests that begin one call: one, or one for each shard.
    pub queries: u64,
    /// The items that one call reads, those that it leaves out included. At most so many if only a limit is given.
    pub items: Figure,
    /// How large they are on average, as stored in what is read.
    pub item_bytes: Figure<u64>,
    /// The pages of one call, those of all shards together.
    pub pages: Figure,
    /// The read units of one call.
    pub units_per_call: Figure,
    /// The read units of its largest page, which one partition gives at once.
    pub largest_page_units: Figure,
    /// The read units of one call on one partition key: one shard's part.
    pub units_per_call_and_key: Figure,
    /// The read units a second at the expected load.
    pub units_per_second: Figure,
    /// The read units of a month.
    pub units_per_month: Figure,
    /// What they cost on demand.
    pub on_demand_per_month: Figure,
}

/// What one call reads.
struct Call {
    queries: u64,
    items: Figure,
    item_bytes: Figure<u64>,
    /// Of one query.
    pages: Figure<Pages>,
}

/// The cost of a pattern.
pub(super) fn of_pattern(facts: &Facts<'_>, pattern: &Pattern, money: &Money<'_>) -> PatternCost {
    let call = match facts.table(&pattern.table) {
        None => Call::missing(Gap::NoSuch(format!("table `{}`", pattern.table))),
        Some(table) => match (&pattern.index, facts.index_of(pattern)) {
            (Some(index), None) => Call::missing(Gap::NoSuch(format!("index `{index}`"))),
            (_, index) => call(facts, pattern, table, index),
        },
    };
    let queries = as_figure(call.queries);
    let units_per_call_and_key = call.pages.map(|pages| pages.units);
    let units_per_call = units_per_call_and_key.scaled(queries);
    let rate = Figure::given(pattern.expected.per_second, || member(pattern, "per_second"));
    let units_per_second = units_per_call.times(&rate.map(|rate| PerSecond::times(*rate)));
    let units_per_month = units_per_second.scaled(money.seconds_in_month());
    let class = facts.table(&pattern.table).map(|table| table.class).unwrap_or_default();
    PatternCost {
        queries: call.queries,
        items: call.items,
        item_bytes: call.item_bytes,
        pages: call.pages.map(|pages| as_figure(pages.count) * queries),
        largest_page_units: call.pages.map(|pages| pages.largest_page_units),
        units_per_call,
        units_per_call_and_key,
        on_demand_per_month: units_per_month.times(&money.read_request(class)),
        units_per_second,
        units_per_month,
    }
}

fn member(pattern: &Pattern, name: &str) -> Place {
    Place::pattern(&pattern.name).member("expected").member(name)
}

impl Call {
    fn missing(gap: Gap) -> Call {
        Call {
            queries: 1,
            items: Figure::missing(gap.clone()),
            item_bytes: Figure::missing(gap.clone()),
            pages: Figure::missing(gap),
        }
    }
}

fn call(facts: &Facts<'_>, pattern: &Pattern, table: &Table, index: Option<&Index>) -> Call {
    match pattern.operation {
        PatternOperation::Get => get(facts, pattern),
        PatternOperation::Query => query(facts, pattern, table, index),
        PatternOperation::Scan { most_items, .. } => scan(facts, pattern, table, index, most_items),
    }
}

fn get(facts: &Facts<'_>, pattern: &Pattern) -> Call {
    let Some(returned) = pattern.returns.first() else {
        return Call::missing(Gap::NotGiven(Place::pattern(&pattern.name).member("returns")));
    };
    let Some(entity) = facts.entity(&returned.entity) else {
        return Call { items: Figure::Known(1.0), ..no_entity(returned.entity.as_str()) };
    };
    let kind = ReadKind::from(pattern.consistency);
    let item_bytes = size::of_item(entity);
    Call {
        // An item written under an earlier number of shards is looked for there too.
        queries: 1 + entity.shards.shape().earlier().len() as u64,
        items: Figure::Known(1.0),
        pages: item_bytes.map(|bytes| {
            let units = read_units(*bytes, kind);
            Pages { count: 1, units, largest_page_units: units }
        }),
        item_bytes,
    }
}

fn no_entity(name: &str) -> Call {
    Call::missing(Gap::NoSuch(format!("entity `{name}`")))
}

fn query(facts: &Facts<'_>, pattern: &Pattern, table: &Table, index: Option<&Index>) -> Call {
    let mixture = Mixture::of(facts, pattern, table, index);
    let queries = pattern
        .returns
        .iter()
        .filter_map(|returned| facts.entity(&returned.entity))
        .map(|entity| keys_to_read(shards_in(entity, index)))
        .max()
        .unwrap_or(1);
    let read_for_one = mixture.read_for_one.with(&keeps(pattern), |ratio, keeps| ratio / keeps);
    let in_range = expected_items(pattern, index).times(&read_for_one);
    let up_to_limit = pattern.limit.map(|limit| read_for_one.scaled(as_figure(limit)));
    let of_one_query = in_range.scaled(1.0 / as_figure(queries));
    let items = match (of_one_query, up_to_limit) {
        (Figure::Known(items), Some(Figure::Known(limit))) => Figure::Known(f64::min(items, limit)),
        (Figure::Unknown(_), Some(limit)) => limit,
        (items, _) => items,
    }
    .map(|items| as_figure(as_count(*items)));
    let kind = match index {
        Some(index) if index.reach == IndexReach::Global => ReadKind::Eventual,
        _ => ReadKind::from(pattern.consistency),
    };
    let pages = items
        .with(&mixture.item_bytes, |items, bytes| Pages::of(as_count(*items), *bytes, pattern.limit, kind));
    Call { queries, items: items.scaled(as_figure(queries)), item_bytes: mixture.item_bytes, pages }
}

fn scan(
    facts: &Facts<'_>,
    pattern: &Pattern,
    table: &Table,
    index: Option<&Index>,
    most_items: Option<u64>,
) -> Call {
    let mut items = Figure::ZERO;
    let mut bytes = Figure::ZERO;
    for entity in facts.entities_of(&table.name) {
        let (size, share) = match index {
            None => (size::of_item(entity), Figure::Known(1.0)),
            Some(index) => match size::of_entry(facts, table, index, entity) {
                Some(entry) => (entry.bytes, entry.share),
                None => continue,
            },
        };
        let count = size::count(entity).times(&share);
        bytes = bytes.plus(&count.with(&size, |count, size| count * as_figure(*size)));
        items = items.plus(&count);
    }
    let item_bytes =
        bytes.with(&items, |bytes, items| if *items > 0.0 { as_count(bytes / items) } else { 0 });
    let items = match (items, most_items) {
        (Figure::Known(items), Some(most)) => Figure::Known(f64::min(items, as_figure(most))),
        (Figure::Unknown(_), Some(most)) => Figure::Known(as_figure(most)),
        (items, None) => items,
    };
    let kind = ReadKind::from(pattern.consistency);
    let pages = items.with(&item_bytes, |items, bytes| Pages::of(as_count(*items), *bytes, None, kind));
    Call { queries: 1, items, item_bytes, pages }
}

/// The items that a call returns, all pages together.
fn expected_items(pattern: &Pattern, index: Option<&Index>) -> Figure {
    let is_whole_key = index.is_none() && matches!(pattern.sort_key, SortKeyCondition::Equals(_));
    let items = pattern.expected.items.or(is_whole_key.then_some(1));
    Figure::given(items, || member(pattern, "items")).map(|items| as_figure(*items))
}

/// The share of what is read that a filter keeps.
fn keeps(pattern: &Pattern) -> Figure {
    match &pattern.filter {
        None => Figure::Known(1.0),
        Some(filter) => {
            Figure::given(filter.keeps, || Place::pattern(&pattern.name).member("filter").member("keeps"))
        }
    }
}

/// The shards of an entity where it is read.
pub(crate) fn shards_in<'e>(entity: &'e Entity, index: Option<&Index>) -> Shards<'e> {
    match index {
        None => entity.shards.shape(),
        Some(index) => match entity.entry(&index.name).map(|entry| &entry.key) {
            Some(EntryKey::Global { shards, .. }) => shards.shape(),
            Some(EntryKey::Local { .. }) => entity.shards.shape(),
            Some(EntryKey::Attributes) | None => Shards::NONE,
        },
    }
}

/// How many partition keys are read for all items of one.
pub(crate) fn keys_to_read(shards: Shards<'_>) -> u64 {
    let sharded = if shards.is_sharded() { u64::from(shards.largest()) } else { 0 };
    sharded + u64::from(shards.has_unsharded())
}

/// The items in a pattern's range: how large they are, and how many lie there for each that is returned.
struct Mixture {
    item_bytes: Figure<u64>,
    read_for_one: Figure,
}

impl Mixture {
    fn of(facts: &Facts<'_>, pattern: &Pattern, table: &Table, index: Option<&Index>) -> Mixture {
        let returned = pattern.returns.iter().map(|returned| (&returned.entity, true));
        let skipped = pattern.skips.iter().map(|skipped| (skipped, false));
        let mut kinds = Vec::new();
        for (name, is_returned) in returned.chain(skipped) {
            let Some(entity) = facts.entity(name) else {
                let missing = size::no_entity(name.as_str());
                return Mixture { item_bytes: missing, read_for_one: Figure::Known(1.0) };
            };
            let bytes = match index {
                None => size::of_item(entity),
                Some(index) => match size::of_entry(facts, table, index, entity) {
                    Some(entry) => entry.bytes,
                    None => continue,
                },
            };
            kinds.push((entity, is_returned, bytes));
        }
        let has_skipped = kinds.iter().any(|(_, is_returned, _)| !is_returned);
        match &kinds[..] {
            [(_, true, bytes)] => Mixture { item_bytes: bytes.clone(), read_for_one: Figure::Known(1.0) },
            [] => Mixture {
                item_bytes: Figure::missing(Gap::NoSuch(format!("entity that `{}` reads", pattern.name))),
                read_for_one: Figure::Known(1.0),
            },
            kinds => Mixture::weighted(kinds, has_skipped),
        }
    }

    /// Entities weigh as much as there are items of them. Where that is not known, the largest size stands for all.
    fn weighted(kinds: &[(&Entity, bool, Figure<u64>)], has_skipped: bool) -> Mixture {
        let total = Figure::sum(&kinds.iter().map(|(entity, ..)| size::count(entity)).collect::<Vec<_>>());
        let returned: f64 = kinds
            .iter()
            .filter(|(_, is_returned, _)| *is_returned)
            .filter_map(|(entity, ..)| entity.count.total)
            .map(as_figure)
            .sum();
        let largest = kinds
            .iter()
            .fold(Figure::Known(0), |largest, (_, _, bytes)| largest.with(bytes, |one, two| *one.max(two)));
        match total {
            Figure::Known(total) if returned > 0.0 => {
                let bytes = kinds.iter().fold(Figure::ZERO, |sum, (entity, _, bytes)| {
                    sum.plus(&size::count(entity).with(bytes, |count, bytes| count * as_figure(*bytes)))
                });
                Mixture {
                    item_bytes: bytes.map(|bytes| as_count(bytes / total)),
                    read_for_one: Figure::Known(total / returned),
                }
            }
            Figure::Known(_) => Mixture { item_bytes: largest, read_for_one: Figure::Known(1.0) },
            unknown if has_skipped => Mixture { item_bytes: largest, read_for_one: unknown },
            Figure::Unknown(_) => Mixture { item_bytes: largest, read_for_one: Figure::Known(1.0) },
        }
    }
}
