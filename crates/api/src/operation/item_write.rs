//! What PutItem, DeleteItem and UpdateItem have in common: each writes one item, on a condition, and can return an image.
//!
//! Order of refusal, of which each operation has its part: JSON; the constraints together; members that exclude each
//! other; values of the item or key; the returned image; the item as a whole; legacy updates and conditions;
//! placeholders; the update expression; the condition expression; unused placeholders.

mod wire;

use keywright_expression::legacy;
use keywright_expression::{
    Condition, ConditionExpression, ExpressionKind, Placeholders, Update, UpdateExpression,
};
use keywright_item::Item;

pub(super) use self::wire::ON_CONDITION_FAILURE;
use self::wire::{Constrained, Wire};
use crate::legacy::{ByAttribute, check_operator};
use crate::parameters::Parameters;
use crate::wire::ObjectWriter;
use crate::{
    ConsumedCapacity, Error, ItemCollectionMetrics, Operation, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnedItem, TableName, Validation,
};

/// Which image of the item a PutItem or DeleteItem answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The item before the request.
    AllOld,
}

/// Which image of the item an UpdateItem answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UpdateReturnValues {
    /// None.
    #[default]
    None,
    /// The item before the request.
    AllOld,
    /// What the request touched, as it was before.
    UpdatedOld,
    /// The item after the request.
    AllNew,
    /// What the request touched, as it is after it.
    UpdatedNew,
}

/// Whether the refusal of a failed condition holds the item on which it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReturnValuesOnConditionCheckFailure {
    /// It does not.
    #[default]
    None,
    /// It does, where there is an item.
    AllOld,
}

/// A request that has passed every check which needs no table.
pub(super) struct ItemWrite {
    pub(super) table_name: TableName,
    /// The item, or its key.
    pub(super) attributes: Item,
    /// For UpdateItem only; a request without an update has none.
    pub(super) update: Option<Update>,
    pub(super) condition: Option<Condition>,
    pub(super) return_values: UpdateReturnValues,
    pub(super) on_condition_failure: ReturnValuesOnConditionCheckFailure,
    pub(super) return_consumed_capacity: ReturnConsumedCapacity,
    pub(super) return_item_collection_metrics: ReturnItemCollectionMetrics,
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
    pub(super) images: Images,
    pub(super) parameters: Parameters,
}

/// The images that an operation can return.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Images {
    /// `NONE` and `ALL_OLD`.
    Old,
    /// Those of UpdateItem.
    All,
}

impl ItemWriteRules {
    /// Parses and checks the body of a request.
    pub(super) fn parse(&self, body: &[u8]) -> Result<ItemWrite, Error> {
        let wire = Wire::read(self, body)?;
        Ok(self.check(wire)?)
    }

    fn check(&self, mut wire: Wire) -> Result<ItemWrite, Validation> {
        let mixture = self.parameters.check(|member| wire.has(member), &wire.placeholders);
        let expected_length = wire.expected.as_ref().map_or(0, ByAttribute::len);
        let Constrained {
            table_name,
            attributes,
            return_values,
            on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
            expected,
            operator,
            updates,
        } = wire.check_constraints(self)?;

        mixture?;
        let operator = check_operator(operator, expected_length)?;
        let attributes = attributes?;
        if self.images == Images::Old
            && !matches!(return_values, UpdateReturnValues::None | UpdateReturnValues::AllOld)
        {
            return Err(Validation::ReturnValues);
        }
        (self.check)(&attributes)?;
        let legacy_update = updates.transpose()?.map(legacy::attribute_updates).transpose()?;
        let legacy_condition = match expected {
            Some(expected) => legacy::expected(expected?, operator)?,
            None => None,
        };
        let placeholders = wire.placeholders.check()?;
        let update = parse_update(wire.update_expression.as_deref(), &placeholders)?;
        let condition =
            parse_condition(wire.condition_expression.as_deref(), ExpressionKind::Condition, &placeholders)?;
        self.check_all_used(&placeholders)?;
        Ok(ItemWrite {
            table_name,
            attributes,
            update: update.or(legacy_update),
            condition: condition.or(legacy_condition),
            return_values,
            on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
        })
    }

    /// PutItem and DeleteItem report this as the service reports a violated constraint; UpdateItem does not.
    fn check_all_used(&self, placeholders: &Placeholders) -> Result<(), Validation> {
        placeholders.check_all_used().map_err(|refusal| {
            let refusal = Validation::from(refusal);
            match self.images {
                Images::Old => Validation::AsConstraint(Box::new(refusal)),
                Images::All => refusal,
            }
        })
    }
}

impl UpdateReturnValues {
    /// The image, for operations that know only the old one.
    pub(super) fn old_only(self) -> ReturnValues {
        match self {
            Self::None => ReturnValues::None,
            Self::AllOld => ReturnValues::AllOld,
            _ => unreachable!("the rules of the operation allow only the old image"),
        }
    }
}

/// Parses and binds the text of a condition or filter, if there is one.
pub(super) fn parse_condition(
    text: Option<&str>,
    kind: ExpressionKind,
    placeholders: &Placeholders,
) -> Result<Option<Condition>, Validation> {
    let Some(text) = text else { return Ok(None) };
    Ok(Some(ConditionExpression::parse(text, kind)?.bind(placeholders)?))
}

/// Parses and binds the text of an update, if there is one.
pub(super) fn parse_update(
    text: Option<&str>,
    placeholders: &Placeholders,
) -> Result<Option<Update>, Validation> {
    let Some(text) = text else { return Ok(None) };
    Ok(Some(UpdateExpression::parse(text)?.bind(placeholders)?))
}

/// Appends the body of an answer.
pub(super) fn write_answer(
    attributes: Option<&ReturnedItem>,
    consumed_capacity: Option<&ConsumedCapacity>,
    item_collection_metrics: Option<&ItemCollectionMetrics>,
    out: &mut Vec<u8>,
) {
    let mut object = ObjectWriter::open(out);
    if let Some(attributes) = attributes {
        attributes.write_json(object.member("Attributes"));
    }
    if let Some(capacity) = consumed_capacity {
        capacity.write_json(object.member("ConsumedCapacity"));
    }
    if let Some(metrics) = item_collection_metrics {
        metrics.write_json(object.member("ItemCollectionMetrics"));
    }
    object.close();
}
