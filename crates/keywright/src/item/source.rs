//! An item as serde reads it: its attributes one by one, without a copy of the whole, and the path of the one that does not decode.

use std::collections::hash_map::IntoIter;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_dynamo::Error;

use super::Attributes;

/// What an item is read from.
pub(crate) struct Source<'p> {
    attributes: Attributes,
    path: &'p mut FailedPath,
}

/// The path of the attribute that does not decode: `owner.name`; empty as long as none is known.
#[derive(Debug, Default)]
pub(super) struct FailedPath(pub(super) String);

impl Source<'_> {
    pub(super) const fn new(attributes: Attributes, path: &mut FailedPath) -> Source<'_> {
        Source { attributes, path }
    }
}

impl<'de> Deserializer<'de> for Source<'_> {
    type Error = Error;

    fn deserialize_any<Visiting: Visitor<'de>>(self, visitor: Visiting) -> Result<Visiting::Value, Error> {
        visitor.visit_map(Reader { attributes: self.attributes.into_iter(), current: None, path: self.path })
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
    path: &'p mut FailedPath,
}

impl<'de> MapAccess<'de> for Reader<'_> {
    type Error = Error;

    fn next_key_seed<Seed: DeserializeSeed<'de>>(
        &mut self,
        seed: Seed,
    ) -> Result<Option<Seed::Value>, Error> {
        self.current = self.attributes.next();
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
            self.path.0 = match inside.iter().next() {
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
