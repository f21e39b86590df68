//! The engine against models of it, under concurrent clients.
//!
//! Histories on shared keys are linearizable, transactions conserve a sum, every answer on keys of one's own is that of a
//! map, and after each run every index is what its definition makes of the table. Each run has a seed, which is printed;
//! `KEYWRIGHT_LONG=1` runs many more of them, and `KEYWRIGHT_SEED=n` only that one.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says with which seed"
)]

mod accounts;
mod choices;
mod client;
mod definitions;
mod lagging;
mod linearizability;
mod own_keys;
mod plan;
mod registers;
mod seeds;
mod shared_keys;
mod table_map;
