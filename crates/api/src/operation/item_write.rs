//! What PutItem and DeleteItem have in common: both write one item, on conditions, and can return what was there.

use keywright_expression::DeclaredPlaceholders;
use keywright_item::json::{Checked, Reader, SerializationError};
use keywright_item::{Item, StoredItem};

use crate::constraint::Constraints;
use crate::parameters::Parameters;
use crate::unsupported::UsedUnsupported;
use crate::wire::{ObjectWriter, RETURN_CONSUMED_CAPACITY, read_body, read_names, read_values};
use crate::{ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, TableName, Validation};

/// Which image of the item a PutItem or DeleteItem answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The item before the request.
    AllOld,
}

/// A request that has passed every check which needs no table.
pub(super) struct ItemWrite {
    pub(super) table_name: TableName,
    /// The item, or its key.
    pub(super) attributes: Item,
    pub(super) return_values: ReturnValues,
    pub(super) return_consumed_capacity: ReturnConsumedCapacity,
}

/// Where an operation differs.
pub(super) struct ItemWriteRules {
    pub(super) operation: Operation,
    /// The member that holds the item or its key.
    pub(super) member: &'static str,
    /// How the service names that member in its list of constraints.
    pub(super) path: &'static str,
    /// What the item must satisfy as a whole.
    pub(super) check: fn(&Item) -> Result<(), Validation>,
}

impl ItemWriteRules {
    /// Parses and checks the body of a request.
    ///
    /// Order of refusal: JSON; the constraints together; members that exclude each other; values of the item or
    /// key; the returned image; the item as a whole; placeholders; what this version does not support.
    pub(super) fn parse(&self, body: &[u8]) -> Result<ItemWrite, Error> {
        let wire = self.read(body)?;
        Ok(self.check(wire)?)
    }

    fn read(&self, body: &[u8]) -> Result<Wire, SerializationError> {
        let mut wire = Wire {
            table_name: None,
            attributes: None,
            return_values: None,
            return_consumed_capacity: None,
            return_item_collection_metrics: None,
            return_values_on_condition_check_failure: None,
            placeholders: DeclaredPlaceholders::default(),
            unsupported: UsedUnsupported::new(self.operation),
        };
        read_body(body, |name, reader| {
            match name {
                "TableName" => wire.table_name = reader.optional(Reader::string)?,
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
                name if name == self.member => wire.attributes = reader.optional(Reader::attribute_map)?,
                other => wire.unsupported.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn check(&self, wire: Wire) -> Result<ItemWrite, Validation> {
        let mut constraints = Constraints::default();
        let return_values = constraints.one_of("returnValues", wire.return_values.as_deref(), &RETURN_VALUES);
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            wire.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        // Without local indexes there are no item collection metrics to return.
        constraints.one_of(
            "returnItemCollectionMetrics",
            wire.return_item_collection_metrics.as_deref(),
            &[("SIZE", ()), ("NONE", ())],
        );
        // Without a condition no check can fail.
        constraints.one_of(
            "returnValuesOnConditionCheckFailure",
            wire.return_values_on_condition_check_failure.as_deref(),
            &[("ALL_OLD", ()), ("NONE", ())],
        );
        let table_name = constraints.table_name(wire.table_name);
        let attributes = constraints.required(self.path, wire.attributes);
        constraints.check()?;
        let (Some(table_name), Some(attributes)) = (table_name, attributes) else {
            unreachable!("the constraints require both")
        };

        PARAMETERS.check(|member| wire.unsupported.has(member), &wire.placeholders)?;
        let attributes = attributes?;
        let return_values = match return_values {
            None => ReturnValues::None,
            Some(Some(return_values)) => return_values,
            Some(None) => return Err(Validation::ReturnValues),
        };
        (self.check)(&attributes)?;
        wire.placeholders.check()?;
        wire.unsupported.check()?;
        Ok(ItemWrite {
            table_name,
            attributes,
            return_values,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
        })
    }
}

/// Appends the body of an answer.
pub(super) fn write_answer(
    attributes: Option<&StoredItem>,
    consumed_capacity: Option<&ConsumedCapacity>,
    out: &mut Vec<u8>,
) {
    let mut object = ObjectWriter::open(out);
    if let Some(attributes) = attributes {
        attributes.write_json(object.member("Attributes"));
    }
    if let Some(capacity) = consumed_capacity {
        capacity.write_json(object.member("ConsumedCapacity"));
    }
    object.close();
}

/// The images that a request can name, in the order of the service's message; `None` for those of UpdateItem.
const RETURN_VALUES: [(&str, Option<ReturnValues>); 5] = [
    ("ALL_NEW", None),
    ("UPDATED_OLD", None),
    ("ALL_OLD", Some(ReturnValues::AllOld)),
    ("NONE", Some(ReturnValues::None)),
    ("UPDATED_NEW", None),
];

const PARAMETERS: Parameters = Parameters {
    expressions: &["ConditionExpression"],
    using_values: &["ConditionExpression"],
    legacy: &["Expected"],
};

/// The members as they were sent.
struct Wire {
    table_name: Option<String>,
    attributes: Option<Checked<Item>>,
    return_values: Option<String>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
    return_values_on_condition_check_failure: Option<String>,
    placeholders: DeclaredPlaceholders,
    unsupported: UsedUnsupported,
}
