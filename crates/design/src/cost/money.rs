//! Prices of one design's region.

use super::figure::Figure;
use super::prices::{PriceList, Priced};
use crate::model::{Design, Replication, Table, TableClass};

/// The price list, and the region whose prices count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money<'p> {
    list: &'p PriceList,
    region: &'p str,
}

impl<'p> Money<'p> {
    pub(super) fn of(design: &'p Design, list: &'p PriceList) -> Money<'p> {
        Money { list, region: design.region.as_deref().unwrap_or(&list.default_region) }
    }

    pub(super) const fn region(&self) -> &'p str {
        self.region
    }

    pub(super) fn seconds_in_month(&self) -> f64 {
        self.list.seconds_in_month()
    }

    pub(super) const fn hours_in_month(&self) -> f64 {
        self.list.hours_in_month
    }

    pub(super) fn gigabytes(&self, bytes: &Figure) -> Figure {
        bytes.scaled(1.0 / self.list.bytes_in_gigabyte)
    }

    pub(super) fn price(&self, class: TableClass, priced: Priced) -> Figure {
        self.list.price(self.region, class, priced)
    }

    pub(super) fn read_request(&self, class: TableClass) -> Figure {
        self.price(class, Priced::ReadRequest)
    }

    /// The price of something that every region of a table pays for: the sum over its regions.
    pub(super) fn everywhere(&self, table: &Table, class: TableClass, priced: Priced) -> Figure {
        self.price(class, priced).plus(&self.elsewhere(table, class, priced))
    }

    /// The price of something that the replicas of a table pay for: the sum over their regions.
    pub(super) fn elsewhere(&self, table: &Table, class: TableClass, priced: Priced) -> Figure {
        let replicas = table.replication.iter().flat_map(|replication| &replication.regions);
        replicas.fold(Figure::ZERO, |sum, region| sum.plus(&self.list.price(region, class, priced)))
    }

    /// The price of a write unit of the table itself in all its regions: replicated where there are several.
    pub(super) fn table_write(&self, table: &Table, class: TableClass, mode: Mode) -> Figure {
        let is_replicated = table.replication.as_ref().is_some_and(is_to_somewhere);
        let priced = match (mode, is_replicated) {
            (Mode::OnDemand, false) => Priced::WriteRequest,
            (Mode::OnDemand, true) => Priced::ReplicatedWriteRequest,
            (Mode::Provisioned, false) => Priced::WriteHour,
            (Mode::Provisioned, true) => Priced::ReplicatedWriteHour,
        };
        self.everywhere(table, class, priced)
    }
}

/// How capacity is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    OnDemand,
    Provisioned,
}

fn is_to_somewhere(replication: &Replication) -> bool {
    !replication.regions.is_empty()
}
