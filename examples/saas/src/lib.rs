//! Wayboard's entities and access patterns, and a story that uses them.
//!
//! `keywright.toml` beside this crate is the same design in a file, with loads and costs; `tests/design.rs` holds that both say the
//! same. This is the first half of it: what needs no transaction, no batch and no stream.

pub mod app;
pub mod id;
pub mod live;
pub mod story;
