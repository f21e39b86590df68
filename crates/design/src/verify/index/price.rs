//! What an index takes at the expected load, in words.

use crate::cost::{EntryCost, Figure};
use crate::facts::Facts;
use crate::model::{Index, Table};
use crate::verify::words::decimal;

const BYTES_IN_GIGABYTE: f64 = 1_073_741_824.0;

/// Write units a second and storage of an index, as far as the file says enough: `: 30 write units a second and 1.2 GB`, or
/// nothing.
pub(super) fn in_words<'d>(facts: &Facts<'d>, table: &'d Table, index: &'d Index) -> String {
    let known = |figure: fn(&EntryCost) -> &Figure| sum(facts, table, index, figure).filter(|sum| *sum > 0.0);
    let units = known(|entry| &entry.units_per_second)
        .map(|units| format!("{} write units a second", decimal(units)));
    let storage = known(|entry| &entry.storage_bytes)
        .map(|bytes| bytes / BYTES_IN_GIGABYTE)
        .filter(|gigabytes| *gigabytes >= 0.1)
        .map(|gigabytes| format!("{} GB", decimal(gigabytes)));
    let parts: Vec<String> = units.into_iter().chain(storage).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(" and ")) }
}

/// How often entries of the index are written in a second, counted in write units.
pub(super) fn write_units_per_second<'d>(
    facts: &Facts<'d>,
    table: &'d Table,
    index: &'d Index,
) -> Option<f64> {
    sum(facts, table, index, |entry| &entry.units_per_second)
}

fn sum<'d>(
    facts: &Facts<'d>,
    table: &'d Table,
    index: &'d Index,
    figure: impl Fn(&EntryCost) -> &Figure,
) -> Option<f64> {
    facts.entries_of(table, index).iter().try_fold(0.0, |sum, entry| {
        let cost = facts.costs().entity(&entry.entity.name)?;
        let of_index = cost.entries.iter().find(|one| one.index == index.name.as_str())?;
        figure(of_index).known().map(|value| sum + value)
    })
}
