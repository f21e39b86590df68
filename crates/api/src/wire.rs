//! Reading the members that several operations have, and writing what several answers have.

use std::fmt::Display;
use std::io::Write;

use keywright_expression::DeclaredPlaceholders;
use keywright_item::json::{self, ListType, ObjectType, Reader, SerializationError};

use crate::constraint::Constraints;
use crate::{Error, ReturnConsumedCapacity, ReturnItemCollectionMetrics, TableName, Validation};

/// The names of [`ReturnConsumedCapacity`], in the order of the service's message.
pub(crate) const RETURN_CONSUMED_CAPACITY: [(&str, ReturnConsumedCapacity); 3] = [
    ("INDEXES", ReturnConsumedCapacity::Indexes),
    ("TOTAL", ReturnConsumedCapacity::Total),
    ("NONE", ReturnConsumedCapacity::None),
];

/// Whether a request wants to be told the sizes of item collections, in the order of the service's message. Without local
/// indexes there are none to tell.
pub(crate) const RETURN_ITEM_COLLECTION_METRICS: [(&str, ReturnItemCollectionMetrics); 2] =
    [("SIZE", ReturnItemCollectionMetrics::Size), ("NONE", ReturnItemCollectionMetrics::None)];

/// No placeholder is longer, so that a longer one is cut off: it matches nothing.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
const LONGEST_PLACEHOLDER_BYTES: usize = 256;

/// The elements of a list: all are counted, and no more are kept than a refusal can name.
pub(crate) struct Few<Element> {
    pub(crate) kept: Vec<Element>,
    pub(crate) count: usize,
}

/// More elements than any list of a valid request has: the keys of a table with all its indexes have 167 attributes.
const MOST_KEPT: usize = 200;

/// Reads all of a body: `member` is called with each member's name.
pub(crate) fn read_body<'body>(
    body: &'body [u8],
    member: impl FnMut(&str, &mut Reader<'body>) -> Result<(), SerializationError>,
) -> Result<(), SerializationError> {
    let mut reader = Reader::new(body);
    reader.object(ObjectType::Body, member)?;
    reader.finish()
}

impl<Element: Default> Few<Element> {
    /// Reads a list; an element that is null is one without members.
    pub(crate) fn read<'body>(
        reader: &mut Reader<'body>,
        mut read_element: impl FnMut(&mut Reader<'body>) -> Result<Element, SerializationError>,
    ) -> Result<Self, SerializationError> {
        let mut few = Self { kept: Vec::new(), count: 0 };
        reader.array(ListType::Member, |reader| {
            few.count += 1;
            let element = reader.optional(&mut read_element)?.unwrap_or_default();
            if few.kept.len() < MOST_KEPT {
                few.kept.push(element);
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(few)
    }
}

/// Reads `ExpressionAttributeNames`.
pub(crate) fn read_names(
    reader: &mut Reader<'_>,
    placeholders: &mut DeclaredPlaceholders,
) -> Result<(), SerializationError> {
    reader.optional(|reader| {
        placeholders.declare_names();
        reader.object(ObjectType::MapToStrings, |placeholder, reader| {
            if let Some(name) = reader.optional(Reader::string)? {
                placeholders.declare_name(shortened(placeholder), name);
            }
            Ok::<(), SerializationError>(())
        })
    })?;
    Ok(())
}

/// Reads `ExpressionAttributeValues`.
pub(crate) fn read_values(
    reader: &mut Reader<'_>,
    placeholders: &mut DeclaredPlaceholders,
) -> Result<(), SerializationError> {
    reader.optional(|reader| {
        placeholders.declare_values();
        reader.object(ObjectType::Map("AttributeValue"), |placeholder, reader| {
            let value = reader.attribute_value()?;
            placeholders.declare_value(shortened(placeholder), value);
            Ok::<(), SerializationError>(())
        })
    })?;
    Ok(())
}

fn shortened(placeholder: &str) -> &str {
    let end = placeholder.floor_char_boundary(LONGEST_PLACEHOLDER_BYTES);
    placeholder.get(..end).unwrap_or_default()
}

/// Writes one JSON object, member by member; it must be [`close`](Self::close)d.
pub(crate) struct ObjectWriter<'out> {
    out: &'out mut Vec<u8>,
    separator: &'static [u8],
}

impl<'out> ObjectWriter<'out> {
    pub(crate) fn open(out: &'out mut Vec<u8>) -> Self {
        Self { out, separator: b"{" }
    }

    /// Writes the name of a member; the caller appends its value. Names are ours and need no escapes.
    pub(crate) fn member(&mut self, name: &'static str) -> &mut Vec<u8> {
        self.out.extend_from_slice(self.separator);
        self.separator = b",";
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    pub(crate) fn string(&mut self, name: &'static str, value: &str) {
        json::write_string(value, self.member(name));
    }

    /// A value whose `Display` is JSON, such as a number.
    pub(crate) fn plain(&mut self, name: &'static str, value: impl Display) {
        let out = self.member(name);
        // Writing to a vector does not fail.
        let _ = write!(out, "{value}");
    }

    pub(crate) fn close(self) {
        if self.separator == b"{" {
            self.out.push(b'{');
        }
        self.out.push(b'}');
    }
}

/// Writes a JSON array, each element by `write`.
pub(crate) fn write_array<Element>(
    out: &mut Vec<u8>,
    elements: impl IntoIterator<Item = Element>,
    mut write: impl FnMut(Element, &mut Vec<u8>),
) {
    out.push(b'[');
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(element, out);
    }
    out.push(b']');
}

/// Writes a JSON object whose members' names are the client's, each value by `write`.
pub(crate) fn write_by_name<'name, Value>(
    out: &mut Vec<u8>,
    members: impl IntoIterator<Item = (&'name str, Value)>,
    mut write: impl FnMut(Value, &mut Vec<u8>),
) {
    out.push(b'{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        json::write_string(name, out);
        out.push(b':');
        write(value, out);
    }
    out.push(b'}');
}

/// Reads the body of a table operation that has no other member than the name of an existing table.
pub(crate) fn read_table_name(body: &[u8]) -> Result<TableName, Error> {
    let mut name = None;
    read_body(body, |member, reader| {
        match member {
            "TableName" => name = reader.optional(Reader::string)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    if name.is_none() {
        return Err(Validation::Required { member: "TableName" }.into());
    }
    let mut constraints = Constraints::default();
    let table_name = constraints.table_name(name);
    constraints.check()?;
    let Some(table_name) = table_name else { unreachable!("the constraints require a name") };
    Ok(table_name)
}
