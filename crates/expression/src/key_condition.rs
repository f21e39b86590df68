//! Key conditions: which attributes a Query compares with which values.
//!
//! The phases are types: [`KeyConditionExpression`] is parsed, [`BoundKeyCondition`] has its placeholders replaced,
//! [`KeyCondition`] is one or two conditions, each on another attribute. Which of them is the partition key is
//! decided by [`KeyCondition::resolve`], since only the table knows.

mod shape;

use std::fmt;

use keywright_item::AttributeValue;

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
/// let condition = bound.into_key_condition()?;
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
    /// One or two attribute names with what their value must satisfy, in the order of the text.
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

/// One attribute of a key schema, as far as a key condition needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyElement<'schema> {
    /// The attribute's name.
    pub name: &'schema str,
    /// Its type as on the wire: `S`, `N` or `B`.
    pub type_name: &'schema str,
}

/// Why a key condition does not fit a key schema. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveRefusal {
    /// A key attribute that the condition had to name is not in it.
    MissedKeyElement {
        /// The name of the key attribute.
        name: String,
    },
    /// The partition key is not compared by equality, or there are two conditions where the key has one attribute.
    NotSupported,
    /// A value has another type than the key attribute that it is compared with.
    TypeMismatch,
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
    /// Takes the condition apart; for after every expression of the request is bound.
    pub fn into_key_condition(self) -> Result<KeyCondition, KeyConditionFault> {
        shape::key_condition(self.condition)
    }
}

impl KeyCondition {
    /// Splits the condition into the value of the partition key and the condition on the sort key.
    ///
    /// The refusals come in the service's order: the number of conditions, then the partition key (present,
    /// type, equality), then the sort key (present where there are two conditions, type).
    pub fn resolve(
        self,
        partition_key: KeyElement<'_>,
        sort_key: Option<KeyElement<'_>>,
    ) -> Result<(AttributeValue, Option<Comparison>), ResolveRefusal> {
        if sort_key.is_none() && self.conditions.len() > 1 {
            return Err(ResolveRefusal::NotSupported);
        }
        let mut partition = None;
        let mut other = None;
        for (name, comparison) in self.conditions {
            if name == partition_key.name {
                partition = Some(comparison);
            } else {
                other = Some((name, comparison));
            }
        }
        let partition = partition.ok_or_else(|| missed(partition_key))?;
        check_type(&partition, partition_key)?;
        let Comparison::Equal(partition) = partition else { return Err(ResolveRefusal::NotSupported) };
        let sort = match (other, sort_key) {
            (None, _) => None,
            (Some((name, comparison)), Some(sort_key)) if name == sort_key.name => {
                check_type(&comparison, sort_key)?;
                Some(comparison)
            }
            (Some(_), Some(sort_key)) => return Err(missed(sort_key)),
            (Some(_), None) => unreachable!("two conditions without a sort key are refused above"),
        };
        Ok((partition, sort))
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

fn missed(element: KeyElement<'_>) -> ResolveRefusal {
    ResolveRefusal::MissedKeyElement { name: element.name.to_owned() }
}

fn check_type(comparison: &Comparison, element: KeyElement<'_>) -> Result<(), ResolveRefusal> {
    if comparison.values().all(|value| value.type_name() == element.type_name) {
        Ok(())
    } else {
        Err(ResolveRefusal::TypeMismatch)
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

impl fmt::Display for ResolveRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissedKeyElement { name } => {
                write!(formatter, "Query condition missed key schema element: {name}")
            }
            Self::NotSupported => formatter.write_str("Query key condition not supported"),
            Self::TypeMismatch => formatter.write_str(
                "One or more parameter values were invalid: Condition parameter type does not match schema type",
            ),
        }
    }
}

impl std::error::Error for ResolveRefusal {}
