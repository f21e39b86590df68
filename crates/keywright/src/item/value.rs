//! A stored value as serde reads it: what `serde_dynamo` reads, and the same.
//!
//! A member of a set is read as a value of its own, so that a set may be one of any type that is written like it.
//!
//! Its error holds nothing of what is stored: see [`Undecodable`].

use std::collections::hash_map;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::undecodable::{Expected, Step, Stored, Undecodable};

/// A value as its type.
pub(crate) fn read_value<Read: DeserializeOwned>(value: AttributeValue) -> Result<Read, Undecodable> {
    Read::deserialize(Value(value))
}

/// A value to be read.
pub(super) struct Value(pub(super) AttributeValue);

impl Value {
    /// The value is another than was expected.
    fn is_no<Read>(&self, expected: Expected) -> Result<Read, Undecodable> {
        Err(Undecodable::unexpected(expected, Stored::of(&self.0)))
    }

    /// The members of a map, of which a type declares these.
    fn members<'de, Visiting: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::M(members) => {
                visitor.visit_map(Members { members: members.into_iter(), current: None, fields })
            }
            _ => self.is_no(Expected::Map),
        }
    }
}

/// Numbers, each with how it is asked for and given.
macro_rules! numbers {
    ($($deserialize:ident $visit:ident $number:ident),+) => {$(
        fn $deserialize<Visiting: Visitor<'de>>(self, visitor: Visiting) -> Result<Visiting::Value, Undecodable> {
            match &self.0 {
                AttributeValue::N(number) => match number.parse() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => self.is_no(Expected::Rust(stringify!($number))),
                },
                _ => self.is_no(Expected::Rust(stringify!($number))),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Value {
    type Error = Undecodable;

    fn deserialize_any<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            AttributeValue::N(number) => {
                if let Ok(number) = number.parse() {
                    visitor.visit_i64(number)
                } else if let Ok(number) = number.parse() {
                    visitor.visit_u64(number)
                } else {
                    Value(AttributeValue::N(number)).deserialize_f64(visitor)
                }
            }
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            AttributeValue::Bool(boolean) => visitor.visit_bool(boolean),
            AttributeValue::M(_) => self.deserialize_map(visitor),
            AttributeValue::L(_) | AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => {
                self.deserialize_seq(visitor)
            }
            _ => self.deserialize_unit(visitor),
        }
    }

    numbers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64
    }

    fn deserialize_bool<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::Bool(boolean) => visitor.visit_bool(boolean),
            _ => self.is_no(Expected::Rust("bool")),
        }
    }

    fn deserialize_char<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        if let AttributeValue::S(text) = &self.0 {
            let mut characters = text.chars();
            if let (Some(character), None) = (characters.next(), characters.next()) {
                return visitor.visit_char(character);
            }
        }
        self.is_no(Expected::Character)
    }

    fn deserialize_str<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            _ => self.is_no(Expected::Text),
        }
    }

    fn deserialize_identifier<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bytes<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            _ => self.is_no(Expected::Bytes),
        }
    }

    fn deserialize_option<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::Null(true) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::Null(true) => visitor.visit_unit(),
            _ => self.is_no(Expected::Null),
        }
    }

    fn deserialize_unit_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::L(values) => visitor.visit_seq(Elements(values.into_iter())),
            AttributeValue::Ss(texts) => {
                visitor.visit_seq(Elements(texts.into_iter().map(AttributeValue::S)))
            }
            AttributeValue::Ns(numbers) => {
                visitor.visit_seq(Elements(numbers.into_iter().map(AttributeValue::N)))
            }
            AttributeValue::Bs(sets) => visitor.visit_seq(Elements(sets.into_iter().map(AttributeValue::B))),
            _ => self.is_no(Expected::List),
        }
    }

    fn deserialize_tuple<Visiting: Visitor<'de>>(
        self,
        _length: usize,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.members(&[], visitor)
    }

    fn deserialize_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::L(_) => self.deserialize_seq(visitor),
            _ => self.members(fields, visitor),
        }
    }

    fn deserialize_enum<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0 {
            AttributeValue::S(name) => {
                visitor.visit_enum(Variant { name, value: None, stored: Stored::Text, variants })
            }
            AttributeValue::M(members) => {
                let mut members = members.into_iter();
                match (members.next(), members.next()) {
                    (Some((name, value)), None) => visitor.visit_enum(Variant {
                        name,
                        value: Some(value),
                        stored: Stored::Map,
                        variants,
                    }),
                    _ => Err(Undecodable::unexpected(Expected::Variant(variants), Stored::Map)),
                }
            }
            _ => self.is_no(Expected::Variant(variants)),
        }
    }

    /// What nobody asks for is not looked at: it may be of a form that this program knows nothing of.
    fn deserialize_ignored_any<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_unit()
    }
}

/// The members of a list or set.
struct Elements<Values>(Values);

impl<'de, Values: ExactSizeIterator<Item = AttributeValue>> SeqAccess<'de> for Elements<Values> {
    type Error = Undecodable;

    fn next_element_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Option<Seed::Value>, Undecodable> {
        let Some(value) = self.0.next() else { return Ok(None) };
        let stored = Stored::of(&value);
        let read = seed.deserialize(Value(value)).map(Some);
        read.map_err(|error| error.inside(Step::Element, stored))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The members of a map.
struct Members {
    members: hash_map::IntoIter<String, AttributeValue>,
    current: Option<(Step, AttributeValue)>,
    /// What the type declares.
    fields: &'static [&'static str],
}

impl<'de> MapAccess<'de> for Members {
    type Error = Undecodable;

    fn next_key_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Option<Seed::Value>, Undecodable> {
        let Some((name, value)) = self.members.next() else { return Ok(None) };
        self.current = Some((Step::into_field(self.fields, &name), value));
        let read = seed.deserialize(Name(name)).map(Some);
        read.map_err(|error| error.inside(Step::Member, Stored::Name))
    }

    fn next_value_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Seed::Value, Undecodable> {
        let Some((step, value)) = self.current.take() else {
            unreachable!("serde asks for a key before each value")
        };
        let stored = Stored::of(&value);
        seed.deserialize(Value(value)).map_err(|error| error.inside(step, stored))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// A name in a map, which may be one of an enum's variants, or stand for a number.
struct Name(String);

macro_rules! named_numbers {
    ($($deserialize:ident $visit:ident $number:ident),+) => {$(
        fn $deserialize<Visiting: Visitor<'de>>(self, visitor: Visiting) -> Result<Visiting::Value, Undecodable> {
            match self.0.parse() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(Undecodable::unexpected(Expected::Rust(stringify!($number)), Stored::Name)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Name {
    type Error = Undecodable;

    fn deserialize_any<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_string(self.0)
    }

    named_numbers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128
    }

    fn deserialize_bool<Visiting: Visitor<'de>>(
        self,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        match self.0.as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Undecodable::unexpected(Expected::Rust("bool"), Stored::Name)),
        }
    }

    fn deserialize_enum<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_enum(Variant { name: self.0, value: None, stored: Stored::Name, variants })
    }

    fn deserialize_newtype_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant of an enum: its name, and what it holds.
struct Variant {
    name: String,
    value: Option<AttributeValue>,
    /// As what the enum is stored.
    stored: Stored,
    variants: &'static [&'static str],
}

impl<'de> EnumAccess<'de> for Variant {
    type Variant = Held;
    type Error = Undecodable;

    fn variant_seed<Seed: DeserializeSeed<'de>>(
        self,
        seed: Seed,
    ) -> Result<(Seed::Value, Held), Undecodable> {
        let Variant { name, value, stored, variants } = self;
        let name: StringDeserializer<Undecodable> = name.into_deserializer();
        match seed.deserialize(name) {
            Ok(read) => Ok((read, Held { value, stored, variants })),
            Err(_) => Err(Undecodable::unexpected(Expected::Variant(variants), stored)),
        }
    }
}

/// What a variant holds.
struct Held {
    value: Option<AttributeValue>,
    stored: Stored,
    variants: &'static [&'static str],
}

impl Held {
    /// The value; an error for a variant that is stored as its name, which holds none.
    fn value(self) -> Result<Value, Undecodable> {
        let Held { value, stored, variants } = self;
        value.map(Value).ok_or(Undecodable::unexpected(Expected::Variant(variants), stored))
    }
}

impl<'de> VariantAccess<'de> for Held {
    type Error = Undecodable;

    fn unit_variant(self) -> Result<(), Undecodable> {
        Ok(())
    }

    fn newtype_variant_seed<Seed: DeserializeSeed<'de>>(
        self,
        seed: Seed,
    ) -> Result<Seed::Value, Undecodable> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<Visiting: Visitor<'de>>(
        self,
        _length: usize,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.value()?.deserialize_seq(visitor)
    }

    fn struct_variant<Visiting: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: Visiting,
    ) -> Result<Visiting::Value, Undecodable> {
        self.value()?.members(fields, visitor)
    }
}
