//! The members of a PutItem, DeleteItem or UpdateItem as they were sent, and the constraints on them.

use keywright_expression::DeclaredPlaceholders;
use keywright_expression::legacy::{AttributeUpdate, ConditionalOperator, ExpectedAttribute};
use keywright_item::Item;
use keywright_item::json::{Checked, Reader, SerializationError};

use super::{ItemWriteRules, ReturnValuesOnConditionCheckFailure, UpdateReturnValues};
use crate::constraint::Constraints;
use crate::legacy::{
    ByAttribute, CheckedMap, WireExpected, WireUpdate, check_expected, check_updates, read_expected,
    read_updates,
};
use crate::wire::{
    RETURN_CONSUMED_CAPACITY, RETURN_ITEM_COLLECTION_METRICS, read_body, read_names, read_values,
};
use crate::{Operation, ReturnConsumedCapacity, ReturnItemCollectionMetrics, TableName, Validation};

/// The members as they were sent.
pub(super) struct Wire {
    pub(super) table_name: Option<String>,
    pub(super) attributes: Option<Checked<Item>>,
    pub(super) return_values: Option<String>,
    pub(super) return_consumed_capacity: Option<String>,
    pub(super) return_item_collection_metrics: Option<String>,
    pub(super) on_condition_failure: Option<String>,
    pub(super) condition_expression: Option<String>,
    pub(super) expected: Option<ByAttribute<WireExpected>>,
    pub(super) conditional_operator: Option<String>,
    pub(super) update_expression: Option<String>,
    pub(super) attribute_updates: Option<ByAttribute<WireUpdate>>,
    pub(super) placeholders: DeclaredPlaceholders,
}

/// What is left of the members after the constraints.
pub(super) struct Constrained {
    pub(super) table_name: TableName,
    pub(super) attributes: Checked<Item>,
    pub(super) return_values: UpdateReturnValues,
    pub(super) on_condition_failure: ReturnValuesOnConditionCheckFailure,
    pub(super) return_consumed_capacity: ReturnConsumedCapacity,
    pub(super) return_item_collection_metrics: ReturnItemCollectionMetrics,
    pub(super) expected: Option<CheckedMap<ExpectedAttribute>>,
    pub(super) operator: Option<ConditionalOperator>,
    pub(super) updates: Option<CheckedMap<AttributeUpdate>>,
}

impl Wire {
    pub(super) fn read(rules: &ItemWriteRules, body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::new();
        let updates = rules.operation == Operation::UpdateItem;
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
                    wire.on_condition_failure = reader.optional(Reader::string)?;
                }
                "ConditionExpression" => wire.condition_expression = reader.optional(Reader::string)?,
                "Expected" => wire.expected = read_expected(reader)?,
                "ConditionalOperator" => wire.conditional_operator = reader.optional(Reader::string)?,
                "UpdateExpression" if updates => wire.update_expression = reader.optional(Reader::string)?,
                "AttributeUpdates" if updates => wire.attribute_updates = read_updates(reader)?,
                "ExpressionAttributeNames" => read_names(reader, &mut wire.placeholders)?,
                "ExpressionAttributeValues" => read_values(reader, &mut wire.placeholders)?,
                name if name == rules.member => wire.attributes = reader.optional(Reader::attribute_map)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    /// Whether the request has this member, of those that exclude each other.
    pub(super) fn has(&self, member: &str) -> bool {
        match member {
            "ConditionExpression" => self.condition_expression.is_some(),
            "UpdateExpression" => self.update_expression.is_some(),
            "AttributeUpdates" => self.attribute_updates.is_some(),
            "Expected" => self.expected.is_some(),
            "ConditionalOperator" => self.conditional_operator.is_some(),
            other => unreachable!("no operation lists {other}"),
        }
    }

    pub(super) fn check_constraints(&mut self, rules: &ItemWriteRules) -> Result<Constrained, Validation> {
        let mut constraints = Constraints::default();
        let return_values = constraints.one_of("returnValues", self.return_values.as_deref(), &RETURN_VALUES);
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let return_item_collection_metrics = constraints.one_of(
            "returnItemCollectionMetrics",
            self.return_item_collection_metrics.as_deref(),
            &RETURN_ITEM_COLLECTION_METRICS,
        );
        let on_condition_failure = constraints.one_of(
            "returnValuesOnConditionCheckFailure",
            self.on_condition_failure.as_deref(),
            &ON_CONDITION_FAILURE,
        );
        let table_name = constraints.table_name(self.table_name.take());
        let attributes = constraints.required(rules.path, self.attributes.take());
        let operator = constraints.one_of(
            "conditionalOperator",
            self.conditional_operator.as_deref(),
            &ConditionalOperator::ALL,
        );
        let expected = check_expected(self.expected.take(), &mut constraints);
        let updates = check_updates(self.attribute_updates.take(), &mut constraints);
        constraints.check()?;
        let (Some(table_name), Some(attributes)) = (table_name, attributes) else {
            unreachable!("the constraints require both")
        };
        Ok(Constrained {
            table_name,
            attributes,
            return_values: return_values.unwrap_or_default(),
            on_condition_failure: on_condition_failure.unwrap_or_default(),
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
            return_item_collection_metrics: return_item_collection_metrics.unwrap_or_default(),
            expected,
            operator,
            updates,
        })
    }

    fn new() -> Self {
        Self {
            table_name: None,
            attributes: None,
            return_values: None,
            return_consumed_capacity: None,
            return_item_collection_metrics: None,
            on_condition_failure: None,
            condition_expression: None,
            expected: None,
            conditional_operator: None,
            update_expression: None,
            attribute_updates: None,
            placeholders: DeclaredPlaceholders::default(),
        }
    }
}

/// The images that a request can name, in the order of the service's message.
const RETURN_VALUES: [(&str, UpdateReturnValues); 5] = [
    ("ALL_NEW", UpdateReturnValues::AllNew),
    ("UPDATED_OLD", UpdateReturnValues::UpdatedOld),
    ("ALL_OLD", UpdateReturnValues::AllOld),
    ("NONE", UpdateReturnValues::None),
    ("UPDATED_NEW", UpdateReturnValues::UpdatedNew),
];

/// The names of [`ReturnValuesOnConditionCheckFailure`], in the order of the service's message.
pub(in crate::operation) const ON_CONDITION_FAILURE: [(&str, ReturnValuesOnConditionCheckFailure); 2] = [
    ("ALL_OLD", ReturnValuesOnConditionCheckFailure::AllOld),
    ("NONE", ReturnValuesOnConditionCheckFailure::None),
];
