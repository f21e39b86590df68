//! Transactions of the data layer, through its public face. The arms and the application are those of the suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

#[path = "../suite/application.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod application;
#[path = "../suite/arm.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod arm;
mod faults;
mod isolation;
mod limits;
mod refusals;
mod snapshot;
mod tables;
mod tokens;
mod unique;
mod writes;

use keywright::Capability;

/// Whether an arm has transactions; what it does where it has none is in the suite's test of capabilities.
fn has_transactions(arm: &arm::Arm) -> bool {
    arm.capabilities().transactions == Capability::Present
}
