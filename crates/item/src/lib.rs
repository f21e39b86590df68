//! DynamoDB's attribute values: numbers, sets, sizes, DynamoDB JSON, and the stored form of an item.
//!
//! Everything here is pure: no I/O, no clock, no randomness. Nothing here knows tables, keys or expressions.
//! Bytes and texts from outside are refused with an error; they never cause a panic, an unbounded allocation
//! or an unbounded stack.

pub mod json;

mod damage;
mod map;
mod number;
mod quote;
mod set;
mod stored;
mod value;

pub use damage::Damage;
pub use map::{AttributeMap, Item};
pub use number::{Number, NumberError};
pub use set::{Set, SetError};
pub use stored::{StoredItem, StoredItemRef, StoredList, StoredMap, StoredSet, StoredValue};
pub use value::{AttributeValue, MAX_ITEM_BYTES, NESTING_LIMIT};
