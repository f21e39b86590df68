//! What can go wrong: keys that cannot be written, items that are not what they should be, and the service.
//!
//! Messages name the entity and the attribute. They never hold values of items; a store can be told to keep keys out too.

mod foreign;
mod item;
mod key;
mod read;
mod service;
mod write;

pub use foreign::ForeignItem;
pub(crate) use foreign::ForeignPlace;
pub use item::{ItemError, ItemProblem};
pub use key::KeyError;
pub use read::ReadError;
pub use service::{ServiceError, ServiceProblem};
pub use write::WriteError;
