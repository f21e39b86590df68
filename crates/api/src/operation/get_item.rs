//! GetItem: one item by its key.

use keywright_expression::{DeclaredPlaceholders, Projection};
use keywright_item::Item;
use keywright_item::json::{Checked, Reader, SerializationError};

use super::projected::WireProjection;
use crate::constraint::Constraints;
use crate::parameters::Parameters;
use crate::wire::{ObjectWriter, RETURN_CONSUMED_CAPACITY, read_body, read_names};
use crate::{ConsumedCapacity, Error, ReturnConsumedCapacity, ReturnedItem, TableName, Validation};

/// A GetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The key; whether it is one of the table is not known yet.
    pub key: Item,
    /// The parts of the item that the answer holds; all of it without.
    pub projection: Option<Projection>,
    /// Whether the read must see every write that was acknowledged before it.
    pub consistency: Consistency,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to GetItem.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemOutput {
    /// The item, where there is one.
    pub item: Option<ReturnedItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// What a read may miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Consistency {
    /// It may miss the latest writes; half the price.
    #[default]
    Eventual,
    /// It sees every write that was acknowledged before it.
    Strong,
}

impl GetItemInput {
    /// Parses and checks the body of a request;
    /// [`Operation::order_of_refusal`](crate::Operation::order_of_refusal) tells which refusal wins.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl GetItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if let Some(item) = &self.item {
            item.write_json(object.member("Item"));
        }
        if let Some(capacity) = &self.consumed_capacity {
            capacity.write_json(object.member("ConsumedCapacity"));
        }
        object.close();
    }
}

const PARAMETERS: Parameters =
    Parameters { expressions: &["ProjectionExpression"], using_values: &[], legacy: &["AttributesToGet"] };

impl Consistency {
    /// The consistency that `ConsistentRead` asks for.
    pub(super) fn from_wire(consistent_read: Option<bool>) -> Self {
        if consistent_read == Some(true) { Self::Strong } else { Self::Eventual }
    }
}

/// The members as they were sent.
#[derive(Default)]
struct Wire {
    table_name: Option<String>,
    key: Option<Checked<Item>>,
    projection: WireProjection,
    consistent_read: Option<bool>,
    return_consumed_capacity: Option<String>,
    placeholders: DeclaredPlaceholders,
}

impl Wire {
    fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::default();
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
                "Key" => wire.key = reader.optional(Reader::attribute_map)?,
                "ProjectionExpression" => wire.projection.read_expression(reader)?,
                "AttributesToGet" => wire.projection.read_attributes_to_get(reader)?,
                "ConsistentRead" => wire.consistent_read = reader.optional(Reader::boolean)?,
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?
                }
                "ExpressionAttributeNames" => read_names(reader, &mut wire.placeholders)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn check(mut self) -> Result<GetItemInput, Validation> {
        let mut constraints = Constraints::default();
        self.projection.check_constraints(&mut constraints);
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let key = constraints.required("key", self.key);
        let table_name = constraints.table_name(self.table_name);
        constraints.check()?;
        let (Some(table_name), Some(key)) = (table_name, key) else {
            unreachable!("the constraints require both")
        };

        PARAMETERS.check(|member| self.projection.has(member), &self.placeholders)?;
        let key = key?;
        let legacy_projection = self.projection.legacy()?;
        let placeholders = self.placeholders.check()?;
        let projection = self.projection.bind(&placeholders)?;
        placeholders.check_all_used()?;
        Ok(GetItemInput {
            table_name,
            key,
            projection: projection.or(legacy_projection),
            consistency: Consistency::from_wire(self.consistent_read),
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}
