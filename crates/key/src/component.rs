//! Components: what may fill a place of a key, and how it is written.

mod calendar;
mod escape;
mod extremes;
mod fill;
mod identifier_text;
mod kind;
mod language;
mod macros;
mod outside;
mod read;
mod rendering;
pub(crate) mod timestamp_text;
mod types;
mod value;
mod write;

pub use fill::{Components, Filling, KeyComponent, KeyField, ValueRefusal};
pub use kind::{ComponentKind, IntegerSize, Precision};
pub use rendering::FormProblem;
pub use value::{ComponentValue, TimestampValue};
pub use write::RenderProblem;

pub(crate) use extremes::{Neighbour, highest, lowest, neighbour};
pub(crate) use language::{Ending, SegmentLanguage};
pub(crate) use read::read;
pub(crate) use rendering::Rendering;
pub(crate) use write::write;
