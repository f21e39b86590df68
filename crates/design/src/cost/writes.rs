//! What writes cost, in the table and in every index that holds the item.
//!
//! An index is written when what it holds of an item changes: once for an item that is new there, gone, or changed in what
//! is projected; twice when the key in the index changes, since the old entry is deleted and a new one put; not at all
//! otherwise. A transaction pays twice in the table, and as ever in the indexes. A batch has no discount. What a time to
//! live deletes is free of write units, but for the copies of that delete in replicas.
//!
//! Sources: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes>,
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling>,
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html>

use serde::Serialize;

use super::figure::Figure;
use super::money::{Mode, Money};
use super::prices::Priced;
use super::size;
use super::units::{ITEM_OVERHEAD_BYTES, REPLICATION_OVERHEAD_BYTES, WriteKind, as_figure, write_units};
use crate::facts::Facts;
use crate::model::{
    AttributeName, Entity, Index, PerSecond, Projection, Table, ValueType, Write, WriteCondition, WriteLoad,
    WriteOperation,
};
use crate::place::Place;

/// What the items of an entity cost.
#[derive(Clone, Debug, Serialize)]
pub struct EntityCost {
    /// The average size of an item.
    pub item_bytes: Figure<u64>,
    /// Its entries in indexes.
    pub entries: Vec<EntryCost>,
    /// What storage counts of it in one region, the indexes and the overhead of items included.
    pub storage_bytes: Figure,
    /// The writes that write it: those that the file names, or the entity's own.
    pub writes: Vec<EntityWrite>,
    /// The write units a second in the table.
    pub table_units_per_second: Figure,
    /// The write units a second in the table and in all indexes.
    pub units_per_second: Figure,
    /// The write units of a month.
    pub units_per_month: Figure,
    /// What those cost on demand, in all regions of the table.
    pub on_demand_per_month: Figure,
}

/// The entries of an entity in an index.
#[derive(Clone, Debug, Serialize)]
pub struct EntryCost {
    /// The index.
    pub index: String,
    /// The average size of an entry.
    pub bytes: Figure<u64>,
    /// The share of the items that have one.
    pub share: Figure,
    /// What storage counts of them in one region.
    pub storage_bytes: Figure,
    /// The write units a second.
    pub units_per_second: Figure,
}

/// One way in which an entity is written.
#[derive(Clone, Debug, Serialize)]
pub struct EntityWrite {
    /// The `[write]`; none for the entity's own load.
    pub write: Option<String>,
    /// Items of this entity in one call.
    pub items_per_call: f64,
    /// The write units of one item in the table.
    pub table_units: Figure,
    /// The write units of one item in each index, in the order of [`EntityCost::entries`].
    pub index_units: Vec<Figure>,
    /// Calls a second.
    pub per_second: Figure,
    #[serde(skip)]
    pub(super) load: WriteLoad,
    /// Whether each call makes a new item.
    #[serde(skip)]
    pub(super) is_insert: bool,
}

/// What a `[write]` costs.
#[derive(Clone, Debug, Serialize)]
pub struct WriteCost {
    /// The write units of one call, in the tables and in all indexes.
    pub units_per_call: Figure,
    /// The write units a second at the expected load.
    pub units_per_second: Figure,
    /// The write units of a month.
    pub units_per_month: Figure,
    /// What they cost on demand, in all regions.
    pub on_demand_per_month: Figure,
}

/// What a write does to an item.
#[derive(Clone, Copy, Debug)]
enum Effect<'w> {
    /// An item that was not there.
    Insert,
    /// An item in place of another, with the same keys everywhere.
    Replace,
    /// These attributes change.
    Change(&'w [AttributeName]),
    /// Counters change.
    Add,
    /// Attributes change, and the file does not say which.
    ChangeSomething(&'w Write),
    /// The item goes away.
    Delete,
}

impl<'w> Effect<'w> {
    fn of(write: &'w Write) -> Effect<'w> {
        let is_new = write.condition == WriteCondition::IfAbsent;
        match write.operation {
            WriteOperation::Put if is_new => Effect::Insert,
            WriteOperation::Put | WriteOperation::Batch => Effect::Replace,
            WriteOperation::Delete => Effect::Delete,
            WriteOperation::Transaction if is_new => Effect::Insert,
            WriteOperation::Update | WriteOperation::Add | WriteOperation::Transaction
                if !write.changes.is_empty() =>
            {
                Effect::Change(&write.changes)
            }
            WriteOperation::Add => Effect::Add,
            WriteOperation::Transaction => Effect::Replace,
            WriteOperation::Update => Effect::ChangeSomething(write),
        }
    }

    /// Whether the attribute changes.
    fn changes(&self, entity: &Entity, name: &str) -> bool {
        match self {
            Effect::Change(names) => names.iter().any(|changed| *changed == *name),
            Effect::Add => {
                entity.attribute(name).is_some_and(|attribute| attribute.value_type == ValueType::Counter)
            }
            Effect::Insert | Effect::Replace | Effect::ChangeSomething(_) | Effect::Delete => true,
        }
    }
}

/// The cost of an entity.
pub(super) fn of_entity(facts: &Facts<'_>, entity: &Entity, money: &Money<'_>) -> EntityCost {
    let table = facts.table(&entity.table);
    let item_bytes = size::of_item(entity);
    let indexes = indexes_of(facts, table, entity);
    let writes = writes_of(facts, entity, &indexes);
    let calls = |write: &EntityWrite| write.per_second.scaled(write.items_per_call);
    let table_units_per_second =
        Figure::sum(&writes.iter().map(|write| write.table_units.times(&calls(write))).collect::<Vec<_>>());
    let overhead = overhead_bytes(table);
    let stored = |bytes: &Figure<u64>, count: &Figure| {
        bytes.with(count, |bytes, count| as_figure(bytes + overhead) * count)
    };
    let count = size::count(entity);
    let entries: Vec<EntryCost> = indexes
        .iter()
        .enumerate()
        .map(|(position, (index, entry))| EntryCost {
            index: index.name.as_str().to_owned(),
            bytes: entry.bytes.clone(),
            share: entry.share.clone(),
            storage_bytes: stored(&entry.bytes, &count.times(&entry.share)),
            units_per_second: Figure::sum(
                &writes
                    .iter()
                    .filter_map(|write| Some(write.index_units.get(position)?.times(&calls(write))))
                    .collect::<Vec<_>>(),
            ),
        })
        .collect();
    let in_indexes = Figure::sum(entries.iter().map(|entry| &entry.units_per_second));
    let units_per_second = table_units_per_second.plus(&in_indexes);
    let on_demand_per_month = table.map_or(Figure::ZERO, |table| {
        let of_table = table_units_per_second.times(&money.table_write(table, table.class, Mode::OnDemand));
        let of_indexes = in_indexes.times(&money.everywhere(table, table.class, Priced::WriteRequest));
        of_table.plus(&of_indexes).plus(&replicated_expiry(entity, table, &writes, money))
    });
    EntityCost {
        storage_bytes: entries
            .iter()
            .fold(stored(&item_bytes, &count), |sum, entry| sum.plus(&entry.storage_bytes)),
        item_bytes,
        entries,
        writes,
        table_units_per_second,
        units_per_month: units_per_second.scaled(money.seconds_in_month()),
        units_per_second,
        on_demand_per_month: on_demand_per_month.scaled(money.seconds_in_month()),
    }
}

/// The cost of a `[write]`, from those of its entities.
pub(super) fn of_write<'c>(
    facts: &Facts<'_>,
    write: &Write,
    entity_cost: impl Fn(&str) -> Option<&'c EntityCost>,
    money: &Money<'_>,
) -> WriteCost {
    let mut units = Figure::ZERO;
    let mut price = Figure::ZERO;
    for name in &write.entities {
        let own = entity_cost(name.as_str()).and_then(|cost| {
            cost.writes.iter().find(|own| own.write.as_deref() == Some(write.name.as_str()))
        });
        let (Some(own), Some(entity)) = (own, facts.entity(name)) else {
            let missing = size::no_entity(name.as_str());
            units = units.plus(&missing);
            price = price.plus(&missing);
            continue;
        };
        let in_table = own.table_units.scaled(own.items_per_call);
        let in_indexes = Figure::sum(&own.index_units).scaled(own.items_per_call);
        units = units.plus(&in_table).plus(&in_indexes);
        if let Some(table) = facts.table(&entity.table) {
            let of_table = in_table.times(&money.table_write(table, table.class, Mode::OnDemand));
            let of_indexes = in_indexes.times(&money.everywhere(table, table.class, Priced::WriteRequest));
            price = price.plus(&of_table).plus(&of_indexes);
        }
    }
    let rate = rate_of(write).scaled(money.seconds_in_month());
    WriteCost {
        units_per_second: units.times(&rate_of(write)),
        units_per_month: units.times(&rate),
        on_demand_per_month: price.times(&rate),
        units_per_call: units,
    }
}

/// What storage counts beside each item, and beside each entry of an index.
pub(super) fn overhead_bytes(table: Option<&Table>) -> u64 {
    let is_replicated = table.is_some_and(|table| table.replication.is_some());
    ITEM_OVERHEAD_BYTES + if is_replicated { REPLICATION_OVERHEAD_BYTES } else { 0 }
}

fn indexes_of<'d>(
    facts: &Facts<'d>,
    table: Option<&'d Table>,
    entity: &Entity,
) -> Vec<(&'d Index, size::Entry)> {
    let Some(table) = table else { return Vec::new() };
    entity
        .indexes
        .iter()
        .filter_map(|entry| {
            let index = table.index(&entry.index)?;
            Some((index, size::of_entry(facts, table, index, entity)?))
        })
        .collect()
}

fn rate_of(write: &Write) -> Figure {
    Figure::given(write.expected.per_second, || {
        Place::write(&write.name).member("expected").member("per_second")
    })
    .map(|rate| PerSecond::times(*rate))
}

/// The writes of an entity: those that name it; its own load where none of them has one.
fn writes_of(facts: &Facts<'_>, entity: &Entity, indexes: &[(&Index, size::Entry)]) -> Vec<EntityWrite> {
    let named: Vec<EntityWrite> =
        facts.writes_of(&entity.name).map(|write| named(facts, entity, write, indexes)).collect();
    let is_loaded = named.iter().any(|write| write.load.per_second.is_some());
    if is_loaded || (!named.is_empty() && entity.writes.per_second.is_none()) {
        return named;
    }
    // A write is taken as that of a new item: in an index, an update costs less, or twice as much if it changes the key there.
    let rate = Figure::given(entity.writes.per_second, || {
        Place::entity(&entity.name).member("writes").member("per_second")
    });
    let own = EntityWrite {
        write: None,
        items_per_call: 1.0,
        table_units: size::of_item(entity).map(|bytes| write_units(*bytes, WriteKind::Standard)),
        index_units: indexes.iter().map(|(_, entry)| once(entry)).collect(),
        per_second: rate.map(|rate| PerSecond::times(*rate)),
        load: entity.writes,
        is_insert: true,
    };
    let without_load = named.into_iter().map(|write| EntityWrite { per_second: Figure::ZERO, ..write });
    std::iter::once(own).chain(without_load).collect()
}

fn named(
    facts: &Facts<'_>,
    entity: &Entity,
    write: &Write,
    indexes: &[(&Index, size::Entry)],
) -> EntityWrite {
    let kind = match write.operation {
        WriteOperation::Transaction => WriteKind::Transactional,
        _ => WriteKind::Standard,
    };
    let effect = Effect::of(write);
    let entities = u64::try_from(write.entities.len().max(1)).unwrap_or(1);
    EntityWrite {
        write: Some(write.name.as_str().to_owned()),
        items_per_call: as_figure(write.items) / as_figure(entities),
        table_units: size::of_item(entity).map(|bytes| write_units(*bytes, kind)),
        index_units: indexes
            .iter()
            .map(|(index, entry)| index_units(facts, entity, index, entry, effect))
            .collect(),
        per_second: rate_of(write),
        load: write.expected,
        is_insert: matches!(effect, Effect::Insert | Effect::Replace),
    }
}

/// An entry written once, or deleted.
fn once(entry: &size::Entry) -> Figure {
    let units = entry.bytes.map(|bytes| write_units(*bytes, WriteKind::Standard));
    units.times(&entry.share)
}

fn index_units(
    facts: &Facts<'_>,
    entity: &Entity,
    index: &Index,
    entry: &size::Entry,
    effect: Effect<'_>,
) -> Figure {
    match effect {
        Effect::Insert | Effect::Replace | Effect::Delete => once(entry),
        Effect::ChangeSomething(write) => Figure::given(None, || Place::write(&write.name).member("changes")),
        Effect::Change(_) | Effect::Add => {
            let key = facts.entity_shape(&entity.name).and_then(|shape| shape.entry(index.name.as_str()));
            let fields = key
                .zip(facts.table_shape(&entity.table))
                .map_or_else(Vec::new, |(entry, table)| size::key_fields(&entry.key, table, index));
            if fields.iter().any(|field| effect.changes(entity, field)) {
                return once(entry).scaled(2.0);
            }
            let is_projected = match &index.projection {
                Projection::All { .. } => true,
                Projection::Include(names) => names.iter().any(|name| effect.changes(entity, name.as_str())),
                Projection::KeysOnly => false,
            };
            if is_projected { once(entry) } else { Figure::ZERO }
        }
    }
}

/// What the replicas pay a second for copies of deletes of expired items: as many as items are made, where items expire.
fn replicated_expiry(entity: &Entity, table: &Table, writes: &[EntityWrite], money: &Money<'_>) -> Figure {
    let expires = entity.time_to_live().is_some() && table.time_to_live.chosen().is_some();
    if !expires {
        return Figure::ZERO;
    }
    let made: Vec<Figure> = writes
        .iter()
        .filter(|write| write.is_insert)
        .map(|write| write.table_units.times(&write.per_second).scaled(write.items_per_call))
        .collect();
    Figure::sum(&made).times(&money.elsewhere(table, table.class, Priced::ReplicatedWriteRequest))
}
