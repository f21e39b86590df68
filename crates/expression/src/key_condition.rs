//! A bound key condition: which attributes a Query compares with which values.
//!
//! Invariants: one or two conditions, each on another attribute. Which of them is the partition key is decided
//! by [`KeyCondition::resolve`], since only the table knows.

use std::fmt;

use keywright_item::AttributeValue;

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
