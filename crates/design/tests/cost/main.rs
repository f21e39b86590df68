//! What designs cost, against figures that AWS's documentation computes, or that follow from it by hand.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::panic,
    reason = "tests stop at the first surprise, and units are exact halves"
)]

mod documented_reads;
mod documented_writes;
mod heat;
mod money;
mod properties;
mod requests;
mod unknown;

use bumpalo::Bump;
use keywright_design::cost::{EntityCost, Figure, PatternCost, TableCost, WriteCost};
use keywright_design::model::{EntityName, PatternName, TableName, WriteName};
use keywright_design::{DesignFile, Facts, Shapes};

/// Looks at the facts of a design.
fn with_facts<Seen>(text: &str, look: impl FnOnce(&Facts<'_>) -> Seen) -> Seen {
    let file = match DesignFile::parse(text) {
        Ok(file) => file,
        Err(problems) => panic!("{problems:#?}"),
    };
    let arena = Bump::new();
    let shapes = Shapes::new(file.design(), &arena);
    look(&Facts::new(file.design(), &shapes))
}

fn pattern(text: &str, name: &str) -> PatternCost {
    with_facts(text, |facts| facts.costs().pattern(&PatternName::new(name).unwrap()).unwrap().clone())
}

fn entity(text: &str, name: &str) -> EntityCost {
    with_facts(text, |facts| facts.costs().entity(&EntityName::new(name).unwrap()).unwrap().clone())
}

fn write(text: &str, name: &str) -> WriteCost {
    with_facts(text, |facts| facts.costs().write(&WriteName::new(name).unwrap()).unwrap().clone())
}

fn table(text: &str, name: &str) -> TableCost {
    with_facts(text, |facts| facts.costs().table(&TableName::new(name).unwrap()).unwrap().clone())
}

/// The value of a figure that must be known.
#[track_caller]
fn known(figure: &Figure) -> f64 {
    *figure.known().unwrap_or_else(|| panic!("{figure}"))
}

/// Whether two amounts of money are the same to a thousandth of a cent.
#[track_caller]
fn assert_money(figure: &Figure, expected: f64) {
    let found = known(figure);
    assert!((found - expected).abs() < 0.000_01, "{found} is not {expected}");
}

/// A table with one entity, `item`, of so many bytes, with what else the test says.
fn one_entity(bytes: u64, rest: &str) -> String {
    format!(
        "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[entity.item]\n\
         partition_key = \"GROUP#{{group_id}}\"\nsort_key = \"ITEM#{{item_id}}\"\naverage_size_bytes = {bytes}\n{rest}"
    )
}

/// A get of one item of so many bytes.
fn get(bytes: u64, consistency: &str, per_second: f64) -> PatternCost {
    let rest = format!(
        "[pattern.one]\noperation = \"get\"\nreturns = [\"item\"]\ngiven = [\"group_id\", \"item_id\"]\n\
         sort_key = \"ITEM#{{item_id}}\"\nconsistency = \"{consistency}\"\nexpected = {{ per_second = {per_second:?} }}\n"
    );
    pattern(&one_entity(bytes, &rest), "one")
}

/// A query of so many items of so many bytes each.
fn query(items: u64, bytes: u64, rest: &str) -> PatternCost {
    let rest = format!(
        "[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n\
         expected = {{ items = {items}, per_second = 1 }}\n{rest}"
    );
    pattern(&one_entity(bytes, &rest), "many")
}
