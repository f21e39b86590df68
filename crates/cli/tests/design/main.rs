//! `keywright design` as a process: what it prints, how it ends, and that its documents say so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "what fails in a test's helper fails the test"
)]

mod checking;
mod command;
mod explaining;
mod input;
mod json;
mod tutorial;
