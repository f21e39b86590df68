//! Writes: each carries an id of its own.

mod put;
mod write_id;

pub use put::{Put, Written};
pub use write_id::WriteId;
