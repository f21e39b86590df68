//! The price list: one data file, `prices.toml`, which names its date, its regions and where each price was read.
//!
//! Nothing is guessed: a price that the file does not have makes the figure that needs it unknown.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::figure::{Figure, Gap};
use crate::model::TableClass;

/// The prices of all regions that the list has.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceList {
    /// When AWS published the list.
    pub published: String,
    /// When it was read.
    pub read: String,
    /// Where it was read.
    pub source: String,
    /// The currency of every price.
    pub currency: String,
    /// The region whose prices count if a design names none.
    pub default_region: String,
    /// The hours of a month.
    pub hours_in_month: f64,
    /// The bytes of a gigabyte.
    pub bytes_in_gigabyte: f64,
    /// What an account has for nothing each month; figures do not take it off, since other tables may have used it up.
    pub free_each_month: FreeEachMonth,
    #[serde(rename = "region")]
    regions: BTreeMap<String, RegionPrices>,
}

/// What an account has for nothing each month.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FreeEachMonth {
    /// Gigabytes in tables of the class `standard`, in each region.
    pub storage_gigabytes: f64,
    /// Provisioned read units a second.
    pub provisioned_read_units: f64,
    /// Provisioned write units a second.
    pub provisioned_write_units: f64,
    /// Calls of GetRecords.
    pub stream_read_requests: f64,
}

/// The prices of one region.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionPrices {
    /// Where they were read, and which could not be verified.
    pub source: String,
    point_in_time_recovery_gigabyte_month: Option<f64>,
    backup_gigabyte_month: Option<f64>,
    hundred_thousand_stream_reads: Option<f64>,
    #[serde(default)]
    standard: ClassPrices,
    #[serde(default)]
    infrequent_access: ClassPrices,
}

/// The prices of one table class in one region.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ClassPrices {
    million_read_requests: Option<f64>,
    million_write_requests: Option<f64>,
    million_replicated_write_requests: Option<f64>,
    read_unit_hour: Option<f64>,
    write_unit_hour: Option<f64>,
    replicated_write_unit_hour: Option<f64>,
    storage_gigabyte_month: Option<f64>,
}

/// What has a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priced {
    /// A read unit, on demand.
    ReadRequest,
    /// A write unit, on demand.
    WriteRequest,
    /// A write unit of a global table, on demand, in one region.
    ReplicatedWriteRequest,
    /// A read unit a second for an hour, provisioned.
    ReadHour,
    /// A write unit a second for an hour, provisioned.
    WriteHour,
    /// A write unit a second of a global table for an hour, provisioned, in one region.
    ReplicatedWriteHour,
    /// A gigabyte stored for a month.
    Storage,
    /// A gigabyte of a table with point-in-time recovery for a month, however far back it reaches.
    PointInTimeRecovery,
    /// A gigabyte of a backup for a month.
    Backup,
    /// A call of GetRecords on a stream, where Lambda does not make it.
    StreamRead,
}

impl PriceList {
    /// The list that this program was built with.
    pub fn current() -> &'static PriceList {
        static CURRENT: LazyLock<PriceList> = LazyLock::new(|| {
            let parsed = toml::from_str(include_str!("prices.toml"));
            #[expect(clippy::expect_used, reason = "the file is part of this program, and a test reads it")]
            parsed.expect("`prices.toml` reads as a price list")
        });
        &CURRENT
    }

    /// The regions that it has prices of.
    pub fn regions(&self) -> impl Iterator<Item = (&str, &RegionPrices)> {
        self.regions.iter().map(|(name, prices)| (name.as_str(), prices))
    }

    /// The seconds of a month.
    pub fn seconds_in_month(&self) -> f64 {
        self.hours_in_month * 3600.0
    }

    /// What one of it costs.
    pub fn price(&self, region: &str, class: TableClass, priced: Priced) -> Figure {
        let price = self.regions.get(region).and_then(|prices| prices.price(class, priced));
        match price {
            Some(price) => Figure::Known(price),
            None => Figure::missing(Gap::NoPrice { region: region.to_owned(), what: priced.name() }),
        }
    }
}

impl RegionPrices {
    fn price(&self, class: TableClass, priced: Priced) -> Option<f64> {
        let prices = match class {
            TableClass::Standard => &self.standard,
            TableClass::InfrequentAccess => &self.infrequent_access,
        };
        let million = |price: Option<f64>| price.map(|price| price / 1_000_000.0);
        match priced {
            Priced::ReadRequest => million(prices.million_read_requests),
            Priced::WriteRequest => million(prices.million_write_requests),
            Priced::ReplicatedWriteRequest => million(prices.million_replicated_write_requests),
            Priced::ReadHour => prices.read_unit_hour,
            Priced::WriteHour => prices.write_unit_hour,
            Priced::ReplicatedWriteHour => prices.replicated_write_unit_hour,
            Priced::Storage => prices.storage_gigabyte_month,
            Priced::PointInTimeRecovery => self.point_in_time_recovery_gigabyte_month,
            Priced::Backup => self.backup_gigabyte_month,
            Priced::StreamRead => self.hundred_thousand_stream_reads.map(|price| price / 100_000.0),
        }
    }
}

impl Priced {
    /// What a message calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Priced::ReadRequest => "read request units",
            Priced::WriteRequest => "write request units",
            Priced::ReplicatedWriteRequest => "replicated write request units",
            Priced::ReadHour => "provisioned read units",
            Priced::WriteHour => "provisioned write units",
            Priced::ReplicatedWriteHour => "provisioned replicated write units",
            Priced::Storage => "storage",
            Priced::PointInTimeRecovery => "point-in-time recovery",
            Priced::Backup => "backups",
            Priced::StreamRead => "stream reads",
        }
    }
}
