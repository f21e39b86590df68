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
