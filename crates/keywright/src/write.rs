//! Writes: each carries an id of its own, is tried again only where that is safe, and never guesses what became of it.

mod attempt;
mod condition;
mod delete;
mod outcome;
mod put;
mod update;
mod upsert;
mod write_id;

pub use delete::{ConditionalDelete, Delete, Deleted};
pub use outcome::Conditional;
pub use put::{ConditionalPut, Put, Written};
pub use update::{Update, Updated};
pub use upsert::Upserted;
pub use write_id::WriteId;
