//! An item as serde reads it: its attributes one by one, in one pass, without a copy of the whole.
//!
//! What is not the entity's is laid aside on the way: the parts of its key and the id of its last write. So none is looked for by its name.

use std::collections::hash_map::IntoIter;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_dynamo::Error;

use super::{Attributes, WRITE_ID_ATTRIBUTE};

/// What an item is read from.
pub(crate) struct Source<'p> {
    attributes: Attributes,
    aside: &'p mut Aside,
}

/// What is laid aside of an item while it is read, and what is known when it does not decode.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// The parts of its key: what they are called, whether the entity has an attribute of that name, and what they hold.
    key: [Part; 2],
    /// The value that holds the id of the last write.
    pub(super) write_id: Option<AttributeValue>,
    /// The path of the attribute that does not decode: `owner.name`; empty as long as none is known.
    pub(super) failed_path: String,
}

#[derive(Debug, Default)]
struct Part {
    name: Option<&'static str>,
    is_an_attribute: bool,
    value: Option<AttributeValue>,
}

impl Aside {
    /// For a key of these parts, of which the entity may have some as attributes.
    pub(super) fn of_key(names: [Option<&'static str>; 2], is_an_attribute: impl Fn(&str) -> bool) -> Aside {
        let part = |name: Option<&'static str>| Part {
            name,
            is_an_attribute: name.is_some_and(&is_an_attribute),
            value: None,
        };
        Aside { key: names.map(part), ..Aside::default() }
    }

    /// The parts of the key that the item has.
    pub(super) fn key(&self) -> impl Iterator<Item = &AttributeValue> {
        self.key.iter().filter_map(|part| part.value.as_ref())
    }

    /// Lays an attribute aside; gives it back if it is the entity's.
    fn take(&mut self, name: String, value: AttributeValue) -> Option<(String, AttributeValue)> {
        if let Some(part) = self.key.iter_mut().find(|part| part.name == Some(name.as_str())) {
            if part.is_an_attribute {
                part.value = Some(value.clone());
                return Some((name, value));
            }
            part.value = Some(value);
            return None;
        }
        if name == WRITE_ID_ATTRIBUTE {
            self.write_id = Some(value);
            return None;
        }
        Some((name, value))
    }
}

impl Source<'_> {
    pub(super) const fn new(attributes: Attributes, aside: &mut Aside) -> Source<'_> {
        Source { attributes, aside }
    }
}

impl<'de> Deserializer<'de> for Source<'_> {
    type Error = Error;

    fn deserialize_any<Visiting: Visitor<'de>>(self, visitor: Visiting) -> Result<Visiting::Value, Error> {
        let mut reader = Reader { attributes: self.attributes.into_iter(), current: None, aside: self.aside };
        let read = visitor.visit_map(&mut reader);
        reader.lay_rest_aside();
        read
    }

    fn deserialize_newtype_struct<Visiting: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: Visiting,
    ) -> Result<Visiting::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<Visiting: Visitor<'de>>(self, visitor: Visiting) -> Result<Visiting::Value, Error> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// Reads the attributes of an item.
struct Reader<'p> {
    attributes: IntoIter<String, AttributeValue>,
    current: Option<(String, AttributeValue)>,
    aside: &'p mut Aside,
}

impl Reader<'_> {
    /// What a visitor left that had enough, or found something wrong.
    fn lay_rest_aside(&mut self) {
        for (name, value) in self.attributes.by_ref() {
            self.aside.take(name, value);
        }
    }
}

impl<'de> MapAccess<'de> for &mut Reader<'_> {
    type Error = Error;

    fn next_key_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Option<Seed::Value>, Error> {
        let Reader { attributes, aside, .. } = &mut **self;
        self.current = attributes.find_map(|(name, value)| aside.take(name, value));
        let Some((name, _)) = &self.current else { return Ok(None) };
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<Seed: DeserializeSeed<'de>>(&mut self, seed: Seed) -> Result<Seed::Value, Error> {
        let Some((name, value)) = self.current.take() else {
            unreachable!("serde asks for a key before each value")
        };
        let is_nested = matches!(value, AttributeValue::M(_) | AttributeValue::L(_));
        let value =
            serde_dynamo::Deserializer::from_attribute_value(serde_dynamo::AttributeValue::from(value));
        let mut inside = serde_path_to_error::Track::new();
        // A path costs an allocation for each step, and a value that is not nested has none.
        let read = if is_nested {
            seed.deserialize(serde_path_to_error::Deserializer::new(value, &mut inside))
        } else {
            seed.deserialize(value)
        };
        read.inspect_err(|_| {
            let inside = inside.path();
            self.aside.failed_path = match inside.iter().next() {
                Some(serde_path_to_error::Segment::Seq { .. }) => format!("{name}{inside}"),
                Some(_) => format!("{name}.{inside}"),
                None => name,
            };
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.attributes.len())
    }
}
