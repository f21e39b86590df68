//! The legacy parameters, turned into what expressions are turned into.
//!
//! `Expected`, `QueryFilter`, `ScanFilter` and `ConditionalOperator` become a [`Condition`], `KeyConditions` a
//! [`KeyCondition`], `AttributeUpdates` an [`Update`], `AttributesToGet` a [`Projection`]. Attributes come in the order
//! of the request, which decides which refusal is named.

use std::fmt;

use keywright_item::AttributeValue;
use keywright_item::json::{Checked, ValueRefusal};

use crate::{Condition, KeyCondition, Projection, Update};

/// One attribute's entry in `QueryFilter`, `ScanFilter` or `KeyConditions`.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeCondition {
    /// `ComparisonOperator`
    pub operator: ComparisonOperator,
    /// `AttributeValueList`; absent is empty.
    pub values: Vec<Checked<AttributeValue>>,
}

/// One attribute's entry in `Expected`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExpectedAttribute {
    /// `Value`
    pub value: Option<Checked<AttributeValue>>,
    /// `Exists`
    pub exists: Option<bool>,
    /// `ComparisonOperator`
    pub operator: Option<ComparisonOperator>,
    /// `AttributeValueList`
    pub values: Option<Vec<Checked<AttributeValue>>>,
}

/// One attribute's entry in `AttributeUpdates`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttributeUpdate {
    /// `Action`; absent is PUT.
    pub action: Option<UpdateAction>,
    /// `Value`
    pub value: Option<Checked<AttributeValue>>,
}

/// What an entry of `AttributeUpdates` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpdateAction {
    /// Sets the attribute.
    #[default]
    Put,
    /// Adds to a number, to a set, or at the end of a list.
    Add,
    /// Removes the attribute, or members of a set.
    Delete,
}

/// How the conditions of a map are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConditionalOperator {
    /// All must hold.
    #[default]
    And,
    /// One must hold.
    Or,
}

/// `ComparisonOperator`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the wire, without the underscores")]
pub enum ComparisonOperator {
    Eq,
    Ne,
    Le,
    Lt,
    Ge,
    Gt,
    NotNull,
    Null,
    Contains,
    NotContains,
    BeginsWith,
    In,
    Between,
}

/// Why legacy parameters are refused. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LegacyRefusal {
    /// A value that no attribute can have.
    Value(ValueRefusal),
}

/// The condition of a `QueryFilter` or `ScanFilter`; `None` when the map is empty.
pub fn filter(
    conditions: Vec<(String, AttributeCondition)>,
    operator: ConditionalOperator,
) -> Result<Option<Condition>, LegacyRefusal> {
    let _ = (conditions, operator);
    Ok(None)
}

/// The condition of an `Expected`; `None` when the map is empty.
pub fn expected(
    attributes: Vec<(String, ExpectedAttribute)>,
    operator: ConditionalOperator,
) -> Result<Option<Condition>, LegacyRefusal> {
    let _ = (attributes, operator);
    Ok(None)
}

/// The key condition of a `KeyConditions`.
pub fn key_conditions(conditions: Vec<(String, AttributeCondition)>) -> Result<KeyCondition, LegacyRefusal> {
    let _ = conditions;
    Ok(KeyCondition { conditions: Vec::new() })
}

/// The update of an `AttributeUpdates`.
pub fn attribute_updates(updates: Vec<(String, AttributeUpdate)>) -> Result<Update, LegacyRefusal> {
    let _ = updates;
    unreachable!("this commit declares the face only")
}

/// The projection of an `AttributesToGet`.
pub fn attributes_to_get(names: Vec<String>) -> Result<Projection, LegacyRefusal> {
    let _ = names;
    unreachable!("this commit declares the face only")
}

impl ComparisonOperator {
    /// Every operator with its name on the wire, in the order of the service's messages.
    pub const ALL: [(&'static str, Self); 13] = [
        ("IN", Self::In),
        ("NULL", Self::Null),
        ("BETWEEN", Self::Between),
        ("LT", Self::Lt),
        ("NOT_CONTAINS", Self::NotContains),
        ("EQ", Self::Eq),
        ("GT", Self::Gt),
        ("NOT_NULL", Self::NotNull),
        ("NE", Self::Ne),
        ("LE", Self::Le),
        ("BEGINS_WITH", Self::BeginsWith),
        ("GE", Self::Ge),
        ("CONTAINS", Self::Contains),
    ];
}

impl ConditionalOperator {
    /// Every operator with its name on the wire, in the order of the service's messages.
    pub const ALL: [(&'static str, Self); 2] = [("OR", Self::Or), ("AND", Self::And)];
}

impl UpdateAction {
    /// Every action with its name on the wire.
    pub const ALL: [(&'static str, Self); 3] =
        [("ADD", Self::Add), ("PUT", Self::Put), ("DELETE", Self::Delete)];
}

impl fmt::Display for LegacyRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(refusal) => refusal.fmt(formatter),
        }
    }
}

impl std::error::Error for LegacyRefusal {}
