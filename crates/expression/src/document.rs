//! Values to look into, stored or decoded, without a copy.

use keywright_item::{AttributeMap, AttributeValue, Number, StoredMap, StoredValue};

use crate::path::Step;

/// The attributes of an item.
#[derive(Clone, Copy)]
pub(crate) enum Attributes<'item> {
    Stored(StoredMap<'item>),
    Decoded(&'item AttributeMap),
}

/// A value of an item or of an expression.
#[derive(Clone, Copy)]
pub(crate) enum Value<'item> {
    Stored(StoredValue<'item>),
    Decoded(&'item AttributeValue),
}

/// A value of a type that has an order.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scalar<'item> {
    S(&'item str),
    N(Number),
    B(&'item [u8]),
}

impl<'item> Attributes<'item> {
    pub(crate) fn get(self, name: &str) -> Option<Value<'item>> {
        match self {
            Self::Stored(attributes) => attributes.get(name).map(Value::Stored),
            Self::Decoded(attributes) => attributes.get(name).map(Value::Decoded),
        }
    }
}

impl<'item> Value<'item> {
    /// The value one step into this one.
    pub(crate) fn at(self, step: &Step) -> Option<Self> {
        match (self, step) {
            (Self::Stored(StoredValue::M(map)), Step::Name(name)) => map.get(name).map(Self::Stored),
            (Self::Stored(StoredValue::L(list)), Step::Index(index)) => {
                list.get(usize::try_from(*index).ok()?).map(Self::Stored)
            }
            (Self::Decoded(AttributeValue::M(map)), Step::Name(name)) => map.get(name).map(Self::Decoded),
            (Self::Decoded(AttributeValue::L(list)), Step::Index(index)) => {
                list.get(usize::try_from(*index).ok()?).map(Self::Decoded)
            }
            _ => None,
        }
    }

    pub(crate) fn type_name(self) -> &'static str {
        match self {
            Self::Stored(value) => value.type_name(),
            Self::Decoded(value) => value.type_name(),
        }
    }

    /// A copy of the value.
    pub(crate) fn to_value(self) -> AttributeValue {
        match self {
            Self::Stored(value) => value.to_value(),
            Self::Decoded(value) => value.clone(),
        }
    }

    /// The value, where its type has an order.
    pub(crate) fn scalar(self) -> Option<Scalar<'item>> {
        Some(match self {
            Self::Stored(StoredValue::S(string)) => Scalar::S(string),
            Self::Stored(StoredValue::N(number)) => Scalar::N(number),
            Self::Stored(StoredValue::B(bytes)) => Scalar::B(bytes),
            Self::Decoded(AttributeValue::S(string)) => Scalar::S(string),
            Self::Decoded(AttributeValue::N(number)) => Scalar::N(*number),
            Self::Decoded(AttributeValue::B(bytes)) => Scalar::B(bytes),
            _ => return None,
        })
    }
}

/// Equal in type and value.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stored(one), Self::Stored(other)) => one == other,
            (Self::Decoded(one), Self::Decoded(other)) => one == other,
            (Self::Stored(stored), Self::Decoded(value)) | (Self::Decoded(value), Self::Stored(stored)) => {
                *stored == **value
            }
        }
    }
}

/// Strings by their UTF-8 bytes, numbers by value, binaries by unsigned bytes; no order between two types.
impl PartialOrd for Scalar<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::S(one), Self::S(other)) => Some(one.as_bytes().cmp(other.as_bytes())),
            (Self::N(one), Self::N(other)) => Some(one.cmp(other)),
            (Self::B(one), Self::B(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }
}
