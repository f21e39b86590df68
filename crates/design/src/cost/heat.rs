//! Units a second on one partition key, against what one partition serves.
//!
//! A key's heat is the sum over the patterns that read it and the entities that are written under it, each at the rate of
//! its hottest key. That rate is the one that the file gives; else that of the largest tenant, where nothing but the tenant
//! is in the key; else the whole load, where nothing at all is. Where the file leaves it open, there is only an upper bound.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>

use std::collections::HashMap;

use keywright_key::IndexReach;
use serde::Serialize;

use super::nature::{Nature, PartitionKey, of_whole_key};
use super::reads::PatternCost;
use super::units::{as_count, as_figure};
use super::writes::{EntityCost, EntityWrite};
use crate::facts::Facts;
use crate::model::{Entity, Index, Pattern, PatternOperation, PerSecond, ReadLoad, Table, WriteLoad};

/// The heat of one partition key of a table or of an index.
#[derive(Clone, Debug, Serialize)]
pub struct KeyHeat {
    /// The table.
    pub table: String,
    /// The index, a global one; none for the table itself and its local indexes.
    pub index: Option<String>,
    /// The partition key, as the file writes it.
    pub key: String,
    /// Over how many partition keys its items are written.
    pub shards: u16,
    /// Read units a second on one key.
    pub reads: Heat,
    /// Write units a second on one key.
    pub writes: Heat,
}

/// Units a second on one partition key, of one kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Heat {
    /// What the file says or what follows from it: the hottest key has at least so much.
    pub at_least: f64,
    /// What it can have at most; none where a load is not given.
    pub at_most: Option<f64>,
    /// What it is made of, the hottest first.
    pub parts: Vec<HeatPart>,
}

/// What one pattern or entity adds to a key's heat.
#[derive(Clone, Debug, Serialize)]
pub struct HeatPart {
    /// The pattern that reads, or the entity that is written.
    pub name: String,
    /// Its calls, or the calls that write it, a second for the hottest key.
    pub calls_per_second: f64,
    /// Its units a second on one partition key.
    pub units_per_second: f64,
    /// Where its rate comes from.
    pub basis: Basis,
    /// Whether all of it is on one item.
    pub is_one_item: bool,
}

/// Where the rate of the hottest key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The file gives it.
    LargestKey,
    /// The largest tenant has the key for itself.
    LargestTenant,
    /// There is one key.
    WholeLoad,
    /// There are so few keys that the hottest has at least its even share.
    EvenShare,
    /// Only an upper bound is known.
    AtMost,
}

impl Heat {
    fn add(&mut self, part: Option<HeatPart>) {
        match part {
            None => self.at_most = None,
            Some(part) => {
                self.at_most = self.at_most.map(|sum| sum + part.units_per_second);
                if part.basis != Basis::AtMost {
                    self.at_least += part.units_per_second;
                }
                self.parts.push(part);
            }
        }
    }

    fn finish(&mut self) {
        self.parts.sort_by(|one, two| two.units_per_second.total_cmp(&one.units_per_second));
    }
}

/// The partitions that so many units a second need, `limit` each: at least one.
pub fn shards_needed(units_per_second: f64, limit: f64) -> u64 {
    as_count(units_per_second / limit).max(1)
}

/// Collects the heat of every key.
pub(super) struct HeatMap<'f, 'd> {
    facts: &'f Facts<'d>,
    places: HashMap<(&'d str, Option<&'d str>, String, u16), usize>,
    heats: Vec<KeyHeat>,
}

impl<'f, 'd> HeatMap<'f, 'd> {
    pub(super) fn new(facts: &'f Facts<'d>) -> HeatMap<'f, 'd> {
        HeatMap { facts, places: HashMap::new(), heats: Vec::new() }
    }

    pub(super) fn finish(mut self) -> Vec<KeyHeat> {
        for heat in &mut self.heats {
            heat.reads.finish();
            heat.writes.finish();
        }
        self.heats
    }

    /// Adds what a pattern reads.
    pub(super) fn read(&mut self, pattern: &'d Pattern, cost: &PatternCost) {
        let index = self.facts.index_of(pattern);
        let Some(table) = self.facts.table(&pattern.table) else { return };
        if matches!(pattern.operation, PatternOperation::Scan { .. })
            || pattern.index.is_some() && index.is_none()
        {
            return;
        }
        let Some(entity) = pattern.returns.first().and_then(|first| self.facts.entity(&first.entity)) else {
            return;
        };
        let Some(key) = PartitionKey::of(self.facts, table, entity, index) else { return };
        let is_one_item = pattern.operation == PatternOperation::Get
            && matches!(of_whole_key(self.facts, entity), Nature::One | Nature::Tenant);
        let rate = self.rate(&key, entity, Load::from(pattern.expected));
        // A GetItem knows its item's shard; a Query asks every one.
        let spread = match pattern.operation {
            PatternOperation::Get => f64::from(key.shards),
            PatternOperation::Query | PatternOperation::Scan { .. } => 1.0,
        };
        let units = cost.units_per_call_and_key.known().map(|units| units / spread);
        let part = rate.zip(units).map(|((rate, basis), units)| HeatPart {
            name: pattern.name.as_str().to_owned(),
            calls_per_second: rate,
            units_per_second: rate * units,
            basis,
            is_one_item,
        });
        self.place(table, index, key).reads.add(part);
    }

    /// Adds what writes of an entity write, in the table and in its indexes.
    pub(super) fn write(&mut self, entity: &'d Entity, cost: &EntityCost) {
        let Some(table) = self.facts.table(&entity.table) else { return };
        let Some(key) = PartitionKey::of(self.facts, table, entity, None) else { return };
        let is_one_item = matches!(of_whole_key(self.facts, entity), Nature::One | Nature::Tenant);
        let mut in_table = Heat::known();
        for write in cost.writes.iter().filter(|write| counts(write)) {
            let units = write.table_units.scaled(write.items_per_call).known().copied();
            in_table.add(self.part(entity, &key, Load::from(write.load), units, is_one_item));
        }
        let table_key = key.text.clone();
        self.place(table, None, key).writes.absorb(entity, in_table);
        for (position, entry) in cost.entries.iter().enumerate() {
            let Some(index) = table.indexes.iter().find(|index| index.name == *entry.index.as_str()) else {
                continue;
            };
            let Some(key) = PartitionKey::of(self.facts, table, entity, Some(index)) else { continue };
            let mut in_index = Heat::known();
            for write in cost.writes.iter().filter(|write| counts(write)) {
                let units = write.index_units.get(position).and_then(|units| units.known().copied());
                // The file's hottest key is the table's: it says nothing of another key.
                let load = if key.text == table_key {
                    Load::from(write.load)
                } else {
                    Load { key: None, ..Load::from(write.load) }
                };
                let units = units.map(|units| units * write.items_per_call);
                in_index.add(self.part(entity, &key, load, units, false));
            }
            self.place(table, Some(index), key).writes.absorb(entity, in_index);
        }
    }

    fn part(
        &self,
        entity: &Entity,
        key: &PartitionKey<'_>,
        load: Load,
        units: Option<f64>,
        is_one_item: bool,
    ) -> Option<HeatPart> {
        if units == Some(0.0) {
            return Some(HeatPart::nothing(entity));
        }
        let (rate, basis) = self.rate(key, entity, load)?;
        Some(HeatPart {
            name: entity.name.as_str().to_owned(),
            calls_per_second: rate,
            units_per_second: rate * units? / f64::from(key.shards),
            basis,
            is_one_item,
        })
    }

    /// The rate of the hottest key, all its shards together.
    fn rate(&self, key: &PartitionKey<'_>, entity: &Entity, load: Load) -> Option<(f64, Basis)> {
        if let Some(rate) = load.key {
            return Some((rate, Basis::LargestKey));
        }
        let has_tenant = key.has_tenant(self.facts);
        let bound = if has_tenant { load.tenant.or(load.total) } else { load.total };
        match key.nature(self.facts, entity) {
            Nature::One => Some((load.total?, Basis::WholeLoad)),
            Nature::Tenant if load.tenant.is_some() => Some((load.tenant?, Basis::LargestTenant)),
            Nature::Few(values) if !has_tenant => Some((load.total? / as_figure(values), Basis::EvenShare)),
            Nature::Few(values) if load.tenant.is_some() => {
                Some((load.tenant? / as_figure(values), Basis::EvenShare))
            }
            Nature::Tenant | Nature::Few(_) | Nature::Many => Some((bound?, Basis::AtMost)),
        }
    }

    fn place(&mut self, table: &'d Table, index: Option<&'d Index>, key: PartitionKey<'_>) -> &mut KeyHeat {
        let index = index.filter(|index| index.reach == IndexReach::Global).map(|index| index.name.as_str());
        let next = self.heats.len();
        let name = table.name.as_str();
        let place = *self.places.entry((name, index, key.text.clone(), key.shards)).or_insert(next);
        if place == next {
            self.heats.push(KeyHeat {
                table: name.to_owned(),
                index: index.map(str::to_owned),
                key: key.text,
                shards: key.shards,
                reads: Heat::known(),
                writes: Heat::known(),
            });
        }
        match self.heats.get_mut(place) {
            Some(heat) => heat,
            None => unreachable!("`places` holds places of `heats`"),
        }
    }
}

impl Heat {
    const fn known() -> Heat {
        Heat { at_least: 0.0, at_most: Some(0.0), parts: Vec::new() }
    }

    /// Adds all writes of an entity as one part, and one more for those of which there is only an upper bound.
    fn absorb(&mut self, entity: &Entity, other: Heat) {
        let is_one_item = other.parts.iter().any(|part| part.is_one_item);
        for is_certain in [true, false] {
            let alike: Vec<&HeatPart> =
                other.parts.iter().filter(|part| part.is_certain() == is_certain).collect();
            let units_per_second: f64 = alike.iter().map(|part| part.units_per_second).sum();
            if let Some(first) = alike.iter().find(|part| part.units_per_second > 0.0) {
                self.add(Some(HeatPart {
                    name: entity.name.as_str().to_owned(),
                    calls_per_second: alike.iter().map(|part| part.calls_per_second).sum(),
                    units_per_second,
                    basis: first.basis,
                    is_one_item,
                }));
            }
        }
        if other.at_most.is_none() {
            self.at_most = None;
        }
    }
}

impl HeatPart {
    /// Whether the hottest key has at least this, and not only at most.
    pub fn is_certain(&self) -> bool {
        self.basis != Basis::AtMost
    }

    fn nothing(entity: &Entity) -> HeatPart {
        HeatPart {
            name: entity.name.as_str().to_owned(),
            calls_per_second: 0.0,
            units_per_second: 0.0,
            basis: Basis::WholeLoad,
            is_one_item: false,
        }
    }
}

/// Calls or writes a second.
#[derive(Clone, Copy)]
struct Load {
    total: Option<f64>,
    tenant: Option<f64>,
    key: Option<f64>,
}

impl From<ReadLoad> for Load {
    fn from(load: ReadLoad) -> Load {
        Load {
            total: load.per_second.map(PerSecond::times),
            tenant: load.per_second_largest_tenant.map(PerSecond::times),
            key: load.per_second_largest_key.map(PerSecond::times),
        }
    }
}

impl From<WriteLoad> for Load {
    fn from(load: WriteLoad) -> Load {
        Load {
            total: load.per_second.map(PerSecond::times),
            tenant: load.per_second_largest_tenant.map(PerSecond::times),
            key: load.per_second_largest_key.map(PerSecond::times),
        }
    }
}

/// Whether a write has a load, or should have one: beside an entity's own load, those without one stand for nothing.
fn counts(write: &EntityWrite) -> bool {
    let load = write.load;
    let has_load = load.per_second.or(load.per_second_largest_tenant).or(load.per_second_largest_key);
    has_load.is_some() || write.per_second.known().is_none()
}
