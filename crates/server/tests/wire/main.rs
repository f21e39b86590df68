//! The wire: what a client sees on a socket.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails in a test's helper fails the test"
)]

mod answers;
mod bodies;
mod browsers;
mod client;
mod clock;
mod faults;
mod gate;
mod health;
mod hosts;
mod lifecycle;
mod limits;
mod panics;
mod protocol;
mod refusals;
mod running;
