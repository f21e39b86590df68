//! Claims, counters, locks, rate limits and tokens of the data layer, through its public face. The arms are those of the suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test that fails says where"
)]

mod application;
#[path = "../suite/arm.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod arm;
mod claims;
mod counters;
mod faults;
#[path = "../suite/hostile.rs"]
mod hostile;
mod integrity;
mod isolation;
mod locks;
mod rate_limits;
mod tokens;
