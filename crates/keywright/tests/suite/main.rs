//! The behaviour of the data layer through its public face, on every arm: see [`arm`].
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

mod application;
mod arm;
mod board;
mod capability;
mod changes;
mod condition;
mod cursor;
mod error;
mod etag;
mod expiry;
mod faults;
mod hostile;
mod isolation;
mod keys;
mod maintenance;
mod model;
mod old;
mod open;
mod pages;
mod read_and_write;
mod requests;
mod sets;
mod told;
mod undecodable;
mod update;
mod values;
mod version;
