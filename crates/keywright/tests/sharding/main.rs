//! Keys that are spread over shards, through the public face. The arms are those of the suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

mod application;
#[path = "../suite/arm.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod arm;
mod batches;
#[path = "../suite/calls.rs"]
mod calls;
mod cost;
mod cursors;
mod fan_out;
mod faults;
mod flight;
mod indexes;
mod integrity;
mod isolation;
mod model;
mod raised;
