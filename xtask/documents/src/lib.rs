//! The Rust code blocks of the documents, compiled and run by `cargo test --doc`.
//!
//! One item a page. `cargo xtask test --only book` fails when a page with a Rust block is missing here.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedded.md")]
pub mod embedded {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/faults.md")]
pub mod faults {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/derive.md")]
pub mod derive {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/README.md")]
pub mod data_layer {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/tenants.md")]
pub mod tenants {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/reading.md")]
pub mod reading {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/writing.md")]
pub mod writing {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/batches.md")]
pub mod batches {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/transactions.md")]
pub mod transactions {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/claims.md")]
pub mod claims {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/counters.md")]
pub mod counters {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/locks.md")]
pub mod locks {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/rate-limits.md")]
pub mod rate_limits {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/tokens.md")]
pub mod tokens {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/time-to-live.md")]
pub mod time_to_live {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/opening.md")]
pub mod opening {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/data-layer/retries.md")]
pub mod retries {}
