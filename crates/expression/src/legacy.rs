//! The legacy parameters, turned into what expressions are turned into.
//!
//! `Expected`, `QueryFilter`, `ScanFilter` and `ConditionalOperator` become a [`Condition`], `KeyConditions` a
//! [`KeyCondition`], `AttributeUpdates` an [`Update`], `AttributesToGet` a [`Projection`]. Attributes come in the order
//! of the request, which decides which refusal is named.
//!
//! Sources: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html> and the
//! pages below it.
//!
//! ```
//! use keywright_expression::legacy::{self, ConditionalOperator, ExpectedAttribute};
//!
//! let absent = ExpectedAttribute { exists: Some(false), ..ExpectedAttribute::default() };
//! let condition = legacy::expected(vec![("pk".to_owned(), absent)], ConditionalOperator::And)?;
//! assert!(condition.is_some_and(|condition| condition.holds(None)));
//! # Ok::<(), legacy::LegacyRefusal>(())
//! ```

mod check;
mod refusal;
mod translate;

use std::collections::BTreeSet;

use keywright_item::AttributeValue;
use keywright_item::json::Checked;

use crate::path::Path;
use crate::update::{Action, Origin};
use crate::{Condition, KeyCondition, Projection, Update};

pub use refusal::LegacyRefusal;

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

/// The condition of a `QueryFilter` or `ScanFilter`; `None` when the map is empty.
///
/// # Errors
/// [`LegacyRefusal`] of the first attribute that has one.
pub fn filter(
    conditions: Vec<(String, AttributeCondition)>,
    operator: ConditionalOperator,
) -> Result<Option<Condition>, LegacyRefusal> {
    let checked = conditions
        .into_iter()
        .map(|(name, condition)| {
            let values = check::condition(condition.operator, condition.values)?;
            Ok(translate::condition(name, condition.operator, values))
        })
        .collect::<Result<_, LegacyRefusal>>()?;
    Ok(translate::joined(checked, operator))
}

/// The condition of an `Expected`; `None` when the map is empty.
///
/// # Errors
/// [`LegacyRefusal`] of the first attribute that has one.
pub fn expected(
    attributes: Vec<(String, ExpectedAttribute)>,
    operator: ConditionalOperator,
) -> Result<Option<Condition>, LegacyRefusal> {
    let checked = attributes
        .into_iter()
        .map(|(name, attribute)| {
            let (operator, values) = check::expected(&name, attribute)?;
            Ok(translate::condition(name, operator, values))
        })
        .collect::<Result<_, LegacyRefusal>>()?;
    Ok(translate::joined(checked, operator))
}

/// The key condition of a `KeyConditions`.
///
/// # Errors
/// [`LegacyRefusal`] of the first attribute that has one, else of their number.
pub fn key_conditions(conditions: Vec<(String, AttributeCondition)>) -> Result<KeyCondition, LegacyRefusal> {
    let mut checked = Vec::with_capacity(conditions.len());
    for (name, condition) in conditions {
        checked.push((name, condition.operator, check::condition(condition.operator, condition.values)?));
    }
    if !(1..=2).contains(&checked.len()) {
        return Err(LegacyRefusal::KeyConditionCount);
    }
    let conditions = checked
        .into_iter()
        .map(|(name, operator, values)| Ok((name, translate::comparison(operator, values)?)))
        .collect::<Result<_, LegacyRefusal>>()?;
    Ok(KeyCondition { conditions })
}

/// The update of an `AttributeUpdates`.
///
/// # Errors
/// [`LegacyRefusal`] of the first attribute that has one.
pub fn attribute_updates(updates: Vec<(String, AttributeUpdate)>) -> Result<Update, LegacyRefusal> {
    let actions = updates
        .into_iter()
        .map(|(name, update)| {
            Ok(Action { target: Path::attribute(name), change: translate::change(check::update(update)?) })
        })
        .collect::<Result<_, LegacyRefusal>>()?;
    Ok(Update::new(actions, Origin::AttributeUpdates))
}

/// The projection of an `AttributesToGet`.
///
/// # Errors
/// [`LegacyRefusal::DuplicateName`].
pub fn attributes_to_get(names: Vec<String>) -> Result<Projection, LegacyRefusal> {
    let mut seen = BTreeSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(LegacyRefusal::DuplicateName { name: name.clone() });
    }
    let paths: Vec<Path> = names.into_iter().map(Path::attribute).collect();
    Ok(Projection::of(&paths.iter().collect::<Vec<_>>()))
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

impl ComparisonOperator {
    /// The operator's name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, operator)| *operator == self).map_or("", |(name, _)| name)
    }
}
