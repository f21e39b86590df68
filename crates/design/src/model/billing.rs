//! How capacity is paid for.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-mode.html>

/// The capacity mode of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Billing {
    /// A price for each request unit. `maximum` is the ceiling that keeps a runaway loop from becoming an invoice.
    OnDemand {
        /// The most units a second that the table serves; no ceiling if none.
        maximum: Option<CapacityUnits>,
    },
    /// A price for each hour of a unit a second, used or not.
    Provisioned(ProvisionedCapacity),
}

/// Units a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapacityUnits {
    /// Read units a second.
    pub read: u64,
    /// Write units a second.
    pub write: u64,
}

/// What is provisioned for a table or a global index.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvisionedCapacity {
    /// Units a second to begin with.
    pub units: CapacityUnits,
    /// How the units follow the load; fixed if none.
    pub autoscaling: Option<Autoscaling>,
}

/// How provisioned units follow the load.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html>
#[derive(Clone, Debug, PartialEq)]
pub struct Autoscaling {
    /// The used share of the provisioned units that is aimed at, in percent: 20 to 90.
    pub target_percent: u8,
    /// Between which read units a second.
    pub read: UnitBounds,
    /// Between which write units a second.
    pub write: UnitBounds,
}

/// The least and the most units a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitBounds {
    /// At least.
    pub least: u64,
    /// At most; not below `least`.
    pub most: u64,
}
