//! Writes: each carries an id of its own, is tried again only where that is safe, and never guesses what became of it.

mod attempt;
mod check;
mod condition;
mod delete;
mod mark;
mod outcome;
mod place;
mod prepared;
mod put;
mod update;
mod upsert;
mod with_old;
mod write_id;

pub(crate) use attempt::{Attempt, Leaves, Repeat, Target, stored_item};
pub use check::{Check, ConditionalCheck};
pub(crate) use condition::{Conditions, Fence, NO_VERSION};
pub use delete::{ConditionalDelete, Delete, Deleted};
pub(crate) use mark::WriteMark;
pub use outcome::Conditional;
pub(crate) use prepared::{Change, PreparedWrite, only_key};
pub use put::{ConditionalPut, Put, Written};
pub use update::{Update, Updated};
pub use upsert::Upserted;
pub use with_old::{Old, ReturningOld, WithOld};
pub use write_id::WriteId;
