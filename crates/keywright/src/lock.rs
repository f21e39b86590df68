//! Locks: a lease that ends by itself, and a fencing token that outlives it.
//!
//! A lock is one item, which stays: it counts how often the lock was taken, and that number is the fencing token. Whoever takes the
//! lock gets a higher one than all before. A lease alone protects nothing, since a process can sleep through its end and write then; what
//! protects is that its writes are compared with the lock itself, or carry the token.

mod error;
mod held;
mod take;

pub use error::LockError;
pub use held::{FencingToken, HeldLock, LockCheck};
pub use take::{Lock, Locked};
