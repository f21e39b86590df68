//! Items: entities as they are stored, and back.

mod begin;
mod decode;
mod encode;
mod index_attribute;
mod item_key;
pub(crate) mod kept;
mod key;
mod number;
mod read_back;
mod size;
mod source;
mod stamp;
mod storable;
mod undecodable;
mod value;

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

pub(crate) use begin::begin;
pub(crate) use decode::{Decoded, Decoder, Origin};
pub(crate) use encode::{Encoded, encode};
pub(crate) use index_attribute::empty_in_index;
pub(crate) use item_key::{ItemKey, keys_given_twice};
pub(crate) use key::{
    ItemKeys, KeyAttributes, index_attribute_names, index_key_attributes, table_keys, touched_indexes,
};
pub(crate) use number::same_number;
pub(crate) use read_back::read_back;
pub(crate) use size::{LARGEST_ITEM_BYTES, remark, size_bytes};
pub(crate) use stamp::written as stamp_value;
pub(crate) use storable::{ValueProblem, checked, stored_value};
pub(crate) use value::read_value;

/// An item as the client takes and gives it.
pub(crate) type Attributes = HashMap<String, AttributeValue>;

/// The attribute that holds the id of the write that wrote the item last.
///
/// Its name is one that no entity has: the attribute is written on every item, and read by versions, ETags and retries.
pub(crate) const WRITE_ID_ATTRIBUTE: &str = "keywright_write";
