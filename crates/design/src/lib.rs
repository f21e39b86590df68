//! The design of a DynamoDB application: what `keywright.toml` says, whether it holds, and what it costs.
//!
//! A file is read into a [`Design`](model::Design), which [`verify`](verify::verify) then checks: with the rules that the
//! key crate also runs at compile time, and with those that only a whole design can show. Nothing here reads files, clocks
//! or networks: text goes in, findings and figures come out.

mod digits;
mod facts;
mod file;
mod place;
mod shapes;
mod words;

pub mod cost;
pub mod model;
pub mod report;
pub mod request;
pub mod verify;

pub use facts::{Entry, Facts};
pub use file::{DesignFile, Position, Problem, ProblemKind};
pub use place::Place;
pub use shapes::Shapes;
