//! Wayboard's entities and access patterns, and a story that uses them.
//!
//! `keywright.toml` beside this crate is the same design in a file, with loads and costs; `tests/design.rs` holds that both say the
//! same. What a consumer of a stream does is not in it: the crate for that is not built yet. Where the story needs what a consumer would write, it writes
//! that itself, and says so.

pub mod app;
pub mod audit;
pub mod billing;
pub mod id;
pub mod live;
pub mod stores;
pub mod story;
