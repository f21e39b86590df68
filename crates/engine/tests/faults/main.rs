//! Faults from a seed: each rule fires where it should and nowhere else, and what it says of the commit is true.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod batches;
mod commits;
mod delays;
mod fixture;
mod lag;
mod repeatable;
mod rules;
mod scopes;
#[path = "../engine/support.rs"]
#[allow(dead_code, reason = "shared with the suite of the engine, which uses all of it")]
mod support;
mod throttling;
mod transactions;
