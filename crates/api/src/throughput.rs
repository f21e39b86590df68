//! Provisioned throughput: as a request sets it, and what a description tells of its changes.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ProvisionedThroughput.html>

use keywright_item::json::{ObjectType, Reader, SerializationError};

use crate::constraint::Constraints;
use crate::{BillingMode, Validation};

/// Capacity that is reserved for a table or for a global index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProvisionedThroughput {
    /// Read capacity units a second, at least 1.
    pub read_units: u64,
    /// Write capacity units a second, at least 1.
    pub write_units: u64,
}

/// When provisioned throughput was last changed.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ProvisionedThroughputDescription.html>
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThroughputHistory {
    /// When it was last raised, in milliseconds since 1970.
    pub increased_at_ms: Option<u64>,
    /// When it was last lowered, in milliseconds since 1970.
    pub decreased_at_ms: Option<u64>,
    /// How often it was lowered since midnight (UTC).
    pub decreases_today: u64,
}

/// Throughput as it was sent.
#[derive(Default, Clone, Copy)]
pub(crate) struct SentThroughput {
    read_units: Option<i64>,
    write_units: Option<i64>,
}

/// A billing mode as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentBillingMode {
    Provisioned,
    OnDemand,
}

/// The names on the wire, in the order of the service's message.
pub(crate) const BILLING_MODES: [(&str, SentBillingMode); 2] =
    [("PROVISIONED", SentBillingMode::Provisioned), ("PAY_PER_REQUEST", SentBillingMode::OnDemand)];

impl ProvisionedThroughput {
    /// The most units a second of each kind.
    pub const MOST_UNITS: u64 = 1_000_000_000_000;

    /// Whether no number is larger than [`MOST_UNITS`](Self::MOST_UNITS).
    pub const fn is_in_bounds(self) -> bool {
        self.read_units <= Self::MOST_UNITS && self.write_units <= Self::MOST_UNITS
    }

    /// Refuses a number that is out of bounds.
    pub(crate) fn in_bounds(self) -> Result<Self, Validation> {
        for (member, value) in
            [("ReadCapacityUnits", self.read_units), ("WriteCapacityUnits", self.write_units)]
        {
            if value > Self::MOST_UNITS {
                return Err(Validation::ThroughputOutOfBounds { member, value });
            }
        }
        Ok(self)
    }
}

impl From<ProvisionedThroughput> for BillingMode {
    fn from(throughput: ProvisionedThroughput) -> Self {
        let ProvisionedThroughput { read_units, write_units } = throughput;
        Self::Provisioned { read_units, write_units }
    }
}

impl SentThroughput {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut throughput = Self::default();
        reader.object(ObjectType::Structure("ProvisionedThroughput"), |name, reader| {
            match name {
                "ReadCapacityUnits" => throughput.read_units = reader.optional(Reader::long)?,
                "WriteCapacityUnits" => throughput.write_units = reader.optional(Reader::long)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(throughput)
    }

    /// The throughput; `None` when it violates a constraint.
    pub(crate) fn check(self, path: &str, constraints: &mut Constraints) -> Option<ProvisionedThroughput> {
        let mut units = |member: &str, units: Option<i64>| {
            let path = format!("{path}.{member}");
            let units = constraints.required(&path, units)?;
            constraints.at_least(&path, units, 1);
            u64::try_from(units).ok()
        };
        let write_units = units("writeCapacityUnits", self.write_units);
        let read_units = units("readCapacityUnits", self.read_units);
        Some(ProvisionedThroughput { read_units: read_units?, write_units: write_units? })
    }
}
