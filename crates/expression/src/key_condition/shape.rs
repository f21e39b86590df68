//! A bound condition → a key condition, or why it is none.
//!
//! Invariant: the faults come in the order in which the service walks the condition: the operator first, then its
//! operands from left to right, then what they amount to.

use std::fmt;
use std::sync::Arc;

use keywright_item::AttributeValue;

use super::{Comparison, KeyCondition};
use crate::syntax::{BoundOperand, Comparator, ConditionTree, Function, Path};

/// Why a condition is no key condition. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyConditionFault {
    /// An operator or function that key conditions do not have.
    InvalidOperator {
        /// The operator in capitals, or the function's name.
        operator: &'static str,
    },
    /// `size` within a condition.
    NestedOperation,
    /// BETWEEN or `begins_with` whose first operand is no attribute.
    AttributeNotFirst {
        /// `BETWEEN` or `begins_with`.
        operator: &'static str,
    },
    /// Two attributes in one comparison.
    SeveralAttributes,
    /// A path of more than one step.
    NestedAttribute,
    /// A comparison without an attribute.
    NoAttribute,
    /// Two conditions on one attribute.
    SeveralConditions,
    /// More conditions than a key can have attributes.
    Count,
}

/// Takes the condition apart into conditions on at most `most` attributes.
pub(super) fn key_condition(
    condition: ConditionTree<BoundOperand>,
    most: usize,
) -> Result<KeyCondition, KeyConditionFault> {
    let mut found = Found::default();
    collect(condition, &mut found)?;
    if found.names.len() > most {
        return Err(KeyConditionFault::Count);
    }
    Ok(KeyCondition { conditions: found.names.into_iter().zip(found.comparisons).collect() })
}

/// The most conditions that any key condition has: four partition attributes and four sort attributes of an index.
const MOST_CONDITIONS: usize = 8;

/// The conditions so far: every name, and no more comparisons than a key condition has, since each owns its values.
#[derive(Default)]
struct Found {
    names: Vec<String>,
    comparisons: Vec<Comparison>,
}

fn collect(condition: ConditionTree<BoundOperand>, found: &mut Found) -> Result<(), KeyConditionFault> {
    let invalid = |operator| Err(KeyConditionFault::InvalidOperator { operator });
    let (name, comparison) = match condition {
        ConditionTree::And(parts) => {
            return parts.into_iter().try_for_each(|part| collect(part, found));
        }
        ConditionTree::Or(_) => return invalid("OR"),
        ConditionTree::Not(_) => return invalid("NOT"),
        ConditionTree::In { .. } => return invalid("IN"),
        ConditionTree::Compare { comparator: Comparator::NotEqual, .. } => return invalid("<>"),
        ConditionTree::Compare { comparator, left, right } => compare(comparator, left, right)?,
        ConditionTree::Between { subject, low, high } => {
            let (name, [low, high]) = attribute_first("BETWEEN", subject, [low, high])?;
            (name, Comparison::Between(low, high))
        }
        ConditionTree::Call(BoundOperand::Call { function: Function::BeginsWith, arguments }) => {
            let Ok([subject, prefix]) = <[BoundOperand; 2]>::try_from(arguments) else {
                unreachable!("binding counts the operands of functions")
            };
            let (name, [prefix]) = attribute_first(Function::BeginsWith.name(), subject, [prefix])?;
            (name, Comparison::BeginsWith(prefix))
        }
        ConditionTree::Call(BoundOperand::Call { function, .. }) => return invalid(function.name()),
        ConditionTree::Call(BoundOperand::Path(_) | BoundOperand::Value(_)) => {
            unreachable!("the parser makes conditions of calls only")
        }
    };
    if found.names.contains(&name) {
        return Err(KeyConditionFault::SeveralConditions);
    }
    found.names.push(name);
    if found.comparisons.len() < MOST_CONDITIONS {
        found.comparisons.push(comparison);
    }
    Ok(())
}

/// `name < value`, or `value > name`, which means the same.
fn compare(
    comparator: Comparator,
    left: BoundOperand,
    right: BoundOperand,
) -> Result<(String, Comparison), KeyConditionFault> {
    let (name, value, comparator) = match key_operand(left)? {
        KeyOperand::Attribute(name) => (name, value_operand(right)?, comparator),
        KeyOperand::Value(value) => match key_operand(right)? {
            KeyOperand::Attribute(name) => (name, value, comparator.mirrored()),
            KeyOperand::Value(_) => return Err(KeyConditionFault::NoAttribute),
        },
    };
    let comparison = match comparator {
        Comparator::Equal => Comparison::Equal(value),
        Comparator::Less => Comparison::Less(value),
        Comparator::LessOrEqual => Comparison::LessOrEqual(value),
        Comparator::Greater => Comparison::Greater(value),
        Comparator::GreaterOrEqual => Comparison::GreaterOrEqual(value),
        Comparator::NotEqual => unreachable!("refused before its operands are looked at"),
    };
    Ok((name, comparison))
}

/// The name and the values of an operator that wants its attribute first.
fn attribute_first<const COUNT: usize>(
    operator: &'static str,
    subject: BoundOperand,
    values: [BoundOperand; COUNT],
) -> Result<(String, [AttributeValue; COUNT]), KeyConditionFault> {
    let BoundOperand::Path(path) = subject else {
        return Err(KeyConditionFault::AttributeNotFirst { operator });
    };
    let name = simple(path)?;
    let mut found = Vec::with_capacity(COUNT);
    for value in values {
        found.push(value_operand(value)?);
    }
    let Ok(values) = found.try_into() else { unreachable!("one value was found for each operand") };
    Ok((name, values))
}

enum KeyOperand {
    Attribute(String),
    Value(AttributeValue),
}

fn key_operand(operand: BoundOperand) -> Result<KeyOperand, KeyConditionFault> {
    match operand {
        BoundOperand::Path(path) => simple(path).map(KeyOperand::Attribute),
        BoundOperand::Value(value) => Ok(KeyOperand::Value(Arc::unwrap_or_clone(value))),
        BoundOperand::Call { .. } => Err(KeyConditionFault::NestedOperation),
    }
}

/// The value of an operand beside an attribute; another attribute is one too many, whatever its path.
fn value_operand(operand: BoundOperand) -> Result<AttributeValue, KeyConditionFault> {
    match operand {
        BoundOperand::Value(value) => Ok(Arc::unwrap_or_clone(value)),
        BoundOperand::Path(_) => Err(KeyConditionFault::SeveralAttributes),
        BoundOperand::Call { .. } => Err(KeyConditionFault::NestedOperation),
    }
}

/// The name of a path of one step.
fn simple(path: Path) -> Result<String, KeyConditionFault> {
    if path.steps.is_empty() { Ok(path.attribute) } else { Err(KeyConditionFault::NestedAttribute) }
}

impl Comparator {
    /// The comparator that says the same with its operands exchanged.
    const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            symmetric @ (Self::Equal | Self::NotEqual) => symmetric,
        }
    }
}

impl fmt::Display for KeyConditionFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const INVALID: &str = "Invalid condition in KeyConditionExpression";
        match self {
            Self::InvalidOperator { operator } => {
                write!(formatter, "Invalid operator used in KeyConditionExpression: {operator}")
            }
            Self::NestedOperation => {
                formatter.write_str("KeyConditionExpressions cannot contain nested operations")
            }
            Self::AttributeNotFirst { operator } => {
                write!(
                    formatter,
                    "{INVALID}: {operator} operator must have the key attribute as its first operand"
                )
            }
            Self::SeveralAttributes => {
                write!(formatter, "{INVALID}: Multiple attribute names used in one condition")
            }
            Self::NestedAttribute => {
                formatter.write_str("KeyConditionExpressions cannot have conditions on nested attributes")
            }
            Self::NoAttribute => write!(formatter, "{INVALID}: No key attribute specified"),
            Self::SeveralConditions => {
                formatter.write_str("KeyConditionExpressions must only contain one condition per key")
            }
            Self::Count => formatter.write_str("Conditions can be of length 1 or 2 only"),
        }
    }
}

impl std::error::Error for KeyConditionFault {}
