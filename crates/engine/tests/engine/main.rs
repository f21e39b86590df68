//! The engine through its public face: requests in, answers out.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod damage;
mod faults;
mod items;
mod model;
mod query;
mod support;
mod tables;
