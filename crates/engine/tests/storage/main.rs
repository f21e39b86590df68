//! The behaviour of a store, on every kind of files: order, atomicity, durability, and what is refused.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests: the lints know only the functions that carry #[test]"
)]

mod arms;
mod damage;
#[path = "../crash/each_seed.rs"]
mod each_seed;
mod fixture;
#[cfg(unix)]
mod held;
mod log_room;
mod model;
mod opening;
#[path = "../crash/outcomes.rs"]
mod outcomes;
mod panics;
mod power_loss;
mod reading;
mod stopping;
mod telling;
mod watched;
