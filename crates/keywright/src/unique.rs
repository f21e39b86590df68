//! Uniqueness: what no two items may have is held by items of its own, the reservations, in one transaction with the item.
//!
//! - A reservation is an entity like others, with a key that two holders would share. Its rules, and what it is read by, are those of
//!   entities; nothing writes it but what writes its holder.
//! - A write takes the reservations that the item will have, on the condition that nobody has them, that the item itself has them, or
//!   that their time is over; and it gives back those that the item had. It has effect only if the item still has what was read of it.
//! - A reservation that somebody else has is never given back: items that were there before the constraint may share a value.

mod delete;
mod held;
mod insert;
mod outcome;
mod plan;
mod put;
mod update;

pub use delete::DeleteUnique;
pub use insert::InsertUnique;
pub use outcome::UniqueWrite;
pub use put::PutUnique;
pub use update::UpdateUnique;
