//! What is expected: items and requests a second.

/// A rate: a number of times a second, from 0 to a thousand million.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PerSecond(f64);

impl PerSecond {
    /// The highest rate: more than any table has served, and few enough that figures made of it are numbers.
    pub const MOST: f64 = 1e9;

    /// The rate of `times` a second; none if that is below 0, above [`PerSecond::MOST`], or not a number.
    pub fn new(times: f64) -> Option<PerSecond> {
        (0.0..=PerSecond::MOST).contains(&times).then_some(PerSecond(times))
    }

    /// Times a second.
    pub const fn times(self) -> f64 {
        self.0
    }
}

/// The expected load of an access pattern. What the file leaves out is not known, and is not taken for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadLoad {
    /// Items that one call returns, all pages together, before its limit.
    pub items: Option<u64>,
    /// Calls a second, by all tenants together.
    pub per_second: Option<PerSecond>,
    /// Calls a second by the tenant that calls most.
    pub per_second_largest_tenant: Option<PerSecond>,
    /// Calls a second for the partition key that is asked for most.
    pub per_second_largest_key: Option<PerSecond>,
}

/// The expected load of writes. What the file leaves out is not known, and is not taken for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteLoad {
    /// Writes a second, by all tenants together.
    pub per_second: Option<PerSecond>,
    /// Writes a second by the tenant that writes most.
    pub per_second_largest_tenant: Option<PerSecond>,
    /// Writes a second to the partition key that is written most.
    pub per_second_largest_key: Option<PerSecond>,
}
