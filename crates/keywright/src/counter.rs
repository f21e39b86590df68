//! Counters: approximate ones by one `ADD`, exact ones by a transaction with a claim; both may be sharded, and are added up when
//! they are read.
//!
//! An approximate counter is one request an increment, and off by one increment where an answer was lost and nobody can tell. An
//! exact one is two items an increment: the claim of what is counted, which says that it was, and the counter, in one transaction.

mod add;
mod increment;
mod limits;
mod once;
mod read;

pub use add::{Add, Added};
pub use limits::Limits;
pub use once::{AddOnce, AddedOnce};
