//! A durable, concurrent engine with the behaviour of Amazon DynamoDB, in one process and one directory.
//!
//! Invariants: an acknowledged write is durable and seen by every later read; time, randomness and files reach the engine
//! only through [`clock::Clock`], [`random::Random`] and [`files::Files`]; the engine knows only what CreateTable told it.

mod capacity;
mod catalog;
pub mod clock;
mod condition;
mod engine;
pub mod faults;
pub mod files;
mod group;
mod idempotency;
mod index;
mod item_collection;
mod key;
mod key_schema;
mod memory;
mod operation;
mod options;
mod page;
mod purge;
pub mod random;
mod refusal;
mod reply;
mod sequencer;
mod state;
mod statistics;
pub mod storage;
mod table;

pub use engine::{CloseError, Engine, OpenError};
pub use options::Options;
pub use reply::{ConnectionCut, Delivery, Outcome, Reply};
