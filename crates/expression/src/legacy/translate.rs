//! Checked entries of legacy parameters → the bound forms of expressions.

use std::sync::Arc;

use keywright_item::AttributeValue;

use super::{ComparisonOperator, ConditionalOperator, LegacyRefusal, UpdateAction};
use crate::path::Path;
use crate::syntax::{BoundOperand, Comparator, ConditionTree, Function, SetValue};
use crate::update::{Change, Operand};
use crate::{Comparison, Condition};

type Tree = ConditionTree<BoundOperand>;

/// The conditions of a map as one; `None` of none.
pub(super) fn joined(mut conditions: Vec<Tree>, operator: ConditionalOperator) -> Option<Condition> {
    let tree = match (conditions.len(), operator) {
        (0 | 1, _) => conditions.pop()?,
        (_, ConditionalOperator::And) => ConditionTree::And(conditions),
        (_, ConditionalOperator::Or) => ConditionTree::Or(conditions),
    };
    Some(Condition { tree })
}

/// The condition on one attribute, whose values fit the operator.
pub(super) fn condition(name: String, operator: ComparisonOperator, values: Vec<AttributeValue>) -> Tree {
    let subject = BoundOperand::Path(Path::attribute(name));
    let mut values = values.into_iter().map(|value| BoundOperand::Value(Arc::new(value)));
    let mut next = || match values.next() {
        Some(value) => value,
        None => unreachable!("the number of values was checked"),
    };
    let comparator = match operator {
        ComparisonOperator::Eq => Comparator::Equal,
        ComparisonOperator::Ne => Comparator::NotEqual,
        ComparisonOperator::Le => Comparator::LessOrEqual,
        ComparisonOperator::Lt => Comparator::Less,
        ComparisonOperator::Ge => Comparator::GreaterOrEqual,
        ComparisonOperator::Gt => Comparator::Greater,
        ComparisonOperator::NotNull => return call(Function::AttributeExists, vec![subject]),
        ComparisonOperator::Null => return call(Function::AttributeNotExists, vec![subject]),
        ComparisonOperator::Contains => return call(Function::Contains, vec![subject, next()]),
        ComparisonOperator::NotContains => {
            return ConditionTree::Not(Box::new(call(Function::Contains, vec![subject, next()])));
        }
        ComparisonOperator::BeginsWith => return call(Function::BeginsWith, vec![subject, next()]),
        ComparisonOperator::In => return ConditionTree::In { subject, choices: values.collect() },
        ComparisonOperator::Between => {
            return ConditionTree::Between { subject, low: next(), high: next() };
        }
    };
    ConditionTree::Compare { comparator, left: subject, right: next() }
}

/// The comparison of one attribute of a key, whose values fit the operator.
pub(super) fn comparison(
    operator: ComparisonOperator,
    values: Vec<AttributeValue>,
) -> Result<Comparison, LegacyRefusal> {
    let mut values = values.into_iter();
    let (first, second) = (values.next(), values.next());
    Ok(match (operator, first, second) {
        (ComparisonOperator::Eq, Some(value), _) => Comparison::Equal(value),
        (ComparisonOperator::Le, Some(value), _) => Comparison::LessOrEqual(value),
        (ComparisonOperator::Lt, Some(value), _) => Comparison::Less(value),
        (ComparisonOperator::Ge, Some(value), _) => Comparison::GreaterOrEqual(value),
        (ComparisonOperator::Gt, Some(value), _) => Comparison::Greater(value),
        (ComparisonOperator::BeginsWith, Some(value), _) => Comparison::BeginsWith(value),
        (ComparisonOperator::Between, Some(low), Some(high)) => Comparison::Between(low, high),
        _ => return Err(LegacyRefusal::NotIndexable),
    })
}

/// The change of one attribute; only DELETE lacks a value.
pub(super) fn change((action, value): (UpdateAction, Option<AttributeValue>)) -> Change {
    match (action, value) {
        (UpdateAction::Put, Some(value)) => Change::Set(SetValue::Operand(Operand::Value(Arc::new(value)))),
        (UpdateAction::Add, Some(value)) => Change::Add(Arc::new(value)),
        (UpdateAction::Delete, Some(value)) => Change::Delete(Arc::new(value)),
        (_, None) => Change::Remove,
    }
}

fn call(function: Function, arguments: Vec<BoundOperand>) -> Tree {
    ConditionTree::Call(BoundOperand::Call { function, arguments })
}
