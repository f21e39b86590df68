//! `KW06`: load and size.

mod capacity_below_load;
mod collection;
mod collection_near_limit;
mod collection_too_large;
mod ever_growing;
mod few_keys;
mod filter_drops_most;
mod hot_index_key;
mod hot_item;
mod hot_key_reads;
mod hot_key_writes;
mod hottest_key_not_given;
mod item_too_large;
mod large_items;
mod large_page;
mod load_not_given;
mod loads_contradict;
mod one_partition_key;
mod remedy;
mod time_in_partition_key;
mod too_few_shards;
mod too_many_shards;
mod unbounded_result;

use super::finding::Findings;
use super::rule::Rule;
use crate::cost::Heat;
use crate::model::{EntityName, PatternName};
use crate::place::Place;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[
    &hot_key_reads::RULE,
    &hot_key_writes::RULE,
    &hot_index_key::RULE,
    &hot_item::RULE,
    &too_few_shards::RULE,
    &too_many_shards::RULE,
    &one_partition_key::RULE,
    &time_in_partition_key::RULE,
    &few_keys::RULE,
    &item_too_large::RULE,
    &large_items::RULE,
    &collection_too_large::RULE,
    &collection_near_limit::RULE,
    &ever_growing::RULE,
    &load_not_given::RULE,
    &loads_contradict::RULE,
    &unbounded_result::RULE,
    &filter_drops_most::RULE,
    &large_page::RULE,
    &capacity_below_load::RULE,
    &hottest_key_not_given::RULE,
];

/// So many items are not worth a second thought.
const FEW_ITEMS: u64 = 10_000;
/// 2^30 bytes.
const GIGABYTE: f64 = 1_073_741_824.0;
/// What an item collection has at most in a table with a local index.
const LARGEST_COLLECTION: f64 = 10.0 * GIGABYTE;

/// Where the pattern stands that reads most.
fn hottest_pattern(heat: &Heat) -> Option<Place> {
    pattern_place(&heat.parts.iter().find(|part| part.is_certain())?.name)
}

/// Where the entity stands that is written most.
fn hottest_entity(heat: &Heat) -> Option<Place> {
    entity_place(&heat.parts.iter().find(|part| part.is_certain())?.name)
}

fn pattern_place(name: &str) -> Option<Place> {
    PatternName::new(name).ok().map(|name| Place::pattern(&name))
}

fn entity_place(name: &str) -> Option<Place> {
    EntityName::new(name).ok().map(|name| Place::entity(&name))
}

/// Whether one item alone is beyond the limit: a rule of its own says so.
fn is_of_one_item(heat: &Heat, limit: f64) -> bool {
    heat.parts.iter().any(|part| part.is_one_item && part.is_certain() && part.units_per_second > limit)
}

/// Whether a rule has found the key at this place too hot: how few keys there are then needs no further word.
fn is_reported_hot(findings: &Findings<'_>, place: &Place) -> bool {
    findings
        .found()
        .iter()
        .any(|finding| matches!(finding.rule.code, "KW0602" | "KW0604") && finding.place == *place)
}
