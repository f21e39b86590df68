//! Why legacy parameters are refused, in the service's texts.

use std::fmt;

use keywright_item::json::ValueRefusal;

/// Why legacy parameters are refused. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LegacyRefusal {
    /// A value that no attribute can have.
    Value(ValueRefusal),
    /// Too few or too many values for an operator.
    ValueCount {
        /// `ComparisonOperator`
        operator: &'static str,
    },
    /// Values of several types in one `AttributeValueList`.
    SeveralTypes,
    /// A value of a type that the operator does not take.
    ValueType {
        /// `ComparisonOperator`
        operator: &'static str,
        /// The type of the value.
        found: &'static str,
    },
    /// BETWEEN with a lower bound above the upper bound.
    BoundsOutOfOrder,
    /// An operator in `KeyConditions` that keys do not have.
    NotIndexable,
    /// `KeyConditions` of no attribute, or of more than two.
    KeyConditionCount,
    /// `Expected` with both `Value` and `AttributeValueList`.
    ValueAndValues {
        /// The attribute.
        name: String,
    },
    /// `Expected` with both `Exists` and `ComparisonOperator`.
    ExistsAndOperator {
        /// The attribute.
        name: String,
    },
    /// `Expected` with a `ComparisonOperator` that needs a value, and none.
    OperatorWithoutValue {
        /// The attribute.
        name: String,
        /// `ComparisonOperator`
        operator: &'static str,
    },
    /// `Expected` with `AttributeValueList`, but without `ComparisonOperator`.
    ValuesWithoutOperator {
        /// The attribute.
        name: String,
    },
    /// `Expected` without a value, unless `Exists` is false.
    ExistsWithoutValue {
        /// The attribute.
        name: String,
        /// Whether `Exists` is there, and true; else it is absent.
        exists: Option<bool>,
    },
    /// `Expected` with `Exists` false and a value.
    AbsentWithValue {
        /// The attribute.
        name: String,
    },
    /// `AttributeUpdates` without a value, where the action is not DELETE.
    UpdateWithoutValue,
    /// `AttributeUpdates` with a value of a type that the action does not take.
    UpdateType {
        /// The action.
        action: &'static str,
        /// The type of the value.
        found: &'static str,
    },
    /// `AttributesToGet` with a name twice.
    DuplicateName {
        /// The name.
        name: String,
    },
}

impl fmt::Display for LegacyRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(refusal) => return refusal.fmt(formatter),
            Self::BoundsOutOfOrder => {
                return formatter.write_str(
                    "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
                );
            }
            Self::NotIndexable => {
                return formatter.write_str("Attempted conditional constraint is not an indexable operation");
            }
            Self::KeyConditionCount => {
                return formatter.write_str("Conditions can be of length 1 or 2 only");
            }
            _ => {}
        }
        formatter.write_str("One or more parameter values were invalid: ")?;
        self.write_invalid(formatter)
    }
}

impl LegacyRefusal {
    /// What follows the words that most texts begin with.
    fn write_invalid(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(_) | Self::BoundsOutOfOrder | Self::NotIndexable | Self::KeyConditionCount => Ok(()),
            Self::ValueCount { operator } => {
                write!(formatter, "Invalid number of argument(s) for the {operator} ComparisonOperator")
            }
            Self::SeveralTypes => {
                formatter.write_str("AttributeValues inside AttributeValueList must be of same type")
            }
            Self::ValueType { operator, found } => write!(
                formatter,
                "ComparisonOperator {operator} is not valid for {found} AttributeValue type"
            ),
            Self::ValueAndValues { name } => write!(
                formatter,
                "Value and AttributeValueList cannot be used together for Attribute: {name}"
            ),
            Self::ExistsAndOperator { name } => write!(
                formatter,
                "Exists and ComparisonOperator cannot be used together for Attribute: {name}"
            ),
            Self::OperatorWithoutValue { name, operator } => write!(
                formatter,
                "Value or AttributeValueList must be used with ComparisonOperator: {operator} for Attribute: {name}"
            ),
            Self::ValuesWithoutOperator { name } => write!(
                formatter,
                "AttributeValueList can only be used with a ComparisonOperator for Attribute: {name}"
            ),
            Self::ExistsWithoutValue { name, exists } => {
                let exists = if exists.is_some() { "true" } else { "null" };
                write!(formatter, "Value must be provided when Exists is {exists} for Attribute: {name}")
            }
            Self::AbsentWithValue { name } => {
                write!(formatter, "Value cannot be used when Exists is false for Attribute: {name}")
            }
            Self::UpdateWithoutValue => {
                formatter.write_str("Only DELETE action is allowed when no attribute value is specified")
            }
            Self::UpdateType { action: "DELETE", found } => {
                write!(formatter, "DELETE action with value is not supported for the type {found}")
            }
            Self::UpdateType { action, found } => {
                write!(formatter, "{action} action is not supported for the type {found}")
            }
            Self::DuplicateName { name } => write!(formatter, "Duplicate value in attribute name: {name}"),
        }
    }
}

impl std::error::Error for LegacyRefusal {}

impl From<ValueRefusal> for LegacyRefusal {
    fn from(refusal: ValueRefusal) -> Self {
        Self::Value(refusal)
    }
}
