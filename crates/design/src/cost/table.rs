//! What a table costs in a month, on demand and provisioned, and which is cheaper.
//!
//! A load is an average: provisioned capacity is taken to follow it at the target of its auto scaling. A load with peaks
//! provisions for the peaks, which is what the break-even point is for.

use keywright_key::IndexReach;
use serde::Serialize;

use super::figure::Figure;
use super::money::{Mode, Money};
use super::prices::Priced;
use super::reads::PatternCost;
use super::units::{as_count, as_figure};
use super::writes::EntityCost;
use crate::model::{Backup, Billing, Index, ProvisionedCapacity, Table, TableClass, UnitBounds};

/// The used share of provisioned capacity that auto scaling aims at, if the file names none: AWS's default, 70 %.
pub const DEFAULT_TARGET: f64 = 0.7;

/// What a table costs.
#[derive(Clone, Debug, Serialize)]
pub struct TableCost {
    /// The region whose prices count.
    pub region: String,
    /// The load of the table itself, its local indexes included.
    pub own: PlaceLoad,
    /// The load of each global index, in the order of the file.
    pub indexes: Vec<PlaceLoad>,
    /// What storage counts in one region, indexes and overhead included.
    pub storage_bytes: Figure,
    /// A month on demand.
    pub on_demand: Month,
    /// A month provisioned.
    pub provisioned: Month,
    /// Which of both is cheaper.
    pub modes: ModeComparison,
    /// Which table class is cheaper.
    pub classes: ClassComparison,
    /// What one consumer that is not Lambda pays a month for asking one shard of the stream once a second; none without a
    /// stream. Lambda asks for nothing. Not in the months above: the file does not say which consumers are Lambda.
    pub stream_reads: Option<Figure>,
}

/// The load of a table or of a global index.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceLoad {
    /// The index; none for the table itself.
    pub index: Option<String>,
    /// Read units a second.
    pub read_units_per_second: Figure,
    /// Write units a second, in one region.
    pub write_units_per_second: Figure,
    /// The read units a second that are provisioned for it.
    pub provisioned_read_units: Figure,
    /// The write units a second that are provisioned for it.
    pub provisioned_write_units: Figure,
}

/// What a month costs, in the currency of the price list.
#[derive(Clone, Debug, Serialize)]
pub struct Month {
    /// Reads.
    pub reads: Figure,
    /// Writes, in all regions.
    pub writes: Figure,
    /// Storage, in all regions.
    pub storage: Figure,
    /// Point-in-time recovery, or one kept backup; nothing if neither is decided for.
    pub recovery: Figure,
    /// All of it.
    pub total: Figure,
}

/// Which capacity mode is cheaper.
#[derive(Clone, Debug, Serialize)]
pub struct ModeComparison {
    /// The cheaper one, where both are known.
    pub cheaper: Option<CapacityMode>,
    /// The used share of provisioned units above which provisioned reads and writes are cheaper than on demand.
    pub break_even_utilization: Figure,
    /// The share that auto scaling aims at.
    pub target_utilization: f64,
    /// In words.
    pub because: String,
}

/// A capacity mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapacityMode {
    /// Paid by the request.
    OnDemand,
    /// Paid by the hour.
    Provisioned,
}

/// Which table class is cheaper in the table's capacity mode, or on demand where that is undecided.
#[derive(Clone, Debug, Serialize)]
pub struct ClassComparison {
    /// A month in the class `standard`.
    pub standard: Figure,
    /// A month in the class `infrequent-access`.
    pub infrequent_access: Figure,
}

/// What the parts of a table cost.
pub(super) struct Parts<'c> {
    pub(super) patterns: Vec<(Option<&'c Index>, &'c PatternCost)>,
    pub(super) entities: Vec<&'c EntityCost>,
}

/// The cost of a table.
pub(super) fn of_table(table: &Table, parts: &Parts<'_>, money: &Money<'_>) -> TableCost {
    let declared = match table.billing.chosen() {
        Some(Billing::Provisioned(capacity)) => Some(capacity),
        Some(Billing::OnDemand { .. }) | None => None,
    };
    let own = own_load(table, parts).provisioned(declared);
    let indexes: Vec<PlaceLoad> = table
        .indexes
        .iter()
        .filter(|index| index.reach == IndexReach::Global)
        .map(|index| index_load(index, parts).provisioned(index.capacity.as_ref()))
        .collect();
    let storage_bytes = Figure::sum(parts.entities.iter().map(|entity| &entity.storage_bytes));
    let bill = Bill { table, own: &own, indexes: &indexes, storage: &storage_bytes, parts, money };
    let on_demand = bill.month(Mode::OnDemand, table.class);
    let provisioned = bill.month(Mode::Provisioned, table.class);
    let mode = if declared.is_some() { Mode::Provisioned } else { Mode::OnDemand };
    let target = declared
        .and_then(|capacity| capacity.autoscaling.as_ref())
        .map_or(DEFAULT_TARGET, |autoscaling| f64::from(autoscaling.target_percent) / 100.0);
    let has_stream = table.stream.chosen().is_some();
    TableCost {
        region: money.region().to_owned(),
        classes: ClassComparison {
            standard: bill.month(mode, TableClass::Standard).total,
            infrequent_access: bill.month(mode, TableClass::InfrequentAccess).total,
        },
        modes: compare(table, &on_demand, &provisioned, target, money),
        stream_reads: has_stream
            .then(|| money.price(table.class, Priced::StreamRead).scaled(money.seconds_in_month())),
        on_demand,
        provisioned,
        storage_bytes,
        own,
        indexes,
    }
}

fn own_load(table: &Table, parts: &Parts<'_>) -> PlaceLoad {
    let is_local = |index: &Index| index.reach == IndexReach::Local;
    let reads = parts
        .patterns
        .iter()
        .filter(|(index, _)| index.is_none_or(is_local))
        .map(|(_, cost)| &cost.units_per_second);
    let local = |name: &str| table.indexes.iter().any(|index| index.name == *name && is_local(index));
    let writes = parts.entities.iter().flat_map(|entity| {
        let entries = entity.entries.iter().filter(|entry| local(&entry.index));
        std::iter::once(&entity.table_units_per_second).chain(entries.map(|entry| &entry.units_per_second))
    });
    PlaceLoad::new(None, Figure::sum(reads), Figure::sum(writes))
}

fn index_load(index: &Index, parts: &Parts<'_>) -> PlaceLoad {
    let reads = parts
        .patterns
        .iter()
        .filter(|(read, _)| read.is_some_and(|read| read.name == index.name))
        .map(|(_, cost)| &cost.units_per_second);
    let writes = parts
        .entities
        .iter()
        .flat_map(|entity| &entity.entries)
        .filter(|entry| index.name == *entry.index.as_str())
        .map(|entry| &entry.units_per_second);
    PlaceLoad::new(Some(index.name.as_str().to_owned()), Figure::sum(reads), Figure::sum(writes))
}

impl PlaceLoad {
    fn new(index: Option<String>, reads: Figure, writes: Figure) -> PlaceLoad {
        PlaceLoad {
            index,
            provisioned_read_units: reads.clone(),
            provisioned_write_units: writes.clone(),
            read_units_per_second: reads,
            write_units_per_second: writes,
        }
    }

    fn provisioned(self, declared: Option<&ProvisionedCapacity>) -> PlaceLoad {
        let units = |load: &Figure, fixed: fn(&ProvisionedCapacity) -> u64, bounds| {
            provisioned_units(load, declared, fixed, bounds)
        };
        PlaceLoad {
            provisioned_read_units: units(
                &self.read_units_per_second,
                |capacity| capacity.units.read,
                |capacity| Some(capacity.autoscaling.as_ref()?.read),
            ),
            provisioned_write_units: units(
                &self.write_units_per_second,
                |capacity| capacity.units.write,
                |capacity| Some(capacity.autoscaling.as_ref()?.write),
            ),
            ..self
        }
    }
}

/// The units that are provisioned for a load: what the file fixes, or what auto scaling makes of it, at least one.
fn provisioned_units(
    load: &Figure,
    declared: Option<&ProvisionedCapacity>,
    fixed: fn(&ProvisionedCapacity) -> u64,
    bounds: fn(&ProvisionedCapacity) -> Option<UnitBounds>,
) -> Figure {
    let follow = |target: f64, least: u64, most: u64| {
        load.map(|load| as_figure(as_count(load / target).max(least).min(most.max(least)).max(1)))
    };
    match declared {
        None => follow(DEFAULT_TARGET, 1, u64::MAX),
        Some(capacity) => match (&capacity.autoscaling, bounds(capacity)) {
            (Some(autoscaling), Some(bounds)) => {
                follow(f64::from(autoscaling.target_percent) / 100.0, bounds.least, bounds.most)
            }
            _ => Figure::Known(as_figure(fixed(capacity))),
        },
    }
}

/// What a month's bill is made of.
struct Bill<'b> {
    table: &'b Table,
    own: &'b PlaceLoad,
    indexes: &'b [PlaceLoad],
    storage: &'b Figure,
    parts: &'b Parts<'b>,
    money: &'b Money<'b>,
}

impl Bill<'_> {
    fn month(&self, mode: Mode, class: TableClass) -> Month {
        let reads = self.reads(mode, class);
        let writes = self.writes(mode, class);
        let storage = self.money.gigabytes(self.storage).times(&self.money.everywhere(
            self.table,
            class,
            Priced::Storage,
        ));
        let recovery = self.recovery();
        let total = reads.plus(&writes).plus(&storage).plus(&recovery);
        Month { reads, writes, storage, recovery, total }
    }

    fn reads(&self, mode: Mode, class: TableClass) -> Figure {
        let places = || std::iter::once(self.own).chain(self.indexes);
        match mode {
            Mode::OnDemand => Figure::sum(places().map(|place| &place.read_units_per_second))
                .scaled(self.money.seconds_in_month())
                .times(&self.money.read_request(class)),
            Mode::Provisioned => Figure::sum(places().map(|place| &place.provisioned_read_units))
                .scaled(self.money.hours_in_month())
                .times(&self.money.price(class, Priced::ReadHour)),
        }
    }

    fn writes(&self, mode: Mode, class: TableClass) -> Figure {
        let (own, in_indexes, of_index, scale) = match mode {
            Mode::OnDemand => (
                self.own.write_units_per_second.clone(),
                Figure::sum(self.indexes.iter().map(|place| &place.write_units_per_second)),
                Priced::WriteRequest,
                self.money.seconds_in_month(),
            ),
            Mode::Provisioned => (
                self.own.provisioned_write_units.clone(),
                Figure::sum(self.indexes.iter().map(|place| &place.provisioned_write_units)),
                Priced::WriteHour,
                self.money.hours_in_month(),
            ),
        };
        let of_table = own.times(&self.money.table_write(self.table, class, mode));
        let of_indexes = in_indexes.times(&self.money.everywhere(self.table, class, of_index));
        of_table.plus(&of_indexes).scaled(scale)
    }

    /// Recovery covers the table and its local indexes, and costs the same however many days it reaches back.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html>
    fn recovery(&self) -> Figure {
        let priced = match self.table.backup.chosen() {
            None => return Figure::ZERO,
            Some(Backup::PointInTime { .. }) => Priced::PointInTimeRecovery,
            Some(Backup::Scheduled { .. }) => Priced::Backup,
        };
        let is_global = |name: &str| {
            self.table.indexes.iter().any(|index| index.name == *name && index.reach == IndexReach::Global)
        };
        let global: Vec<&Figure> = self
            .parts
            .entities
            .iter()
            .flat_map(|entity| &entity.entries)
            .filter(|entry| is_global(&entry.index))
            .map(|entry| &entry.storage_bytes)
            .collect();
        let bytes = self.storage.with(&Figure::sum(global), |all, global| all - global);
        self.money.gigabytes(&bytes).times(&self.money.price(self.table.class, priced))
    }
}

fn compare(
    table: &Table,
    on_demand: &Month,
    provisioned: &Month,
    target: f64,
    money: &Money<'_>,
) -> ModeComparison {
    let hour = money.price(table.class, Priced::WriteHour);
    let request = money.price(table.class, Priced::WriteRequest);
    let break_even = hour.with(&request, |hour, request| hour / (request * 3600.0));
    let (cheaper, because) = match (on_demand.total.known(), provisioned.total.known(), break_even.known()) {
        (Some(by_request), Some(by_hour), Some(break_even)) => {
            let point = format!(
                "provisioned capacity is cheaper where more than {:.0} % of it is used on average, which at {:.0} % in the \
                 peak is an average load of {:.0} % of the peak",
                break_even * 100.0,
                target * 100.0,
                (break_even / target).min(1.0) * 100.0,
            );
            if by_hour < by_request {
                (Some(CapacityMode::Provisioned), format!("a load as steady as the file says: {point}"))
            } else {
                (
                    Some(CapacityMode::OnDemand),
                    format!("the load does not fill what would be provisioned: {point}"),
                )
            }
        }
        _ => (None, on_demand.total.plus(&provisioned.total).to_string()),
    };
    ModeComparison { cheaper, break_even_utilization: break_even, target_utilization: target, because }
}
