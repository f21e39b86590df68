//! DynamoDB JSON: reading request bodies, and writing values and items for responses.
//!
//! Reading is a pull over the body, without a tree: [`Reader`]. What the JSON's own structure makes impossible is a
//! [`SerializationError`]; a value that reads well but that no attribute can have is a [`ValueRefusal`].

mod reader;
mod refusal;
mod serialization;
mod skip;
mod values;
pub(crate) mod write;

pub use reader::{ListType, ObjectType, Reader};
pub use refusal::{Checked, ValueRefusal};
pub use serialization::SerializationError;
pub use write::{write_binary, write_map, write_string, write_value};
