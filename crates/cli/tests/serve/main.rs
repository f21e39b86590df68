//! `keywright serve` as a process: what it prints, how it ends, and that a kill loses nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails in a test's helper fails the test"
)]
#![cfg(unix)]

mod client;
mod crash;
mod faults;
mod memory;
#[path = "../../../engine/tests/crash/outcomes.rs"]
mod outcomes;
mod process;
mod starting;
mod stopping;
#[path = "../../../engine/tests/crash/suite/mod.rs"]
mod suite;
mod unread;
