//! The behaviour of the data layer, through its public face.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

mod application;
mod read_and_write;
