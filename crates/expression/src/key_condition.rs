//! Key conditions: which attributes a Query compares with which values.
//!
//! The phases are types: [`KeyConditionExpression`] is parsed, [`BoundKeyCondition`] has its placeholders replaced,
//! [`KeyCondition`] is a few conditions, each on another attribute. Which of them is the partition key is decided by
//! [`KeyCondition::resolve`], since only the table or index knows.

mod resolve;
mod shape;

use std::fmt;

use keywright_item::AttributeValue;

pub use resolve::{KeyElement, ResolveRefusal, ResolvedKeyCondition};
pub use shape::KeyConditionFault;

use crate::bind::bind_condition;
use crate::parser::parse_condition;
use crate::placeholders::Placeholders;
use crate::refusal::{OperandFault, SyntaxFault};
use crate::syntax::{BoundOperand, ConditionTree, ParsedOperand};

/// The text of a `KeyConditionExpression`, parsed.
///
/// ```
/// use keywright_expression::{Comparison, DeclaredPlaceholders, KeyConditionExpression};
/// use keywright_item::AttributeValue;
///
/// let mut declared = DeclaredPlaceholders::default();
/// declared.declare_value(":org", Ok(AttributeValue::S("ORG#1".to_owned())));
/// let placeholders = declared.check()?;
///
/// let bound = KeyConditionExpression::parse("pk = :org")?.bind(&placeholders)?;
/// placeholders.check_all_used()?;
/// let condition = bound.into_key_condition(2)?;
/// assert_eq!(condition.conditions, [
///     ("pk".to_owned(), Comparison::Equal(AttributeValue::S("ORG#1".to_owned()))),
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KeyConditionExpression<'text> {
    condition: ConditionTree<ParsedOperand<'text>>,
}

/// A key condition whose placeholders are replaced, and which may still be a condition of another kind.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundKeyCondition {
    condition: ConditionTree<BoundOperand>,
}

/// Why a `KeyConditionExpression` cannot be parsed. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRefusal {
    /// What is wrong with the text.
    pub fault: SyntaxFault,
}

/// Why the placeholders of a `KeyConditionExpression` do not fit. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindRefusal {
    /// What is wrong with an operand.
    pub fault: OperandFault,
}

/// The condition of a Query on the key of a table or index, with every placeholder replaced.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html>
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCondition {
    /// Attribute names, no two alike, with what their value must satisfy, in the order of the text.
    pub conditions: Vec<(String, Comparison)>,
}

/// What the value of one key attribute must satisfy.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// `name = value`
    Equal(AttributeValue),
    /// `name < value`
    Less(AttributeValue),
    /// `name <= value`
    LessOrEqual(AttributeValue),
    /// `name > value`
    Greater(AttributeValue),
    /// `name >= value`
    GreaterOrEqual(AttributeValue),
    /// `name BETWEEN low AND high`: both ends included, of one type, and `low` is not above `high`.
    Between(AttributeValue, AttributeValue),
    /// `begins_with(name, prefix)`: the prefix is a string or binary.
    BeginsWith(AttributeValue),
}

impl<'text> KeyConditionExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str) -> Result<Self, ParseRefusal> {
        let condition = parse_condition(text).map_err(|fault| ParseRefusal { fault })?;
        Ok(Self { condition })
    }

    /// Replaces the placeholders and checks the operands.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<BoundKeyCondition, BindRefusal> {
        let condition =
            bind_condition(&self.condition, placeholders).map_err(|fault| BindRefusal { fault })?;
        Ok(BoundKeyCondition { condition })
    }
}

impl BoundKeyCondition {
    /// Takes the condition apart into at most `most` conditions; for after every expression of the request is bound.
    pub fn into_key_condition(self, most: usize) -> Result<KeyCondition, KeyConditionFault> {
        shape::key_condition(self.condition, most)
    }
}

impl Comparison {
    /// The values that the attribute is compared with, from left to right.
    pub fn values(&self) -> impl Iterator<Item = &AttributeValue> {
        let (first, second) = match self {
            Self::Equal(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value)
            | Self::BeginsWith(value) => (value, None),
            Self::Between(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }
}

impl fmt::Display for ParseRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Invalid KeyConditionExpression: {}", self.fault)
    }
}

impl std::error::Error for ParseRefusal {}

impl fmt::Display for BindRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Invalid KeyConditionExpression: {}", self.fault)
    }
}

impl std::error::Error for BindRefusal {}
