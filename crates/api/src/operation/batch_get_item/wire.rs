//! The members of a BatchGetItem as they were sent, and their checks.

use keywright_expression::DeclaredPlaceholders;
use keywright_item::Item;
use keywright_item::json::{Checked, ListType, ObjectType, Reader, SerializationError};

use super::{BatchGetItemInput, ReadParameters, TableReads};
use crate::constraint::Constraints;
use crate::operation::batch::ByTable;
use crate::operation::get_item::PARAMETERS;
use crate::operation::projected::WireProjection;
use crate::wire::{RETURN_CONSUMED_CAPACITY, read_body, read_names};
use crate::{Consistency, TableName, Validation};

/// The most keys of one request.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>
const MOST_KEYS: usize = 100;

/// The members as they were sent.
#[derive(Default)]
pub(super) struct Wire<'body> {
    request_items: Option<ByTable<TableWire<'body>>>,
    return_consumed_capacity: Option<String>,
}

/// The reads of one table as they were sent.
#[derive(Debug, Default)]
struct TableWire<'body> {
    /// At most [`MOST_KEYS`] of them.
    keys: Option<Vec<SentKey<'body>>>,
    key_count: usize,
    projection: WireProjection,
    consistent_read: Option<bool>,
    placeholders: DeclaredPlaceholders,
}

/// A key; `None` is null.
#[derive(Debug)]
struct SentKey<'body> {
    key: Option<Checked<Item>>,
    text: &'body [u8],
}

impl<'body> Wire<'body> {
    pub(super) fn read(body: &'body [u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::default();
        read_body(body, |name, reader| {
            match name {
                "RequestItems" => {
                    let expected = ObjectType::Map("KeysAndAttributes");
                    wire.request_items = ByTable::read(reader, expected, MOST_KEYS, TableWire::read)?;
                }
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    pub(super) fn check(self) -> Result<BatchGetItemInput, Validation> {
        let mut constraints = Constraints::default();
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let request_items = constraints.required("requestItems", self.request_items);
        let mut names = Vec::new();
        if let Some(items) = &request_items {
            names = items.names(&mut constraints, || shown(items));
            items.iter().for_each(|(name, table)| table.check_constraints(name, &mut constraints));
        }
        constraints.check()?;
        let Some(request_items) = request_items else { unreachable!("the constraints require it") };

        if request_items.is_empty() {
            return Err(Validation::NoRequestItems { operation: "BatchGetItem" });
        }
        let too_many = Validation::TooManyRequests { operation: "BatchGetItem" };
        if request_items.has_more() {
            return Err(too_many);
        }
        let tables = request_items
            .named(names)?
            .into_iter()
            .map(|(name, table)| table.check(name))
            .collect::<Result<Vec<TableReads>, Validation>>()?;
        if tables.iter().map(|table| table.keys.len()).sum::<usize>() > MOST_KEYS {
            return Err(too_many);
        }
        Ok(BatchGetItemInput {
            tables,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}

impl<'body> TableWire<'body> {
    fn read(reader: &mut Reader<'body>) -> Result<Self, SerializationError> {
        let mut table = Self::default();
        reader.object(ObjectType::Element("KeysAndAttributes"), |name, reader| {
            match name {
                "Keys" => table.read_keys(reader)?,
                "ProjectionExpression" => table.projection.read_expression(reader)?,
                "AttributesToGet" => table.projection.read_attributes_to_get(reader)?,
                "ConsistentRead" => table.consistent_read = reader.optional(Reader::boolean)?,
                "ExpressionAttributeNames" => read_names(reader, &mut table.placeholders)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(table)
    }

    fn read_keys(&mut self, reader: &mut Reader<'body>) -> Result<(), SerializationError> {
        self.key_count = 0;
        self.keys = reader.optional(|reader| {
            let mut keys = Vec::new();
            reader.array(ListType::Member, |reader| {
                let read = |reader: &mut Reader<'body>| reader.optional(Reader::attribute_map_element);
                let (key, text) = reader.with_text(read)?;
                self.key_count += 1;
                if keys.len() < MOST_KEYS {
                    keys.push(SentKey { key, text });
                }
                Ok::<(), SerializationError>(())
            })?;
            Ok::<_, SerializationError>(keys)
        })?;
        Ok(())
    }

    fn check_constraints(&self, table: &str, constraints: &mut Constraints) {
        let path = format!("requestItems.{table}.member.keys");
        if let Some(keys) = constraints.required(&path, self.keys.as_ref()) {
            let service_path = format!("RequestItems.{table}.member.Keys");
            constraints.length_without_value(&service_path, self.key_count, 1, MOST_KEYS);
            for (place, key) in keys.iter().enumerate() {
                constraints.required(&format!("{path}.{}.member", place + 1), key.key.as_ref());
            }
        }
        self.projection.check_constraints(constraints);
    }

    /// Checks what satisfies its constraints.
    fn check(mut self, table_name: TableName) -> Result<TableReads, Validation> {
        PARAMETERS.check(|member| self.projection.has(member), &self.placeholders)?;
        let mut parameters =
            ReadParameters { consistent_read: self.consistent_read, ..ReadParameters::default() };
        (parameters.projection_expression, parameters.attributes_to_get) = self.projection.sent();
        let legacy_projection = self.projection.legacy()?;
        let placeholders = self.placeholders.check()?;
        let projection = self.projection.bind(&placeholders)?;
        placeholders.check_all_used()?;
        parameters.names = placeholders
            .names()
            .map(|(placeholder, name)| (placeholder.to_owned(), name.to_owned()))
            .collect();
        Ok(TableReads {
            table_name,
            keys: check_keys(self.keys.unwrap_or_default())?,
            projection: projection.or(legacy_projection),
            consistency: Consistency::from_wire(self.consistent_read),
            parameters,
        })
    }
}

/// Refuses values that no attribute has, and keys that are there twice. The service compares the keys as they are
/// spelled: the numbers 1000 and 1e3 are two keys, and their item is read twice.
fn check_keys(sent: Vec<SentKey<'_>>) -> Result<Vec<Item>, Validation> {
    let mut keys: Vec<Item> = Vec::with_capacity(sent.len());
    let mut texts: Vec<&[u8]> = Vec::with_capacity(sent.len());
    for SentKey { key, text } in sent {
        let Some(key) = key else { unreachable!("the constraints refuse a null") };
        let key = key?;
        let mut earlier = keys.iter().zip(&texts);
        if earlier.any(|(other, other_text)| *other == key && spelled(other_text) == spelled(text)) {
            return Err(Validation::DuplicateKeys);
        }
        keys.push(key);
        texts.push(text);
    }
    Ok(keys)
}

/// The numbers of a key as they are spelled, by attribute.
fn spelled(key: &[u8]) -> Vec<(String, String)> {
    let mut numbers = Vec::new();
    let read = Reader::new(key).object(ObjectType::Body, |attribute, reader| {
        reader.object(ObjectType::Body, |kind, reader| {
            match kind {
                "N" => numbers
                    .extend(reader.optional(Reader::string)?.map(|number| (attribute.to_owned(), number))),
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })
    });
    let Ok(()) = read else { unreachable!("the key was read once before") };
    numbers.sort();
    numbers
}

fn shown(items: &ByTable<TableWire<'_>>) -> String {
    let tables: Vec<String> = items.iter().map(|(name, _)| format!("{name}=KeysAndAttributes")).collect();
    format!("{{{}}}", tables.join(", "))
}
