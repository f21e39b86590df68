//! What a design costs: capacity units, money, and the heat of its partition keys.
//!
//! Every figure follows from what the file says; what it does not say makes a figure [unknown](Figure::Unknown), never 0.
//! Prices come from one data file, [`PriceList`], which names its date and regions. Sizes are averages, loads are averages.

mod figure;
mod heat;
mod money;
mod nature;
mod prices;
mod reads;
mod size;
mod table;
mod writes;

pub mod units;

use std::collections::HashMap;

pub use figure::{Figure, Gap};
pub use heat::{Basis, Heat, HeatPart, KeyHeat, shards_needed};
pub use prices::{FreeEachMonth, PriceList, Priced, RegionPrices};
pub use reads::PatternCost;
pub use table::{CapacityMode, ClassComparison, DEFAULT_TARGET, ModeComparison, Month, PlaceLoad, TableCost};
pub use writes::{EntityCost, EntityWrite, EntryCost, WriteCost};

pub(crate) use nature::{Nature, PartitionKey, of_whole_key};
pub(crate) use reads::keys_to_read;

use crate::facts::Facts;
use crate::model::{EntityName, Index, Pattern, PatternName, PatternOperation, TableName, WriteName};
use heat::HeatMap;
use money::Money;
use table::Parts;

/// The costs of every part of a design.
#[derive(Clone, Debug)]
pub struct Costs {
    patterns: HashMap<String, PatternCost>,
    entities: HashMap<String, EntityCost>,
    writes: HashMap<String, WriteCost>,
    tables: HashMap<String, TableCost>,
    heats: Vec<KeyHeat>,
}

impl Costs {
    /// The costs at the prices that this program was built with. [`Facts::costs`] keeps them.
    pub fn new(facts: &Facts<'_>) -> Costs {
        Costs::at(facts, PriceList::current())
    }

    /// The costs at these prices.
    pub fn at(facts: &Facts<'_>, prices: &PriceList) -> Costs {
        let design = facts.design();
        let money = Money::of(design, prices);
        let mut heat = HeatMap::new(facts);
        let mut patterns = HashMap::with_capacity(design.patterns.len());
        for pattern in &design.patterns {
            let cost = reads::of_pattern(facts, pattern, &money);
            heat.read(pattern, &cost);
            patterns.insert(pattern.name.as_str().to_owned(), cost);
        }
        let mut entities = HashMap::with_capacity(design.entities.len());
        for entity in &design.entities {
            let cost = writes::of_entity(facts, entity, &money);
            heat.write(entity, &cost);
            entities.insert(entity.name.as_str().to_owned(), cost);
        }
        let writes = design
            .writes
            .iter()
            .map(|write| {
                let cost = writes::of_write(facts, write, |name| entities.get(name), &money);
                (write.name.as_str().to_owned(), cost)
            })
            .collect();
        let tables = design
            .tables
            .iter()
            .map(|table| {
                // A scan is a job outside of requests, and counts where the file gives its rate.
                let counts = |pattern: &&Pattern| {
                    !matches!(pattern.operation, PatternOperation::Scan { .. })
                        || pattern.expected.per_second.is_some()
                };
                let of_patterns = facts.patterns_of(&table.name).filter(counts).filter_map(|pattern| {
                    let index: Option<&Index> = facts.index_of(pattern);
                    Some((index, patterns.get(pattern.name.as_str())?))
                });
                let of_entities =
                    facts.entities_of(&table.name).filter_map(|entity| entities.get(entity.name.as_str()));
                let parts = Parts { patterns: of_patterns.collect(), entities: of_entities.collect() };
                (table.name.as_str().to_owned(), table::of_table(table, &parts, &money))
            })
            .collect();
        Costs { patterns, entities, writes, tables, heats: heat.finish() }
    }

    /// What an access pattern costs.
    pub fn pattern(&self, name: &PatternName) -> Option<&PatternCost> {
        self.patterns.get(name.as_str())
    }

    /// What the items of an entity cost.
    pub fn entity(&self, name: &EntityName) -> Option<&EntityCost> {
        self.entities.get(name.as_str())
    }

    /// What a `[write]` costs.
    pub fn write(&self, name: &WriteName) -> Option<&WriteCost> {
        self.writes.get(name.as_str())
    }

    /// What a table costs.
    pub fn table(&self, name: &TableName) -> Option<&TableCost> {
        self.tables.get(name.as_str())
    }

    /// The heat of every partition key of every table and global index.
    pub fn heats(&self) -> &[KeyHeat] {
        &self.heats
    }
}
