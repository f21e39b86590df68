//! Components: what may fill a place of a key, and how it is written.

mod fill;
mod kind;
mod language;
mod macros;
mod rendering;
mod types;
mod value;

pub use fill::{Components, Filling, KeyComponent, KeyField, ValueRefusal};
pub use kind::{ComponentKind, IntegerSize, Precision};
pub use rendering::FormProblem;
pub use value::{ComponentValue, TimestampValue};

pub(crate) use language::{Ending, SegmentLanguage};
pub(crate) use rendering::Rendering;
