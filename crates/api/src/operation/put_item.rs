//! PutItem: writes one item, in place of any other under its key.

use keywright_expression::DeclaredPlaceholders;
use keywright_item::json::{Checked, Reader, SerializationError};
use keywright_item::{Item, StoredItem};

use crate::constraint::Constraints;
use crate::parameters::Parameters;
use crate::unsupported::UsedUnsupported;
use crate::wire::{ObjectWriter, RETURN_CONSUMED_CAPACITY, read_body, read_names, read_values};
use crate::{ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, TableName, Validation};

/// A PutItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The item, at most [`MAX_ITEM_BYTES`]; whether it has the key of the table is not known yet.
    pub item: Item,
    /// Whether the answer holds the item that was there before.
    pub return_values: ReturnValues,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// The answer to PutItem.
#[derive(Debug, Clone, PartialEq)]
pub struct PutItemOutput {
    /// The item that was there before, where the request asked for it and there was one.
    pub attributes: Option<StoredItem>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

/// Which image of the item a PutItem or DeleteItem answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The item before the request.
    AllOld,
}

impl PutItemInput {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON; the constraints together; members that exclude each other; the item's values; the
    /// returned image; the item's size; placeholders; what this
    /// version does not support.
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl PutItemOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::open(out);
        if let Some(attributes) = &self.attributes {
            attributes.write_json(object.member("Attributes"));
        }
        if let Some(capacity) = &self.consumed_capacity {
            capacity.write_json(object.member("ConsumedCapacity"));
        }
        object.close();
    }
}

/// The largest item, names and values together, as [`Item::size_bytes`] counts.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub const MAX_ITEM_BYTES: usize = 400 * 1024;

/// The images that a request can name, in the order of the service's message; `None` for those of UpdateItem.
pub(super) const RETURN_VALUES: [(&str, Option<ReturnValues>); 5] = [
    ("ALL_NEW", None),
    ("UPDATED_OLD", None),
    ("ALL_OLD", Some(ReturnValues::AllOld)),
    ("NONE", Some(ReturnValues::None)),
    ("UPDATED_NEW", None),
];

pub(super) const CONDITION_PARAMETERS: Parameters = Parameters {
    expressions: &["ConditionExpression"],
    using_values: &["ConditionExpression"],
    legacy: &["Expected"],
};

/// The members as they were sent.
struct Wire {
    table_name: Option<String>,
    item: Option<Checked<Item>>,
    return_values: Option<String>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
    return_values_on_condition_check_failure: Option<String>,
    placeholders: DeclaredPlaceholders,
    unsupported: UsedUnsupported,
}

impl Wire {
    fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self {
            table_name: None,
            item: None,
            return_values: None,
            return_consumed_capacity: None,
            return_item_collection_metrics: None,
            return_values_on_condition_check_failure: None,
            placeholders: DeclaredPlaceholders::default(),
            unsupported: UsedUnsupported::new(Operation::PutItem),
        };
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
                "Item" => wire.item = reader.optional(Reader::attribute_map)?,
                "ReturnValues" => wire.return_values = reader.optional(Reader::string)?,
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?
                }
                "ReturnItemCollectionMetrics" => {
                    wire.return_item_collection_metrics = reader.optional(Reader::string)?;
                }
                "ReturnValuesOnConditionCheckFailure" => {
                    wire.return_values_on_condition_check_failure = reader.optional(Reader::string)?;
                }
                "ExpressionAttributeNames" => read_names(reader, &mut wire.placeholders)?,
                "ExpressionAttributeValues" => read_values(reader, &mut wire.placeholders)?,
                other => wire.unsupported.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn check(self) -> Result<PutItemInput, Validation> {
        let mut constraints = Constraints::default();
        let return_values = constraints.one_of("returnValues", self.return_values.as_deref(), &RETURN_VALUES);
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        // Without local indexes there are no item collection metrics to return.
        constraints.one_of(
            "returnItemCollectionMetrics",
            self.return_item_collection_metrics.as_deref(),
            &[("SIZE", ()), ("NONE", ())],
        );
        // Without a condition no check can fail.
        constraints.one_of(
            "returnValuesOnConditionCheckFailure",
            self.return_values_on_condition_check_failure.as_deref(),
            &[("ALL_OLD", ()), ("NONE", ())],
        );
        let table_name = constraints.table_name(self.table_name);
        let item = constraints.required("item", self.item);
        constraints.check()?;
        let (Some(table_name), Some(item)) = (table_name, item) else {
            unreachable!("the constraints require both")
        };

        CONDITION_PARAMETERS.check(|member| self.unsupported.has(member), &self.placeholders)?;
        let item = item?;
        let return_values = match return_values {
            None => ReturnValues::None,
            Some(Some(return_values)) => return_values,
            Some(None) => return Err(Validation::ReturnValues),
        };
        if item.size_bytes() > MAX_ITEM_BYTES {
            return Err(Validation::ItemTooLarge);
        }
        self.placeholders.check()?;
        self.unsupported.check()?;
        Ok(PutItemInput {
            table_name,
            item,
            return_values,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}
