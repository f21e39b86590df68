//! What the service checks of one attribute's entry in a legacy parameter, in its order.

use keywright_item::AttributeValue;
use keywright_item::json::Checked;

use super::{AttributeUpdate, ComparisonOperator, ExpectedAttribute, LegacyRefusal, UpdateAction};
use crate::document::Value;

/// The values of a condition: each must be one, their number and types must fit the operator.
pub(super) fn condition(
    operator: ComparisonOperator,
    values: Vec<Checked<AttributeValue>>,
) -> Result<Vec<AttributeValue>, LegacyRefusal> {
    let values = values.into_iter().collect::<Checked<Vec<_>>>()?;
    check_values(operator, &values)?;
    Ok(values)
}

/// The operator that an entry of `Expected` comes to, and its values.
pub(super) fn expected(
    name: &str,
    attribute: ExpectedAttribute,
) -> Result<(ComparisonOperator, Vec<AttributeValue>), LegacyRefusal> {
    let name = || name.to_owned();
    if attribute.value.is_some() && attribute.values.is_some() {
        return Err(LegacyRefusal::ValueAndValues { name: name() });
    }
    let Some(operator) = attribute.operator else {
        if attribute.values.is_some() {
            return Err(LegacyRefusal::ValuesWithoutOperator { name: name() });
        }
        return match (attribute.exists, attribute.value) {
            (Some(false), None) => Ok((ComparisonOperator::Null, Vec::new())),
            (Some(false), Some(_)) => Err(LegacyRefusal::AbsentWithValue { name: name() }),
            (exists, None) => Err(LegacyRefusal::ExistsWithoutValue { name: name(), exists }),
            (_, Some(value)) => Ok((ComparisonOperator::Eq, vec![value?])),
        };
    };
    if attribute.exists.is_some() {
        return Err(LegacyRefusal::ExistsAndOperator { name: name() });
    }
    let needs_no_value = matches!(operator, ComparisonOperator::Null | ComparisonOperator::NotNull);
    let values = match (attribute.value, attribute.values) {
        (Some(value), _) => vec![value],
        (None, Some(values)) => values,
        (None, None) if needs_no_value => Vec::new(),
        (None, None) => {
            return Err(LegacyRefusal::OperatorWithoutValue { name: name(), operator: operator.name() });
        }
    };
    Ok((operator, condition(operator, values)?))
}

/// The action of an entry of `AttributeUpdates` and its value, which only DELETE may lack.
pub(super) fn update(
    update: AttributeUpdate,
) -> Result<(UpdateAction, Option<AttributeValue>), LegacyRefusal> {
    let action = update.action.unwrap_or_default();
    let Some(value) = update.value.transpose()? else {
        return if action == UpdateAction::Delete {
            Ok((action, None))
        } else {
            Err(LegacyRefusal::UpdateWithoutValue)
        };
    };
    let is_set = matches!(value, AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_));
    let found = value.type_name();
    match action {
        UpdateAction::Delete if !is_set => Err(LegacyRefusal::UpdateType { action: "DELETE", found }),
        UpdateAction::Add if !is_set && !matches!(value, AttributeValue::N(_) | AttributeValue::L(_)) => {
            Err(LegacyRefusal::UpdateType { action: "ADD", found })
        }
        UpdateAction::Put | UpdateAction::Add | UpdateAction::Delete => Ok((action, Some(value))),
    }
}

fn check_values(operator: ComparisonOperator, values: &[AttributeValue]) -> Result<(), LegacyRefusal> {
    let fits = match operator {
        ComparisonOperator::Null | ComparisonOperator::NotNull => values.is_empty(),
        ComparisonOperator::In => !values.is_empty(),
        ComparisonOperator::Between => values.len() == 2,
        ComparisonOperator::Eq
        | ComparisonOperator::Ne
        | ComparisonOperator::Le
        | ComparisonOperator::Lt
        | ComparisonOperator::Ge
        | ComparisonOperator::Gt
        | ComparisonOperator::Contains
        | ComparisonOperator::NotContains
        | ComparisonOperator::BeginsWith => values.len() == 1,
    };
    if !fits {
        return Err(LegacyRefusal::ValueCount { operator: operator.name() });
    }
    let Some(found) = values.first().map(AttributeValue::type_name) else { return Ok(()) };
    if values.iter().any(|value| value.type_name() != found) {
        return Err(LegacyRefusal::SeveralTypes);
    }
    if !takes(operator, found) {
        return Err(LegacyRefusal::ValueType { operator: operator.name(), found });
    }
    match (operator, values) {
        (ComparisonOperator::Between, [low, high])
            if Value::Decoded(low).scalar() > Value::Decoded(high).scalar() =>
        {
            Err(LegacyRefusal::BoundsOutOfOrder)
        }
        _ => Ok(()),
    }
}

/// Whether an operator takes values of a type.
fn takes(operator: ComparisonOperator, type_name: &str) -> bool {
    match operator {
        ComparisonOperator::Eq
        | ComparisonOperator::Ne
        | ComparisonOperator::Null
        | ComparisonOperator::NotNull => true,
        ComparisonOperator::Contains | ComparisonOperator::NotContains => {
            matches!(type_name, "S" | "N" | "B" | "BOOL" | "NULL")
        }
        ComparisonOperator::BeginsWith => matches!(type_name, "S" | "B"),
        ComparisonOperator::Le
        | ComparisonOperator::Lt
        | ComparisonOperator::Ge
        | ComparisonOperator::Gt
        | ComparisonOperator::In
        | ComparisonOperator::Between => matches!(type_name, "S" | "N" | "B"),
    }
}
