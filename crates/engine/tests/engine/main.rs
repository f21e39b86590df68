//! The engine through its public face: requests in, answers out.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod batch_get;
mod batch_write;
mod closing;
mod conditions;
mod damage;
mod documented_capacity;
mod faults;
mod filters;
mod idempotency;
mod indexes;
mod items;
mod model;
mod newer;
mod precedence;
mod projections;
mod query;
mod scan;
mod support;
mod tables;
mod transactions;
mod update;
mod update_table;
