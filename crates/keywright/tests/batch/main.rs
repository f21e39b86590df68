//! Batches of the data layer, through its public face. The arms and the application are those of the suite.
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
#[path = "../suite/calls.rs"]
mod calls;
mod faults;
mod flight;
mod leftovers;
mod limits;
mod reads_and_writes;
mod refusals;
mod reserve;
mod streams;
mod tenants;
